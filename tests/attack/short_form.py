"""Runs the short form of a campaign."""

import time
from pathlib import Path

from attack.campaign import Context, run

SECONDS = 600.0
"""A backstop: the short forms are bounded by what they try, so none fails on a busy machine."""


def run_short(name: str, folder: Path, seed: int = 1) -> Context:
    """Run the short form of a campaign; fail with a description of what went wrong."""
    context = Context(name, seed, folder, time.monotonic() + SECONDS, full=False)
    run(context)
    assert not context.failures, "\n".join(map(str, context.failures))
    assert context.tried
    return context
