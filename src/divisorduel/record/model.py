"""A game record as a value: tags, moves with comments and variations, and a result."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from divisorduel.play.events import Seat
from divisorduel.play.match import other
from divisorduel.rules.catalogue import rule_book
from divisorduel.rules.code import read_code
from divisorduel.rules.errors import DuelError
from divisorduel.rules.game import Game
from divisorduel.rules.numbers import read_number
from divisorduel.rules.position import Position

Result = Literal["1-0", "0-1", "*"]
"""Player 1 won, Player 2 won, or the game is not finished."""

DEEPEST = 100
"""How deep variations may be nested."""

FORBIDDEN = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")
"""Characters that a record may not contain."""

_FAULT = re.compile(r"fault ([a-z]{1,20}(?:-[a-z]{1,20}){0,3})", re.ASCII)
_WRONG_NUMBER = re.compile(r"wrong number ([0-9]{1,200})", re.ASCII)


class RecordError(DuelError):
    """A record that cannot be read or written; `line` is the line of the text, 0 if unknown."""

    code = "bad-record"

    def __init__(self, reason: str, line: int = 0) -> None:
        super().__init__(f"Line {line}: {reason}" if line else reason)
        self.line = line


@dataclass(frozen=True, slots=True)
class Tag:
    """A name and a value, as in ``[Game "chain"]``."""

    name: str
    value: str
    at: int = field(default=0, compare=False, repr=False)
    """The line of the text it was read from."""


@dataclass(frozen=True, slots=True)
class Ply:
    """A move with its comments and variations (lines played instead of it), in order."""

    move: int
    notes: tuple["str | Line", ...] = ()
    at: int = field(default=0, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Line:
    """A sequence of moves, and the comments before the first one."""

    plies: tuple[Ply, ...] = ()
    intro: tuple[str, ...] = ()


@dataclass(frozen=True)
class Record:
    """One game. `read_records` and `check_record` guarantee that it is legal."""

    tags: tuple[Tag, ...]
    line: Line = Line()
    result: Result = "*"
    at: int = field(default=0, compare=False, repr=False)
    """The line of the text where its moves end."""

    def tag(self, name: str, default: str = "") -> str:
        """Return the value of a tag, or the default if the tag is missing."""
        return next((tag.value for tag in self.tags if tag.name == name), default)

    def line_of(self, name: str) -> int:
        """Return the line of the text with a tag, or of the first tag if it is missing."""
        return next((tag.at for tag in self.tags if tag.name == name), self.tags[0].at)

    @contextmanager
    def errors_at(self, name: str) -> Iterator[None]:
        """Report any error in the block as an error in the line of a tag."""
        try:
            yield
        except DuelError as error:
            raise RecordError(str(error), self.line_of(name)) from None

    @cached_property
    def game(self) -> Game:
        """The game that was played."""
        return rule_book(self.tag("Game")).on_board(self.tag("Board"))

    @cached_property
    def start(self) -> Position:
        """The position before the first move."""
        code = self.tag("Start")
        return read_code(code)[1] if code else self.game.start()

    @property
    def moves(self) -> tuple[int, ...]:
        """The moves that were played."""
        return tuple(ply.move for ply in self.line.plies)

    @property
    def first(self) -> Seat:
        """Who moved first."""
        return 2 if self.tag("First") == "2" else 1

    def mover(self, turn: int) -> Seat:
        """Return the player of a turn, counted from 1."""
        return self.first if turn % 2 else other(self.first)

    @property
    def names(self) -> tuple[str, str]:
        """The players' names."""
        return self.tag("Player1", "Player 1"), self.tag("Player2", "Player 2")

    @property
    def kinds(self) -> tuple[str, str]:
        """Who chose the moves: a human, or a kind of computer player."""
        return self.tag("Kind1", "human"), self.tag("Kind2", "human")

    @property
    def winner(self) -> Seat | None:
        """Who won, or None if the game is unfinished."""
        return {"1-0": 1, "0-1": 2}.get(self.result)  # type: ignore[return-value]  # a Seat

    @property
    def wrong_number(self) -> int | None:
        """The wrong number that forfeited the game, if one did."""
        found = _WRONG_NUMBER.fullmatch(self.tag("Termination"))
        return read_number(found[1]) if found else None

    @property
    def fault(self) -> str:
        """What went wrong with the engine that lost the game; empty if nothing did."""
        found = _FAULT.fullmatch(self.tag("Termination"))
        return found[1] if found else ""

    def positions(self) -> Iterator[Position]:
        """Yield the position before the first move and after each move."""
        position = self.start
        yield position
        for move in self.moves:
            position = self.game.play(position, move)
            yield position
