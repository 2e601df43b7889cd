"""What can happen in a match. A match is the sum of its events."""

from dataclasses import dataclass
from typing import Literal

Seat = Literal[1, 2]
"""Player 1 or Player 2."""


@dataclass(frozen=True, slots=True)
class NumberTaken:
    """The player to move took a number; again, if it had been taken back before."""

    number: int
    again: bool = False


@dataclass(frozen=True, slots=True)
class MoveUndone:
    """The last move was taken back."""

    number: int


@dataclass(frozen=True, slots=True)
class Forfeited:
    """A player gave up, or selected a wrong number where that forfeits the game."""

    by: Seat
    wrong_number: int | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class RoundBegan:
    """The next round began."""

    starter: Seat


@dataclass(frozen=True, slots=True)
class RoundsAdded:
    """The players agreed to go on."""

    rounds: int


@dataclass(frozen=True, slots=True)
class Refused:
    """A command could not be carried out; nothing changed."""

    reason: str


Event = NumberTaken | MoveUndone | Forfeited | RoundBegan | RoundsAdded | Refused
