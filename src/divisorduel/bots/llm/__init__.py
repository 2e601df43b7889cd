"""How well does a language model play?"""
