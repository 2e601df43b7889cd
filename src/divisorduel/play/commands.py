"""What a player can ask for. `decide` says what comes of it."""

from dataclasses import dataclass

from divisorduel.rules.errors import NotANumber
from divisorduel.rules.numbers import MANY_DIGITS, is_whole


@dataclass(frozen=True, slots=True)
class Take:
    """Take a number, legal or not: the rule book says what a wrong one costs.

    Numbers too large for any board count as the same number. Raises `NotANumber` for anything but
    a whole number from 0.
    """

    number: int

    def __post_init__(self) -> None:
        """Check the number, and cap it."""
        if not is_whole(self.number) or self.number < 0:
            raise NotANumber(f"{self.number!r} is not a number.")
        object.__setattr__(self, "number", min(self.number, 10**MANY_DIGITS))


@dataclass(frozen=True, slots=True)
class Forfeit:
    """Give up the current round."""


@dataclass(frozen=True, slots=True)
class Undo:
    """Take back the player's last move and all moves since; on a shared screen, the last move."""


@dataclass(frozen=True, slots=True)
class Redo:
    """Make the move again that was undone last."""


@dataclass(frozen=True, slots=True)
class Rematch:
    """Add as many rounds as were agreed on at first, once the match is over."""


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
    """Win the round of an opponent who has left; the caller checks that they have."""


@dataclass(frozen=True, slots=True)
class CallOff:
    """End a match that the opponent has not joined."""


Command = Take | Forfeit | Undo | Redo | Rematch | Join | Accept | Decline | Claim | CallOff
