"""How does an old database become a new one?"""
