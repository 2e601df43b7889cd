"""The errors of the library. Each has a sentence for a person and a stable code for a program."""

from collections.abc import Iterable
from typing import Self

from divisorduel.rules.refusal import Refusal


def one_of(names: Iterable[str]) -> str:
    """Return a list such as ``any, even or low``, for a sentence that says what to use."""
    *others, last = names
    return f"{', '.join(others)} or {last}" if others else last


def in_seconds(count: float) -> str:
    """Return a time such as ``1 second`` or ``2.5 seconds``, for a sentence."""
    return f"{count:.10g} second{'' if count == 1 else 's'}"


class DuelError(ValueError):
    """Something that the library refuses to do."""

    code: str = "refused"
    """Names the kind of error for programs; it never changes."""


class BoardError(DuelError):
    """A game or a board that does not exist or is outside the limits."""

    code = "bad-board"


class NotANumber(DuelError):
    """Text that is not a whole number in digits, so it cannot be a move."""

    code = "not-a-number"


class IllegalMove(DuelError):
    """A number that the position does not allow."""

    code = "illegal-move"

    def __init__(self, reason: str, refusal: Refusal) -> None:
        super().__init__(reason)
        self.refusal = refusal

    def __reduce__(self) -> tuple[type[Self], tuple[str, Refusal]]:
        """Make the error picklable, so that it can be sent to another process."""
        return type(self), (str(self), self.refusal)


class CodeError(DuelError):
    """A position code that cannot be read."""

    code = "bad-position-code"


class MissingExtra(DuelError):
    """An optional dependency is not installed. The message has the command that installs it."""

    code = "missing-extra"

    def __init__(self, purpose: str, extra: str) -> None:
        import shlex
        import sys
        from importlib.util import find_spec

        # Install into the environment that is running. An environment made by uv has no pip.
        python = shlex.quote(sys.executable)
        uv = f"uv pip install --python {python}"
        pip = f"{python} -m pip install" if find_spec("pip") else uv
        super().__init__(
            f"{purpose} needs the extra '{extra}'. Install it: {pip} 'divisorduel[{extra}]'"
        )
        self.extra = extra
