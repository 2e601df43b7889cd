"""How fast the kernel finds nimbers: against Python, on large boards, and in little memory."""

import json
import subprocess

from bench.solvers import DUEL
from bench.timing import Result, seconds
from divisorduel import game
from divisorduel.rules.pool_game import PoolGame
from divisorduel.solve.native.native_nimbers import NativeNimbers
from divisorduel.solve.nimbers import Nimbers
from divisorduel.solve.verdict import Budget

LARGE = (("antichain", 84, 1.5), ("divider", 45, 1.5), ("antichain", 93, 8), ("divider", 51, 20))
"""Boards, and about how many seconds they should take on one core of a quiet machine."""


def antichain_against_python() -> Result:
    """Find the nimber of antichain 2-60 by the kernel and in Python."""
    return _against_python("antichain", 60)


def divider_against_python() -> Result:
    """Find the nimber of divider 2-38 by the kernel and in Python."""
    return _against_python("divider", 38)


def _against_python(key: str, to: int) -> Result:
    g = game(key, to=to)
    assert isinstance(g, PoolGame)
    found: set[int] = set()

    def solve(by: type[Nimbers] | type[NativeNimbers]) -> float:
        return seconds(lambda: found.add(by(g).nimber(g.pool, Budget())))

    # The kernel's are short, and need a quiet moment of the machine: before or after the other.
    before = min(solve(NativeNimbers) for _ in range(5))
    theirs = solve(Nimbers)
    ours = min(before, *(solve(NativeNimbers) for _ in range(5)))
    assert len(found) == 1
    return Result(
        f"nimber of `{key}` 2-{to} against the solver in Python",
        f"{theirs / ours:.0f} times faster ({ours:.3f} s, {theirs:.1f} s)",
        "at least 100 times",
        theirs / ours >= 100,
    )


def large_boards_on_one_core() -> Result:
    """Solve large boards with all winning first moves, the whole command included."""
    took = [_command(key, to)[0] for key, to, _ in LARGE]
    told = [f"`{key}` {to} {s:.1f} s" for (key, to, _), s in zip(LARGE, took, strict=True)]
    return Result(
        "`duel solve --threads 1` on large boards, the whole command",
        ", ".join(told),
        "for orientation " + ", ".join(f"{aim:g} s" for _, _, aim in LARGE),
        all(s <= aim for (_, _, aim), s in zip(LARGE, took, strict=True)),
    )


def threads_on_one_table() -> Result:
    """Solve a large board with one thread and with two."""
    (one, first), (two, second) = _command("antichain", 93), _command("antichain", 93, threads=2)
    assert first == second
    return Result(
        "`duel solve antichain --to 93` with two threads over one table",
        f"{one / two:.2f} times faster ({two:.1f} s, {one:.1f} s)",
        "faster",
        two < one,
    )


def nimbers_in_64_mib() -> Result:
    """Solve a board whose positions need more memory than there is."""
    (free, expected), (tight, found) = (
        _command("antichain", 95),
        _command("antichain", 95, "--memory", "64M"),
    )
    return Result(
        "`duel solve antichain --to 95 --memory 64M`, against no ceiling",
        f"{'the same' if found == expected else 'ANOTHER'} answer, "
        f"{tight / free:.1f} times as late ({tight:.0f} s, {free:.0f} s)",
        "the same answer",
        found == expected,
    )


def _command(key: str, to: int, *more: str, threads: int = 1) -> tuple[float, object]:
    """Return the seconds that a command takes, and its answer."""
    words = [DUEL, "solve", key, "--to", str(to), "--threads", str(threads), "--json", *more]
    printed: list[str] = []

    def run() -> None:
        done = subprocess.run(words, capture_output=True, check=True, text=True)
        printed.append(done.stdout)

    took = seconds(run)
    answer = json.loads(printed[0])
    return took, (answer["nimber"], answer["winning_moves"])
