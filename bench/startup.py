"""Benchmark the startup time of the command."""

import os
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import pexpect

from bench.timing import Result, command_seconds, seconds, side_by_side

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


def full_screen_against_textual() -> Result:
    """Compare the time until the start menu is drawn with ``import textual``."""
    textual = [sys.executable, "-c", "import textual.app, textual.widgets"]
    with TemporaryDirectory() as home:
        runs = [(seconds(lambda: _open_menu(home)), command_seconds(textual)) for _ in range(10)]
    ours, theirs = (min(run[at] for run in runs) for at in (0, 1))
    return Result(
        "Start menu of the full screen against `import textual.app, textual.widgets`",
        f"{ours / theirs:.1f} times as long ({ours * 1000:.0f} ms, {theirs * 1000:.0f} ms)",
        "within 0.6 s",
        ours <= 0.6,
    )


def _open_menu(home: str) -> None:
    """Start ``duel`` on a terminal, and wait until it has drawn the last entry of the menu."""
    environment = {"HOME": home, "PATH": os.environ["PATH"], "TERM": "xterm-256color"}
    screen = pexpect.spawn(
        DUEL, env={**environment, "LC_ALL": "C.UTF-8"}, dimensions=(24, 80), encoding="utf-8"
    )
    screen.expect("Quit")
    screen.close(force=True)
