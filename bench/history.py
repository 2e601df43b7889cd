"""Benchmark the history: list and count 10,000 saved games."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from bench.timing import Result, seconds
from divisorduel import Heading, Match, Take, decide, game, match_to_records, write_records

DUEL = str(Path(sys.executable).with_name("duel"))
GAMES = 10_000
BOARDS = (("chain", 50), ("evens", 20), ("antichain", 30), ("divider", 9), ("juniper", 40))


def list_of_ten_thousand_games() -> Result:
    """List the last games of 10,000, and all of them."""
    with _home() as environment:
        first = _time(["history"], environment)
        again = min(_time(["history"], environment) for _ in range(5))
        everything = min(_time(["history", "--all"], environment) for _ in range(3))
    return Result(
        f"`duel history` with {GAMES:,} saved games",
        f"{again:.2f} s; `--all` {everything:.2f} s; without an index {first:.1f} s",
        "under 1 s",
        again < 1,
    )


def statistics_of_ten_thousand_games() -> Result:
    """Count 10,000 games that have been judged."""
    with _home() as environment:
        first = _time(["stats", "--budget", "3600"], environment)
        again = min(_time(["stats"], environment) for _ in range(5))
    return Result(
        f"`duel stats` with {GAMES:,} saved games",
        f"{again:.2f} s; the first time, to read and to judge all of them, {first:.0f} s",
        "under 1 s",
        again < 1,
    )


def _time(words: list[str], environment: dict[str, str]) -> float:
    command = [DUEL, *words]
    return seconds(
        lambda: subprocess.run(command, capture_output=True, check=True, env=environment)
    )


@contextmanager
def _home() -> Iterator[dict[str, str]]:
    """Save random games against the computer in a new folder; yield the environment to use it."""
    rng = Random(1)
    with TemporaryDirectory() as home:
        folder = Path(home) / "divisorduel" / "matches"
        folder.mkdir(parents=True)
        for number in range(GAMES):
            name = f"m{number:05}"
            records = match_to_records(_random_match(rng), Heading(name, "2026-11-16"))
            file = folder / f"{name}.duel"
            file.write_text(write_records(records))
            os.utime(file, (1_700_000_000 + number * 600,) * 2)
        yield {**os.environ, "XDG_DATA_HOME": home, "HOME": home}


def _random_match(rng: Random) -> Match:
    key, to = rng.choice(BOARDS)
    level = str(rng.randint(1, 10))
    match = Match.of(game(key, to=to), names=("Ann", f"Level {level}"), kinds=("human", level))
    while not match.over:
        move = match.game.random_move(match.current.position, rng)
        match = decide(match, match.current.to_move, Take(move)).match
    return match
