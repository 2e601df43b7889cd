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


class MissingExtra(DuelError):
    """An optional dependency is not installed. The message has the command that installs it."""

    code = "missing-extra"

    def __init__(self, purpose: str, extra: str) -> None:
        import shlex
        import sys
        from importlib.util import find_spec

        # It goes into the environment that is running: that of an install, or that of a clone. An
        # environment that uv made has no pip.
        python = shlex.quote(sys.executable)
        uv = f"uv pip install --python {python}"
        pip = f"{python} -m pip install" if find_spec("pip") else uv
        super().__init__(
            f"{purpose} needs the extra '{extra}'. Install it: {pip} 'divisorduel[{extra}]'"
        )
        self.extra = extra
