"""How is it played in full screen?"""
