"""What does a connection accept?"""
