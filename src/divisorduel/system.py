"""The command that starts this program, and the machine it runs on."""

import os
import shlex


def program() -> str:
    """Return the command that a person types to run this program, quoted for a shell."""
    return shlex.quote(os.environ.get("DUEL_COMMAND") or "duel")


def cores() -> int:
    """Return how many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
