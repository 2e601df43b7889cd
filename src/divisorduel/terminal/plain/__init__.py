"""How is it played line by line?"""
