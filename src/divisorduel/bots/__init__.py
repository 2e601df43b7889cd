"""How do programs play?"""
