"""How is it written down?"""
