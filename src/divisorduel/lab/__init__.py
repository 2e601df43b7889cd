"""What can be discovered?"""
