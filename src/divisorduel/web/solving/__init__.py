"""How does the server stay responsive?"""
