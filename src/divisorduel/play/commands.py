"""The commands that a player can give. `decide` says what each of them does."""

from dataclasses import dataclass

from divisorduel.rules.errors import NotANumber
from divisorduel.rules.numbers import MANY_DIGITS, is_whole


@dataclass(frozen=True, slots=True)
class Take:
    """Take a number, legal or not: the rule book decides what an illegal one costs.

    Numbers too large for any board count as the same number. Raises `NotANumber` unless it is a
    whole number, 0 or more.
    """

    number: int

    def __post_init__(self) -> None:
        """Check the number, and cap it."""
        if not is_whole(self.number):
            raise NotANumber(f"{self.number!r} is not valid. Use a whole number such as 20.")
        if self.number < 0:  # not shown: it may have more digits than Python writes
            raise NotANumber("A negative number is not valid. Use a whole number such as 20.")
        object.__setattr__(self, "number", min(self.number, 10**MANY_DIGITS))


@dataclass(frozen=True, slots=True)
class Forfeit:
    """Give up the current round."""


@dataclass(frozen=True, slots=True)
class Undo:
    """Take back the player's last move and all moves since; on a shared screen, the last move."""


@dataclass(frozen=True, slots=True)
class Redo:
    """Repeat the move that was undone last."""


@dataclass(frozen=True, slots=True)
class Rematch:
    """Once the match is over, play as many rounds again as the players first agreed on."""


@dataclass(frozen=True, slots=True)
class Join:
    """Take the seat; an empty name keeps the seat's name."""

    name: str = ""


@dataclass(frozen=True, slots=True)
class Accept:
    """Accept the opponent's offer."""


@dataclass(frozen=True, slots=True)
class Decline:
    """Decline the opponent's offer, or withdraw the player's own."""


@dataclass(frozen=True, slots=True)
class Claim:
    """Win the round because the opponent has left; the caller checks that they have."""


@dataclass(frozen=True, slots=True)
class CallOff:
    """End a match that the opponent has not joined."""


Command = Take | Forfeit | Undo | Redo | Rematch | Join | Accept | Decline | Claim | CallOff
