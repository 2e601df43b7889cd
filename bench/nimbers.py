"""Benchmark the nimber search of the kernel: against Python, on large boards, in little memory."""

import json
import subprocess

from bench.solvers import DUEL
from bench.timing import Result, seconds
from divisorduel import game
from divisorduel.rules.pool_game import PoolGame
from divisorduel.solve.budget import Budget
from divisorduel.solve.native.native_nimbers import NativeNimbers
from divisorduel.solve.nimbers import Nimbers

LARGE = (("antichain", 84, 1.5), ("divider", 45, 1.5), ("antichain", 93, 8), ("divider", 51, 20))
"""Boards, and the target in seconds for one core of an idle machine."""


def antichain_against_python() -> Result:
    """Find the nimber of antichain 2-60 with the kernel and in Python."""
    return _against_python("antichain", 60)


def divider_against_python() -> Result:
    """Find the nimber of divider 2-38 with the kernel and in Python."""
    return _against_python("divider", 38)


def _against_python(key: str, to: int) -> Result:
    g = game(key, to=to)
    assert isinstance(g, PoolGame)
    found: set[int] = set()

    def solve(by: type[Nimbers] | type[NativeNimbers]) -> float:
        return seconds(lambda: found.add(by(g).nimber(g.pool, Budget())))

    # The kernel's runs are short: try several, before and after Python's, to catch an idle moment.
    before = min(solve(NativeNimbers) for _ in range(5))
    theirs = solve(Nimbers)
    ours = min(before, *(solve(NativeNimbers) for _ in range(5)))
    assert len(found) == 1
    return Result(
        f"Nimber of `{key}` 2-{to}, kernel against Python",
        f"{theirs / ours:.0f} times faster ({ours:.3f} s, {theirs:.1f} s)",
        "at least 100 times",
        theirs / ours >= 100,
    )


def large_boards_on_one_core() -> Result:
    """Run the whole command on large boards, with all winning first moves."""
    took = [_command(key, to)[0] for key, to, _ in LARGE]
    times = [f"`{key}` {to} {s:.1f} s" for (key, to, _), s in zip(LARGE, took, strict=True)]
    return Result(
        "`duel solve --threads 1` on large boards, whole command",
        ", ".join(times),
        "at most " + ", ".join(f"{target:g} s" for _, _, target in LARGE),
        all(s <= target for (_, _, target), s in zip(LARGE, took, strict=True)),
    )


def two_threads_against_one() -> Result:
    """Solve a large board with one thread and with two."""
    (one, first), (two, second) = _command("antichain", 93), _command("antichain", 93, threads=2)
    assert first == second
    return Result(
        "`duel solve antichain --to 93`, two threads against one",
        f"{one / two:.2f} times faster ({two:.1f} s, {one:.1f} s)",
        "faster",
        two < one,
    )


def nimbers_in_64_mib() -> Result:
    """Solve a board whose positions do not fit in the memory limit."""
    (unlimited, expected), (limited, found) = (
        _command("antichain", 95),
        _command("antichain", 95, "--memory", "64M"),
    )
    return Result(
        "`duel solve antichain --to 95 --memory 64M` against no memory limit",
        f"{'same' if found == expected else 'DIFFERENT'} answer, "
        f"{limited / unlimited:.1f} times as long ({limited:.0f} s, {unlimited:.0f} s)",
        "same answer",
        found == expected,
    )


def _command(key: str, to: int, *more: str, threads: int = 1) -> tuple[float, object]:
    """Run `duel solve`. Return the seconds it took and its answer."""
    command = [DUEL, "solve", key, "--to", str(to), "--threads", str(threads), "--json", *more]
    printed: list[str] = []

    def run() -> None:
        done = subprocess.run(command, capture_output=True, check=True, text=True)
        printed.append(done.stdout)

    took = seconds(run)
    answer = json.loads(printed[0])
    return took, (answer["nimber"], answer["winning_moves"])
