"""Which program plays better?"""
