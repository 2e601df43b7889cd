"""Timing, and the result of a benchmark."""

import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Result:
    """One row of the table of results."""

    benchmark: str
    measured: str
    target: str
    met: bool


def seconds(run: Callable[[], object]) -> float:
    """Return how many seconds a call takes."""
    begin = time.perf_counter()
    run()
    return time.perf_counter() - begin


def side_by_side(one: list[str], two: list[str], times: int = 20) -> tuple[float, float]:
    """Run two commands alternately and return the shortest time of each."""
    runs = [(command_seconds(one), command_seconds(two)) for _ in range(times)]
    return min(run[0] for run in runs), min(run[1] for run in runs)


def command_seconds(command: list[str]) -> float:
    """Return how many seconds a command takes."""
    return seconds(lambda: subprocess.run(command, capture_output=True, check=True))
