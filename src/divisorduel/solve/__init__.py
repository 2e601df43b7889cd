"""Who wins, and why?"""
