"""Which games are there?"""
