"""How does a program play across a network?"""
