"""The errors of the library. Each has a sentence for a person and a stable code for a program."""

from typing import ClassVar


class DuelError(ValueError):
    """Something that the library refuses."""

    code: ClassVar[str] = "refused"
    """Says in kebab case what kind of refusal it is."""


class BoardError(DuelError):
    """A game or a board that does not exist, or lies outside the stated limits."""

    code = "bad-board"


class NotANumber(DuelError):
    """Text that is not a number, and so not a move."""

    code = "not-a-number"


class IllegalMove(DuelError):
    """A number that the position does not allow."""

    code = "illegal-move"


class CodeError(DuelError):
    """A position code that cannot be read."""

    code = "bad-code"
