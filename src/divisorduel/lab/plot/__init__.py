"""What does a table look like?"""
