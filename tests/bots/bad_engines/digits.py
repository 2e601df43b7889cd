"""Sends a number of 5,000 digits."""

from good import lines, send  # type: ignore[import-not-found]

for _ in lines():
    send(f"move {'9' * 5000}\n")
