"""A rule book as data: its names, its words on screen, and its guide for players."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal


@dataclass(frozen=True, kw_only=True, slots=True)
class Wording:
    """The lines of a rule book's sample interaction, in the order they appear.

    Each text is a template for ``str.format``. Its fields are ``player`` (the player to move; in
    `accepted`, the one who has just moved), ``winner``, ``loser``, ``number`` (just taken),
    ``last`` (the number to answer), ``pool`` (the whole board), and lists of numbers:
    ``playable``, ``untaken`` and ``options`` (still in play, not taken yet, legal now), ``mine``
    and ``theirs`` (taken by the player to move and by the opponent). A list can have a word to
    show when it is empty, as in ``{options:none}``.
    """

    welcome: str = ""
    """Once, at the very start."""
    ask_number: str = ""
    """The prompt for the board, in a rule book that asks for it."""
    board: str = ""
    """At the start of every game."""
    first_turn: str
    """Before the first prompt of a game."""
    turn: str
    """Before every other prompt."""
    prompt: str
    accepted: str
    """After a legal move."""
    stuck: str
    """Instead of a turn, when the player cannot move and so loses."""
    forfeit: str = "{loser} forfeits the game.\n{winner} wins the game!\n"
    options: str = "You may take: {options:none}\n"
    """The answer to ``moves``."""
    reminder: str = ""
    """Before the turn, when a match is resumed or a move is undone."""
    also: str = ", which rules out {gone}"
    """In the history, what a move did besides taking its number; ``gone`` lists the numbers."""
    log: str = "Taken: {taken:none}\n"
    """The first line of the answer to ``history``; ``taken`` lists the numbers in order."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Example:
    """A whole game that shows the rules at work. Player 1 starts."""

    moves: tuple[int, ...]
    board: Mapping[str, int] = field(default_factory=dict)
    """The parameters of its board that differ from the defaults."""
    remarks: Mapping[int, str] = field(default_factory=dict)
    """What to say after a turn, by the turn's number."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Guide:
    """The rules and the tips in our own words, in paragraphs separated by empty lines."""

    rules: str
    own_board: str = ""
    """The first paragraph of the rules on a board other than the default, without its numbers and
    without a rule for the first move; empty if the rules hold for every board."""
    tips: str
    example: Example


@dataclass(frozen=True, kw_only=True, slots=True)
class Book:
    """A rule book: what every game played by it has in common."""

    key: str
    title: str
    nickname: str = ""
    """A few words that tell it apart from other rule books with the same title."""
    first_board: Mapping[str, int | str] = field(default_factory=dict)
    """A board for a first game, if a game on the default board ends too soon."""
    board: str
    """The default board, in a few words."""
    move: str
    """What a move is, in one line."""
    wrong_number: Literal["ask again", "forfeit"] = "ask again"
    easy_win: str = ""
    """For a game that is always an easy win: why it has no puzzles and no fair starts."""
    phrases: Mapping[str, str] = field(default_factory=dict)
    """Sentences about illegal moves, by code; they add to `PHRASES` or replace its sentences."""
    wording: Wording
    guide: Guide


def paragraphs(text: str) -> list[str]:
    """Return the paragraphs of a guide's text, each in one line."""
    return [" ".join(part.split()) for part in text.split("\n\n")]
