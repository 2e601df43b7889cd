"""Prints what it thinks."""

from good import lines, play, send  # type: ignore[import-not-found]

for position in lines():
    send("thinking...\n")
    play(position)
