"""How this program is installed: what a person types to run it, and how to add an extra to it."""

import os
import shlex
import sys
from importlib.util import find_spec

from divisorduel.rules.errors import DuelError


def program() -> str:
    """Return the command that a person types to run this program."""
    return os.environ.get("DUEL_COMMAND") or "duel"


class MissingExtra(DuelError):
    """An optional dependency is not installed. The message has the command that installs it."""

    code = "missing-extra"

    def __init__(self, purpose: str, extra: str) -> None:
        # An environment that uv made has no pip of its own.
        python = shlex.quote(sys.executable)
        pip = (
            f"{python} -m pip install" if find_spec("pip") else f"uv pip install --python {python}"
        )
        super().__init__(f"{purpose} needs an extra. Install it: {pip} 'divisorduel[{extra}]'")
        self.extra = extra
