"""The errors of the library. Each has a sentence for a person and a stable code for a program."""

from typing import Self

from divisorduel.rules.refusal import Refusal


class DuelError(ValueError):
    """Something that the library refuses to do."""

    code: str = "refused"
    """Names the kind of error for programs; it never changes."""


class BoardError(DuelError):
    """A game or a board that does not exist or is outside the limits."""

    code = "bad-board"


class NotANumber(DuelError):
    """Text that is not a number, so it cannot be a move."""

    code = "not-a-number"


class IllegalMove(DuelError):
    """A number that the position does not allow."""

    code = "illegal-move"

    def __init__(self, reason: str, refusal: Refusal) -> None:
        super().__init__(reason)
        self.refusal = refusal

    def __reduce__(self) -> tuple[type[Self], tuple[str, Refusal]]:
        """Let the error travel between processes."""
        return type(self), (str(self), self.refusal)


class CodeError(DuelError):
    """A position code that cannot be read."""

    code = "bad-position-code"
