"""Measures how many moves per second the server sustains, compared with boardgame.io."""
