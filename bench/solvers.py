"""Benchmark the solvers: cold starts, moves in play, and a plain search."""

import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random

from bench.peers import PlainNimbers
from bench.strength import default_board
from bench.timing import Result, seconds, side_by_side
from divisorduel import Game, game, rule_book_keys
from divisorduel.play.players import Judge, PerfectPlayer, RandomPlayer
from divisorduel.rules.pool_game import PoolGame
from divisorduel.solve.budget import Budget
from divisorduel.solve.nimbers import Nimbers, nimbers_of

DUEL = str(Path(sys.executable).with_name("duel"))


def _pool(key: str, to: int) -> PoolGame:
    found = game(key, to=to)
    assert isinstance(found, PoolGame)
    return found


def default_boards_from_a_cold_start() -> Result:
    """Solve every default board with the installed command."""
    slowest, which = 0.0, ""
    for key in rule_book_keys():
        command = [DUEL, "solve", key, *(["--number", "720720"] if key == "descent" else [])]
        took, _ = side_by_side(command, [sys.executable, "-c", "pass"], times=3)
        if took > slowest:
            slowest, which = took, key
    return Result(
        "`duel solve` on each default board, cold start",
        f"{slowest:.2f} s at most ({which})",
        "under 0.4 s",
        slowest < 0.4,
    )


def later_moves_in_play() -> Result:
    """Find the perfect move in every position of games against a random player."""
    slowest = 0.0
    for key in rule_book_keys():
        g = default_board(key)
        judge = Judge()
        judge.verdict(g, g.start())
        slowest = max([slowest, *_answers(g, PerfectPlayer(judge))])
    return Result(
        "Moves of the perfect player after the first one, all games",
        f"{slowest * 1000:.0f} ms at most",
        "under 100 ms",
        slowest < 0.1,
    )


def _answers(g: Game, perfect: PerfectPlayer) -> Iterator[float]:
    rng = Random(3)
    for _ in range(10):
        position = g.play(g.start(), RandomPlayer().choose(g, g.start(), rng))
        while not g.is_over(position):
            yield seconds(lambda at=position: perfect.choose(g, at, rng))  # type: ignore[misc]
            position = g.play(position, RandomPlayer().choose(g, position, rng))


def antichain_against_plain_search() -> Result:
    """Find the nimber of antichain 2-36, with and without components."""
    return _against_plain("antichain", 36)


def divider_against_plain_search() -> Result:
    """Find the nimber of divider 2-30, with and without components."""
    return _against_plain("divider", 30)


def _against_plain(key: str, to: int) -> Result:
    g = _pool(key, to)
    nimbers_of.cache_clear()
    found: list[int] = []
    ours = seconds(lambda: found.append(Nimbers(g).nimber(g.pool, Budget())))
    theirs = seconds(lambda: found.append(PlainNimbers(g).of(g.pool)))
    assert found[0] == found[1]
    return Result(
        f"`{key}` 2-{to} against a plain memoised search",
        f"{theirs / ours:.0f} times faster ({ours:.2f} s, {theirs:.1f} s)",
        "at least 5 times",
        theirs / ours >= 5,
    )
