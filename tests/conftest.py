"""What tests of several rooms need."""

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from divisorduel import Game, game, keys

# Runs are repeatable, and a slow machine fails no test.
settings.register_profile(
    "repeatable", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("repeatable")

DUEL = str(Path(sys.executable).with_name("duel"))
"""The installed command."""


@dataclass(frozen=True)
class Duel:
    """The installed command, with a data folder of its own."""

    home: Path

    @property
    def matches(self) -> list[Path]:
        """The matches it has kept."""
        return sorted((self.home / "divisorduel" / "matches").glob("*"))

    def environment(self, **changes: str) -> dict[str, str]:
        kept = {name: os.environ[name] for name in ("PATH", "SYSTEMROOT") if name in os.environ}
        return {**kept, "HOME": str(self.home), "XDG_DATA_HOME": str(self.home), **changes}

    def run(
        self, *words: str | Path, typed: str | bytes = "", **changes: str
    ) -> "subprocess.CompletedProcess[str]":
        """Run the command with piped input and return what it printed."""
        data = typed.encode() if isinstance(typed, str) else typed
        done = subprocess.run(
            [DUEL, *map(str, words)],
            input=data,
            capture_output=True,
            env=self.environment(**changes),
            cwd=self.home,
            timeout=60,
            check=False,
        )
        return subprocess.CompletedProcess(
            done.args,
            done.returncode,
            done.stdout.decode("utf-8", "backslashreplace"),
            done.stderr.decode("utf-8", "backslashreplace"),
        )


@pytest.fixture
def duel(tmp_path: Path) -> Duel:
    """Give a test the installed command."""
    return Duel(tmp_path)


def default_game(key: str) -> Game:
    """Return a game on its default board; descent, which has none, starts from 720."""
    return game(key, number=720) if key == "descent" else game(key)


def small_game(key: str) -> Game:
    """Return a game that can be searched to the end."""
    boards: dict[str, dict[str, int]] = {"evens": {"to": 12}, "descent": {"number": 72}}
    return game(key, **boards.get(key, {"to": 8}))


ALL_KEYS = keys()


@pytest.fixture
def all_keys() -> tuple[str, ...]:
    """Return the keys of all rule books."""
    return ALL_KEYS
