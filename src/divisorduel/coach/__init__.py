"""What was missed?"""
