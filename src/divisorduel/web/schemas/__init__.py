"""What is sent?"""
