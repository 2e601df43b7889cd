"""What happens in a match?"""
