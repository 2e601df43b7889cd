"""The machine and the installation that this program runs on."""

import os
import sys

from divisorduel.rules.errors import DuelError


def program() -> str:
    """Return the command that a person types to run this program."""
    return os.environ.get("DUEL_COMMAND") or "duel"


def cores() -> int:
    """Return how many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class MissingExtra(DuelError):
    """An optional dependency is not installed. The message has the command that installs it."""

    code = "missing-extra"

    def __init__(self, purpose: str, extra: str) -> None:
        import shlex
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
