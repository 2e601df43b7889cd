"""Relies on what it was asked before."""

from good import lines, play  # type: ignore[import-not-found]

known: list[str] = []
for position in lines():
    known = known or [*position]
    play(known)
