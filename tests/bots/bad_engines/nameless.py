"""Says ok without a name."""

from good import lines, play  # type: ignore[import-not-found]

for position in lines("ok\n"):
    play(position)
