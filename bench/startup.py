"""Benchmark the startup time of the command."""

import sys
from pathlib import Path

from bench.timing import Result, side_by_side

DUEL = str(Path(sys.executable).with_name("duel"))
SCRIPT = str(Path(__file__).parents[1] / "scripts" / "duel")


def help_against_python() -> Result:
    """Compare ``duel --help`` with an empty Python program."""
    ours, python = side_by_side([DUEL, "--help"], [sys.executable, "-c", "pass"])
    return Result(
        "`duel --help` against `python -c pass`",
        f"{ours / python:.1f} times as long ({ours * 1000:.0f} ms, {python * 1000:.0f} ms)",
        "at most 8 times",
        ours / python <= 8,
    )


def script_against_command() -> Result:
    """Compare the second start of ``scripts/duel`` with the installed command."""
    script, ours = side_by_side([SCRIPT, "--version"], [DUEL, "--version"])
    return Result(
        "Startup of `scripts/duel` against the installed command",
        f"{(script - ours) * 1000:.0f} ms more",
        "at most 300 ms more",
        script - ours <= 0.3,
    )
