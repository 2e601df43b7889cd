"""How do players share a match?"""
