"""A pool split into smooth numbers and columns, so that equivalent positions become equal.

Let p be a prime with p * p above the largest number. Its multiples p, 2p, 3p, … on the board are
a column. Numbers without such a prime factor are smooth. Two numbers of a column are related if
their multipliers are; k * p is related to a smooth number m if m divides k; numbers of different
columns are never related. So only the multipliers of a column matter, not p: a position is a set
of smooth numbers and a multiset of patterns (sets of multipliers). Pieces of a column that are not
related to each other are columns themselves.

The tables are computed from the game's own relation. If it treats two columns differently, every
number of the game counts as smooth.
"""

from dataclasses import dataclass
from functools import lru_cache
from math import isqrt

from divisorduel.rules.numbers import members
from divisorduel.rules.pool_game import PoolGame


@dataclass(frozen=True)
class Layout:
    """The smooth numbers and the columns of a game, and what each number removes when taken.

    Smooth numbers are bits by their index, multipliers are bits by their value.
    """

    smooth: tuple[int, ...]
    primes: tuple[int, ...]
    smooth_takes_smooth: tuple[int, ...]
    """By index: the smooth numbers that a smooth number removes, itself included."""
    smooth_takes_column: tuple[int, ...]
    """By index: the multipliers that a smooth number removes in every column."""
    column_takes_column: tuple[int, ...]
    """By multiplier: the multipliers that it removes in its own column, itself included."""
    column_takes_smooth: tuple[int, ...]
    """By multiplier: the smooth numbers that it removes."""

    def split(self, playable: int) -> tuple[int, list[int]]:
        """Return the smooth numbers and the patterns of a position."""
        left = set(members(playable))
        smooth = sum(1 << i for i, number in enumerate(self.smooth) if number in left)
        longest = len(self.column_takes_column)
        patterns = (
            sum(1 << k for k in range(1, longest) if k * prime in left) for prime in self.primes
        )
        return smooth, [pattern for pattern in patterns if pattern]


@lru_cache(maxsize=16)
def layout_of(game: PoolGame) -> Layout:
    """Return the layout of a game, with columns if its relation allows it."""
    takes = {n: {n, *related} for n, related in game.neighbours(game.pool).items()}
    return _layout(takes, {n: p for n in takes if (p := _large_prime(n, game.size))})


def _large_prime(number: int, limit: int) -> int:
    """Return the prime factor of a number whose square is above the limit, or 0."""
    rest = number
    for divisor in range(2, isqrt(limit) + 1):
        while rest % divisor == 0:
            rest //= divisor
    return rest if rest > 1 else 0


def _layout(takes: dict[int, set[int]], column: dict[int, int]) -> Layout:
    """Compute the tables, given the prime of every number in a column."""
    smooth = tuple(n for n in takes if n not in column)
    index = {n: i for i, n in enumerate(smooth)}
    by_smooth = [[0, 0] for _ in smooth]
    by_multiplier = [[0, 0] for _ in range(max((n // p for n, p in column.items()), default=0) + 1)]
    rows = {n: by_smooth[i] for n, i in index.items()}
    rows |= {n: by_multiplier[n // p] for n, p in column.items()}
    for number, taken in takes.items():
        for other in taken:
            if other in column:
                rows[number][1] |= 1 << other // column[other]
            else:
                rows[number][0] |= 1 << index[other]
    for number, taken in takes.items():
        indices, multipliers = rows[number]
        found = {smooth[i] for i in members(indices)}
        own = column.get(number)
        found |= {n for n, p in column.items() if own in (None, p) and multipliers >> n // p & 1}
        if found != taken:  # two columns differ
            return _layout(takes, {})
    return Layout(
        smooth,
        tuple(sorted(set(column.values()))),
        smooth_takes_smooth=tuple(indices for indices, _ in by_smooth),
        smooth_takes_column=tuple(multipliers for _, multipliers in by_smooth),
        column_takes_column=tuple(multipliers for _, multipliers in by_multiplier),
        column_takes_smooth=tuple(indices for indices, _ in by_multiplier),
    )
