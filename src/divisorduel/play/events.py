"""What can happen in a match. A match is the sum of its events."""

from dataclasses import dataclass
from typing import Literal

Seat = Literal[1, 2]
"""Player 1 or Player 2."""
OfferKind = Literal["undo", "rematch"]
Ending = Literal["off", "expired"]


@dataclass(frozen=True, slots=True)
class NumberTaken:
    """The player to move took a number; `again` if this redoes a move."""

    number: int
    again: bool = False


@dataclass(frozen=True, slots=True)
class MoveUndone:
    """The last move was taken back."""

    number: int


@dataclass(frozen=True, slots=True)
class Forfeited:
    """A player lost the round by giving up, by a wrong number, by staying away or by failing."""

    by: Seat
    wrong_number: int | None = None
    away: bool = False
    """Whether the opponent claimed the win because the player had left."""
    fault: str = ""
    """What went wrong with an engine, as in ``late``; empty if nothing did."""


@dataclass(frozen=True, slots=True)
class RoundBegan:
    """The next round began."""

    starter: Seat


@dataclass(frozen=True, slots=True)
class RoundsAdded:
    """The players agreed on a rematch."""

    rounds: int


@dataclass(frozen=True, slots=True)
class Joined:
    """A player took a seat."""

    seat: Seat
    name: str


@dataclass(frozen=True, slots=True)
class Offered:
    """A player asked for something that the opponent has to accept."""

    kind: OfferKind
    by: Seat


@dataclass(frozen=True, slots=True)
class Declined:
    """A player declined the opponent's offer or withdrew their own."""

    by: Seat


@dataclass(frozen=True, slots=True)
class Closed:
    """The match ended unfinished: it was called off, or no one played for too long."""

    why: Ending


Event = (
    NumberTaken
    | MoveUndone
    | Forfeited
    | RoundBegan
    | RoundsAdded
    | Joined
    | Offered
    | Declined
    | Closed
)
