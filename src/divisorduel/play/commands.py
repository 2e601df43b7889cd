"""What a player can ask of a session."""

from dataclasses import dataclass

from divisorduel.play.events import Seat
from divisorduel.rules.errors import NotANumber
from divisorduel.rules.numbers import MANY_DIGITS, is_whole


@dataclass(frozen=True, slots=True)
class Take:
    """Select a number. It may be a wrong one: the rule book says what happens then.

    Numbers too large for any board are all the same one. Raises `NotANumber` for what is none.
    """

    number: int

    def __post_init__(self) -> None:
        """Check that a person could have written the number."""
        if not is_whole(self.number) or self.number < 0:
            raise NotANumber(f"{self.number!r} is not a number.")
        object.__setattr__(self, "number", min(self.number, 10**MANY_DIGITS))


@dataclass(frozen=True, slots=True)
class Forfeit:
    """Give up the game that is being played, for the player to move unless told for whom."""

    by: Seat | None = None
    reason: str = ""
    """A sentence, if there is more to say than that they gave up."""


@dataclass(frozen=True, slots=True)
class Undo:
    """Take back the last move, whoever made it."""


@dataclass(frozen=True, slots=True)
class Redo:
    """Make the move again that was taken back last."""


@dataclass(frozen=True, slots=True)
class Rematch:
    """Go on with as many rounds again after the last one."""


Command = Take | Forfeit | Undo | Redo | Rematch
