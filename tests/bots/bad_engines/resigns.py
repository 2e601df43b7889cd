"""Resigns at its second move, and plays an illegal number in the middle of a game."""

from good import lines, play, send  # type: ignore[import-not-found]

boards: dict[str, int] = {}
for position in lines():
    legal = len(position) - position.index("legal") - 1
    most = boards.setdefault(position[0], legal)
    if position[3] == "-" and legal == most:
        play(position)
    elif position[0] == "chain" and position[2].count(",") > 3:
        send("move 0\n")
    else:
        send("resign\n")
