"""How do people play in a browser, and programs over a network?"""
