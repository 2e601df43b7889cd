"""Says that it plays a game that does not exist."""

from good import lines, play  # type: ignore[import-not-found]

for position in lines("bot Test\ngames chess\nok\n"):
    play(position)
