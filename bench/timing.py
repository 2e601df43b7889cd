"""What all benchmarks share."""

import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Result:
    """What was measured, in words."""

    what: str
    measured: str
    aim: str
    reached: bool


def seconds(run: Callable[[], object]) -> float:
    """Return how long something takes."""
    begin = time.perf_counter()
    run()
    return time.perf_counter() - begin


def side_by_side(one: list[str], two: list[str], times: int = 20) -> tuple[float, float]:
    """Run two commands in turns and return the shortest time of each."""
    runs = [(_command(one), _command(two)) for _ in range(times)]
    return min(run[0] for run in runs), min(run[1] for run in runs)


def _command(words: list[str]) -> float:
    return seconds(lambda: subprocess.run(words, capture_output=True, check=True))
