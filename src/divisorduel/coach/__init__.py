"""What can be learned?"""
