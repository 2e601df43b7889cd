"""Parses what players type at the prompt: numbers and commands."""

from dataclasses import dataclass
from difflib import get_close_matches

from divisorduel.play.commands import Take
from divisorduel.rules.errors import NotANumber
from divisorduel.rules.numbers import read_number
from divisorduel.terminal.terminal import printable

HELP = {
    "help": "show these commands",
    "board": "show the board again",
    "moves": "list the legal moves",
    "history": "list the moves so far",
    "score": "show the score, and whose turn it is",
    "hint": "say who is winning; ask again to learn more",
    "why": "explain why you are winning or losing",
    "undo": "take back the last move; against a computer, your last one",
    "redo": "repeat a move that was taken back",
    "forfeit": "give up this game (type it in full)",
    "save": "save the game to a file: save FILE",
    "rules": "show the rules, an example and some tips",
    "quit": "leave the game",
}

_SYNONYMS = {
    "?": "help",
    "h": "help",
    "bye": "quit",
    "exit": "quit",
    "give up": "forfeit",
    "giveup": "forfeit",
    "resign": "forfeit",
}
"""Other words for a command, which must be typed in full."""

_PASSING = 'You cannot pass: take a number. "moves" lists the numbers you can take.'


@dataclass(frozen=True, slots=True)
class Word:
    """A command by its full name, with the file name after it, if any."""

    name: str
    argument: str = ""


@dataclass(frozen=True, slots=True)
class Unclear:
    """A line that is neither a number nor a command, and the answer to it."""

    answer: str


def trimmed(line: str) -> str:
    """Return a line without the white space around it, and without a byte order mark."""
    return line.strip().strip("\ufeff").strip()


def read_line(line: str) -> Take | Word | Unclear:
    """Parse a line. Case does not matter, and commands may be abbreviated, except forfeit."""
    line = trimmed(line)
    try:
        return Take(read_number(line))
    except NotANumber:
        pass
    if not line:
        return Unclear('Type a number, or "help" for a list of commands.')
    whole = " ".join(line.lower().split())
    if whole in ("pass", "skip"):
        return Unclear(_PASSING)
    if whole in _SYNONYMS:
        return Word(_SYNONYMS[whole])
    return _command(line)


def _command(line: str) -> Word | Unclear:
    typed, _, argument = line.partition(" ")
    short, argument = typed.lower(), argument.strip()
    candidates = [name for name in HELP if name.startswith(short)]
    if argument and "save" in candidates:
        candidates = ["save"]  # only this command has an argument
    if not candidates:
        return Unclear(_unknown(line))
    if len(candidates) > 1:
        meant = " or ".join(f'"{name}"' for name in candidates)
        return Unclear(f"'{typed}' could mean {meant}. Type one more letter.")
    [name] = candidates
    if name == "save" and not argument:
        return Unclear('"save" needs a file name, for example: save game.duel')
    if name != "save" and argument:
        return Unclear(f'"{name}" takes no argument.')
    if name == "forfeit" and short != name:
        return Unclear('To give up this game, type "forfeit" in full.')
    return Word(name, argument)


def _unknown(line: str) -> str:
    known = [name for name in (*HELP, *_SYNONYMS) if len(name) > 1 and name != "giveup"]
    close = get_close_matches(line.lower()[:40], known, n=1, cutoff=0.75)
    advice = f'Did you mean "{close[0]}"?' if close else 'Type "help" for a list of commands.'
    return f"'{printable(line[:40])}' is neither a number you can take nor a command. {advice}"
