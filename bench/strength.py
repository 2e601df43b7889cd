"""Measure the strength of the computer players."""

from math import sqrt
from random import Random

from bench.timing import Result
from divisorduel import Game, Position, game, rule_book_keys
from divisorduel.play.players import (
    GreedyPlayer,
    Judge,
    LevelPlayer,
    PerfectPlayer,
    Player,
    RandomPlayer,
)

OPPONENTS: tuple[Player, ...] = (
    RandomPlayer(),
    GreedyPlayer(),
    *(LevelPlayer(level) for level in (1, 4, 7, 10)),
)


def default_board(key: str) -> Game:
    """Return the default board of a game; for descent, which has none, 720720."""
    return game(key, number=720720) if key == "descent" else game(key)


def won_games_lost(key: str, games: int, seed: int = 0) -> int:
    """Let the perfect player continue from won positions, and count the games it loses."""
    rng, g, lost, played = Random(seed), default_board(key), 0, 0
    judge = Judge()
    while played < games:
        position = g.start()
        for _ in range(rng.randrange(6)):
            if not g.is_over(position):
                position = g.play(position, RandomPlayer().choose(g, position, rng))
        if judge.verdict(g, position).winner == 1:
            opponent = OPPONENTS[played % len(OPPONENTS)]
            lost += not beats(g, PerfectPlayer(judge), opponent, rng, position)
            played += 1
    return lost


def beats(g: Game, one: Player, two: Player, rng: Random, position: Position | None = None) -> bool:
    """Play a game that player `one` starts, and return whether that player wins."""
    at = position or g.start()
    turn = 0
    while not g.is_over(at):
        mover = (one, two)[turn % 2]
        at = g.play(at, mover.choose(g, at, rng))
        turn += 1
    return turn % 2 == 1


def perfect_never_loses_a_won_game() -> Result:
    """Play 2,000 games of every rule book from won positions."""
    games = 2_000
    lost = {key: won_games_lost(key, games) for key in rule_book_keys()}
    return Result(
        f"`perfect` from won positions, {games:,} games per rule book",
        f"{sum(lost.values())} lost",
        "none",
        not any(lost.values()),
    )


def win_rate(g: Game, one: Player, two: Player, games: int, rng: Random) -> tuple[float, float]:
    """Return the rate at which player `one` wins, and half the width of its 95% interval.

    The players take turns to start.
    """
    won = sum(
        beats(g, one, two, rng) if at % 2 == 0 else not beats(g, two, one, rng)
        for at in range(games)
    )
    rate = won / games
    return rate, 1.96 * sqrt(max(rate * (1 - rate), 1e-9) / games)
