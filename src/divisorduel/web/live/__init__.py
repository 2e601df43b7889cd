"""Matches in memory, and who follows them."""
