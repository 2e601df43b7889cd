"""What can a client ask?"""
