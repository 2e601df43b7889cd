"""What people type at the prompt of a game: numbers and words."""

from dataclasses import dataclass

from divisorduel.play.commands import Take
from divisorduel.rules.errors import NotANumber
from divisorduel.rules.numbers import read_number
from divisorduel.terminal.terminal import printable

HELP = {
    "help": "show these commands",
    "moves": "what is legal now",
    "history": "the moves so far",
    "hint": "are you winning? again: how many moves win; again: a move",
    "why": "the reason, in a sentence or two",
    "undo": "take back the last move",
    "redo": "make it again",
    "forfeit": "give up this game",
    "save": "save FILE: write the match to a file",
    "rules": "the rules, an example and some tips",
    "quit": "stop here",
}


@dataclass(frozen=True, slots=True)
class Word:
    """A command by its full name, and the file name that follows it, if any."""

    name: str
    argument: str = ""


@dataclass(frozen=True, slots=True)
class Unclear:
    """Something that is neither, and what to say about it."""

    answer: str


def read_line(line: str) -> Take | Word | Unclear:
    """Read what a player typed. Commands may be shortened, and written in any case."""
    try:
        return Take(read_number(line))
    except NotANumber:
        pass
    typed, _, argument = line.strip().partition(" ")
    if not typed:
        return Unclear("Type a number, or help for the commands.")
    fitting = _fitting(typed.lower())
    if not fitting:
        shown = printable(line.strip(" ")[:40])
        return Unclear(f"'{shown}' is neither a number nor a command. Type help for the commands.")
    if len(fitting) > 1:
        return Unclear(f"{typed} could be {' or '.join(fitting)}: type one more letter.")
    return _word(fitting[0], argument.strip())


def _fitting(typed: str) -> list[str]:
    if typed in ("h", "?"):
        return ["help"]
    return [name for name in HELP if name.startswith(typed)]


def _word(name: str, argument: str) -> Word | Unclear:
    if name == "save" and not argument:
        return Unclear("Where to? Type save and the name of a file.")
    if name != "save" and argument:
        return Unclear(f"To {name}, type just {name}.")
    return Word(name, argument)
