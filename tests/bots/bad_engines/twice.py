"""Answers twice."""

from good import lines, play  # type: ignore[import-not-found]

for position in lines():
    play(position)
    play(position)
