"""How is it started?"""
