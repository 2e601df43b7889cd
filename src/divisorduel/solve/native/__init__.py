"""How is it solved faster?"""
