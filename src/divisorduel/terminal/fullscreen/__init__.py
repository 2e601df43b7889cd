"""How is it played on a full screen?"""
