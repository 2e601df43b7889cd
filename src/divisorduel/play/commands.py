"""What a player can ask of a session."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Take:
    """Select a number. It may be a wrong one: the rule book says what happens then."""

    number: int


@dataclass(frozen=True, slots=True)
class Forfeit:
    """Give up the game that is being played."""


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
