"""Matches in memory, and the clients that follow them."""
