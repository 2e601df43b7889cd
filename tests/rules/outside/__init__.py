"""Divisor Duel as other packages see it."""
