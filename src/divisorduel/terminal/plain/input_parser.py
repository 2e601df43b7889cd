"""Parses what players type at the prompt: numbers and commands."""

from dataclasses import dataclass

from divisorduel.play.commands import Take
from divisorduel.rules.errors import NotANumber
from divisorduel.rules.numbers import read_number
from divisorduel.terminal.terminal import printable

HELP = {
    "help": "show these commands",
    "moves": "list the legal moves",
    "history": "list the moves so far",
    "hint": "say who is winning; ask again to learn more",
    "why": "explain why you are winning or losing",
    "undo": "take back the last move",
    "redo": "repeat a move that was taken back",
    "forfeit": "give up this game",
    "save": "save the game in a file: save FILE",
    "rules": "show the rules, an example and some tips",
    "quit": "leave the game",
}


@dataclass(frozen=True, slots=True)
class Word:
    """A command by its full name, with the file name after it, if any."""

    name: str
    argument: str = ""


@dataclass(frozen=True, slots=True)
class Unclear:
    """A line that is neither a number nor a command, and the answer to it."""

    answer: str


def read_line(line: str) -> Take | Word | Unclear:
    """Parse a line. Commands may be abbreviated, in upper or lower case."""
    try:
        return Take(read_number(line))
    except NotANumber:
        pass
    typed, _, argument = line.strip().partition(" ")
    if not typed:
        return Unclear('Type a number, or "help" for a list of commands.')
    short = "help" if typed in ("h", "H", "?") else typed.lower()
    candidates = [name for name in HELP if name.startswith(short)]
    if not candidates:
        shown = printable(line.strip(" ")[:40])
        return Unclear(
            f"'{shown}' is not a number you can take, or a command. "
            'Type "help" for a list of commands.'
        )
    if len(candidates) > 1:
        meant = " or ".join(f'"{name}"' for name in candidates)
        return Unclear(f"'{typed}' could mean {meant}. Type one more letter.")
    name, argument = candidates[0], argument.strip()
    if name == "save" and not argument:
        return Unclear('"save" needs a file name, for example: save game.duel')
    if name != "save" and argument:
        return Unclear(f'"{name}" takes no argument.')
    return Word(name, argument)
