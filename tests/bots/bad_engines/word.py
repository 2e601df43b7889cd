"""Sends a word instead of a number."""

from good import lines, send  # type: ignore[import-not-found]

for _ in lines():
    send("move eight\n")
