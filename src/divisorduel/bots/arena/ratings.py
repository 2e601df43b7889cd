"""Ratings of the players of an arena: Bradley-Terry, fitted to all games at once.

A player's strength is a number; the difference d of two strengths, in Elo, means that the stronger
one is expected to win 1 / (1 + 10^(-d / 400)) of the games. Only differences have a meaning, so one
player, the anchor, has 0. The intervals come from resampling the pairs of games, which are
independent of each other; the two games of a pair are not.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import exp, log
from random import Random

ELO = 400 / log(10)
"""How many Elo points make one unit of log-odds."""
PRIOR = 0.5
"""Games that are added to each side of each pairing if someone has won, or lost, all games."""
STEPS = 100
FAR = 3.0
"""The largest step of a strength in one iteration, in log-odds."""
CLOSE = 1e-10
SAMPLES = 500
"""How many times the pairs are resampled."""

Pairing = tuple[int, int]
Scores = Mapping[Pairing, Sequence[int]]
"""How many games of each pair the first player of a pairing won: 0, 1 or 2."""


@dataclass(frozen=True, slots=True)
class Rating:
    """A player's strength relative to the anchor, with its 95% interval."""

    elo: float
    low: float
    high: float


def fit(players: int, wins: Mapping[Pairing, float], anchor: int = 0) -> list[float]:
    """Return the strengths in Elo, given how often each player beat each of the others.

    If no finite strengths fit, because some players beat all others, `PRIOR` is added.
    """
    games = {pair: count for pair, count in wins.items() if count > 0}
    if not _is_connected(players, games):
        met = {pair for one, two in games for pair in ((one, two), (two, one))}
        games = {pair: games.get(pair, 0.0) + PRIOR for pair in met}
    strengths = [0.0] * players
    for _ in range(STEPS):
        step = _newton_step(strengths, games, anchor)
        longest = max(map(abs, step), default=0.0)
        scale = min(1.0, FAR / longest) if longest else 1.0
        strengths = [s + scale * d for s, d in zip(strengths, step, strict=True)]
        if longest < CLOSE:
            break
    return [ELO * s for s in strengths]


def ratings(players: int, scores: Scores, anchor: int = 0, samples: int = SAMPLES) -> list[Rating]:
    """Return the ratings of all players; the same scores always give the same intervals."""
    rng = Random(0)  # noqa: S311  # statistics, not a secret
    best = fit(players, _wins(scores), anchor)
    drawn = [
        fit(players, _wins({p: rng.choices(s, k=len(s)) for p, s in scores.items() if s}), anchor)
        for _ in range(samples)
    ]
    found = []
    for player in range(players):
        values = sorted(sample[player] for sample in drawn)
        low, high = values[int(0.025 * samples)], values[min(samples - 1, int(0.975 * samples))]
        found.append(Rating(best[player], low, high))
    return found


def _wins(scores: Scores) -> dict[Pairing, float]:
    wins: dict[Pairing, float] = {}
    for (one, two), won in scores.items():
        wins[one, two] = sum(won)
        wins[two, one] = 2 * len(won) - sum(won)
    return wins


def _is_connected(players: int, games: Mapping[Pairing, float]) -> bool:
    """Tell whether everyone has beaten everyone, directly or through others (Ford 1957)."""

    def reached(edges: list[Pairing]) -> set[int]:
        seen, waiting = {0}, [0]
        while waiting:
            at = waiting.pop()
            new = {two for one, two in edges if one == at} - seen
            seen |= new
            waiting += new
        return seen

    forward = [*games]
    backward = [(two, one) for one, two in games]
    return len(reached(forward)) == len(reached(backward)) == players


def _newton_step(
    strengths: list[float], games: Mapping[Pairing, float], anchor: int
) -> list[float]:
    """Return the step towards the most likely strengths; the anchor does not move."""
    count = len(strengths)
    slope = [0.0] * count
    curve = [[0.0] * count for _ in range(count)]
    for (one, two), wins in games.items():
        expected = 1 / (1 + exp(strengths[one] - strengths[two]))  # how surprising a win is
        weight = wins * expected * (1 - expected)
        slope[one] += wins * expected
        slope[two] -= wins * expected
        for a, b, sign in ((one, one, 1), (two, two, 1), (one, two, -1), (two, one, -1)):
            curve[a][b] += sign * weight
    slope[anchor] = 0.0
    for at in range(count):
        curve[anchor][at] = curve[at][anchor] = 0.0
        if not curve[at][at]:  # the anchor, and players without games
            curve[at][at], slope[at] = 1.0, 0.0
    return _solved(curve, slope)


def _solved(matrix: list[list[float]], right: list[float]) -> list[float]:
    """Solve a system of linear equations with a positive definite matrix."""
    rows = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    size = len(rows)
    for at in range(size):
        pivot = max(range(at, size), key=lambda row: abs(rows[row][at]))
        rows[at], rows[pivot] = rows[pivot], rows[at]
        for below in range(at + 1, size):
            factor = rows[below][at] / rows[at][at]
            if factor:
                rows[below] = [x - factor * y for x, y in zip(rows[below], rows[at], strict=True)]
    found = [0.0] * size
    for at in reversed(range(size)):
        known = sum(rows[at][k] * found[k] for k in range(at + 1, size))
        found[at] = (rows[at][size] - known) / rows[at][at]
    return found
