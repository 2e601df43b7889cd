"""Moves, and then never stops talking."""

from good import lines, play, send  # type: ignore[import-not-found]

for position in lines():
    play(position)
    while True:
        send("say hello\n" * 1000)
