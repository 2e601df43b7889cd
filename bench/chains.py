"""Benchmark chain games against matching libraries."""

import subprocess
import sys
from collections.abc import Callable
from itertools import pairwise
from statistics import fmean

from bench.peers import lemon_matching, networkx_matching, rustworkx_matching
from bench.timing import Result, seconds
from divisorduel import game
from divisorduel.rules.pool_game import PoolGame
from divisorduel.solve.budget import Budget
from divisorduel.solve.chain_solver import SOLVER, matching_of
from divisorduel.solve.solver import solve
from divisorduel.solve.verdict import Verdict

PEER_SECONDS = 60.0
"""How many seconds a slow library may take."""

TEN_MILLION = """
import resource, time
from divisorduel import game
from divisorduel.solve.solver import solve
begin = time.perf_counter()
verdict = solve(game("chain", to=10_000_000))
took = time.perf_counter() - begin
assert verdict.proven
print(took, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


def chain_against_lemon() -> Result:
    """Solve chain 2-1,000,000 with all winning first moves, against LEMON on the same graph."""
    n = 1_000_000
    runs = [(_solved(n), lemon_matching(n)) for _ in range(3)]
    ours, theirs = min(run[0][0] for run in runs), min(run[1][0] for run in runs)
    (_, verdict), (_, size, missable, total) = runs[0]
    assert (missable, total) == (len(verdict.winning_moves), sum(verdict.winning_moves))
    assert size == _size(n)
    return _ratio(f"`chain` 2-{n:,} against LEMON `MaxMatching`", ours, theirs, 5)


def chain_against_networkx_and_rustworkx() -> Result:
    """Solve the largest chain that NetworkX or rustworkx matches within a minute."""
    n, which, theirs = max(_largest(networkx_matching), _largest(rustworkx_matching))
    ours = min(_solved(n)[0] for _ in range(3))
    return _ratio(f"`chain` 2-{n:,} against {which}", ours, theirs, 1000)


def chain_of_ten_million() -> Result:
    """Solve chain 2-10,000,000 in a separate process."""
    command = [sys.executable, "-c", TEN_MILLION]
    printed = subprocess.run(command, capture_output=True, check=True, text=True).stdout.split()
    took, peak = float(printed[0]), int(printed[1]) / 2**20
    return Result(
        "`chain` 2-10,000,000, all winning first moves",
        f"{took:.1f} s, {peak:.1f} GiB",
        "under 8 GiB",
        peak < 8,
    )


def chain_scaling() -> Result:
    """Solve chains of 10,000 numbers and of 10, 100 and 1,000 times as many.

    The sizes alternate and the means are compared, so a busy phase of the machine affects all of
    them. The best of several runs would favour small sizes: short runs find an idle moment sooner.
    """
    rounds = [[_solved(10**k)[0] for k in range(4, 8)] for _ in range(12)]
    times = [fmean(took) for took in zip(*rounds, strict=True)]
    ratio = max(large / small for small, large in pairwise(times))
    return Result(
        "`chain` 2-10,000 to 2-10,000,000: time for ten times the numbers",
        f"{ratio:.1f} times at most ({', '.join(f'{took:.3f}' for took in times)} s)",
        "at most 15 times",
        ratio <= 15,
    )


def _solved(n: int) -> tuple[float, Verdict]:
    """Solve a chain from 2 to n without caches. Return the seconds and the verdict."""
    SOLVER.clear_cache()
    found: list[Verdict] = []
    return seconds(lambda: found.append(solve(game("chain", to=n)))), found[0]


def _size(n: int) -> int:
    g = game("chain", to=n)
    assert isinstance(g, PoolGame)
    return len(matching_of(g, g.start(), Budget()).pairs)


def _largest(matching: Callable[[int], int]) -> tuple[int, str, float]:
    """Return the largest board that a library matches in time, its name, and the seconds."""
    n, took = 500, 0.0
    # The time that these libraries take grows with the square or the cube of the size.
    while took * 4 < PEER_SECONDS:
        n *= 2
        size: list[int] = []
        took = seconds(lambda n=n, size=size: size.append(matching(n)))  # type: ignore[misc]
        assert size[0] == _size(n)
    name = matching.__name__.removesuffix("_matching")
    return n, f"{name} `max_weight_matching`", took


def _ratio(benchmark: str, ours: float, theirs: float, target: int) -> Result:
    return Result(
        benchmark,
        f"{theirs / ours:.1f} times faster ({ours:.3f} s, {theirs:.1f} s)",
        f"at least {target} times",
        theirs / ours >= target,
    )
