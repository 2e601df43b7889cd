"""Who does the work?"""
