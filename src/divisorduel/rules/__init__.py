"""What may be played?"""
