"""Parses what is typed in a match on a server: the words of the prompt, and some more."""

from divisorduel.play.commands import (
    Accept,
    CallOff,
    Claim,
    Command,
    Decline,
    Forfeit,
    Redo,
    Rematch,
    Take,
    Undo,
)
from divisorduel.terminal.plain.input_parser import Unclear, Word, read_line

COMMANDS: dict[str, Command] = {
    "undo": Undo(),
    "redo": Redo(),
    "forfeit": Forfeit(),
    "accept": Accept(),
    "decline": Decline(),
    "claim": Claim(),
    "call off": CallOff(),
    "rematch": Rematch(),
}
"""What is sent to the server, by the words for it."""
_ONLY_HERE = ("accept", "decline", "claim", "call off", "rematch", "link")
"""What can be typed only in a match on a server, in full."""
_FOR_ALL = {
    "help": "show these commands",
    "board": "show the board again",
    "moves": "list the legal moves",
    "history": "list the moves so far",
    "score": "show the score, and whose turn it is",
    "rules": "show the rules, an example and some tips",
    "link": "show the link that brings you back",
    "quit": "leave; the game stays on the server",
}
_FOR_PLAYERS = {
    "hint": "say who is winning; ask again to learn more",
    "why": "explain why you are winning or losing",
    "undo": "take back your last move, if your opponent agrees",
    "accept": "accept what your opponent asks for",
    "decline": "decline it, or cancel your own request",
    "forfeit": "give up this game (type it in full)",
    "claim": "win because your opponent is away",
    "rematch": "play again once the game is over",
    "call off": "end a game that no one has joined",
}


def read_remote_line(line: str) -> Take | Word | Unclear:
    """Parse a line."""
    words = " ".join(line.lower().split())
    if words in _ONLY_HERE or words == "save":  # the server saves the game, so no file is named
        return Word(words)
    return read_line(line)


def help_text(*, is_player: bool) -> str:
    """List the commands, for a player or for a spectator."""
    first = "Type a number to take it, or a command:" if is_player else "Type a command:"
    known = {**_FOR_ALL, **_FOR_PLAYERS} if is_player else _FOR_ALL
    return "\n".join([first, *(f"  {name:<10}{meaning}" for name, meaning in known.items())])
