"""The errors of the library. Each message is a sentence that can be shown to a person."""


class DuelError(ValueError):
    """Whatever the library refuses."""


class BoardError(DuelError):
    """A game or a board that does not exist, or lies outside the stated limits."""


class NotANumber(DuelError):
    """Text that is no number, and so no move at all."""


class IllegalMove(DuelError):
    """A number that the position does not allow."""


class CodeError(DuelError):
    """A position code that cannot be read."""
