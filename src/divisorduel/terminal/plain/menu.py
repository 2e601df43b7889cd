"""``duel`` without a command: a few questions, and the game begins."""

from divisorduel.play.match import Match
from divisorduel.terminal.plain.local_game import draw, host_new
from divisorduel.terminal.plain.questions import (
    ask_board,
    ask_first,
    ask_game,
    ask_kinds,
    ask_names,
)
from divisorduel.terminal.terminal import system_terminal


def menu() -> int:
    """Ask which game, which board, who plays and who starts; play it and return the exit status."""
    terminal = system_terminal()
    key = ask_game(terminal)
    game = ask_board(terminal, key)
    kinds = ask_kinds(terminal)
    names = ask_names(terminal, kinds)
    first = ask_first(terminal, names, lambda: draw(None))
    terminal.say("\n")
    return host_new(terminal, Match.of(game, names=names, kinds=kinds, first=first))
