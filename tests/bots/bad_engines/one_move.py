"""Ends after its first move."""

from good import lines, play  # type: ignore[import-not-found]

for position in lines():
    play(position)
    break
