"""Plays a number that is on no board."""

from good import lines, send  # type: ignore[import-not-found]

for _ in lines():
    send("move 0\n")
