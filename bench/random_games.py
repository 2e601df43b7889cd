"""Benchmark the rules: play random games."""

from random import Random

from bench.timing import Result, seconds
from divisorduel import game

GAMES = 10_000


def ten_thousand_games() -> Result:
    """Play 10,000 random games of chain to the end."""
    moves = 0

    def play() -> None:
        nonlocal moves
        g, rng = game("chain"), Random(1)
        for _ in range(GAMES):
            position = g.start()
            while options := tuple(g.moves(position)):
                position = g.play(position, rng.choice(options))
                moves += 1

    took = seconds(play)
    return Result(
        f"{GAMES:,} random games of `chain` 2-50",
        f"{took:.1f} s ({moves / took:,.0f} moves per second)",
        "under 10 s",
        took < 10,
    )
