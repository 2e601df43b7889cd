"""Moves per second that the server sustains, against boardgame.io in the same run."""
