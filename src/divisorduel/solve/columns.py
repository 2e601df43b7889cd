"""A pool split into smooth numbers and columns, so that equivalent positions become equal.

Let p be a prime with p * p above the largest number. Its multiples p, 2p, 3p, … on the board are
a column: two of them are tied if their multipliers are, one of them is tied to a number m without
such a prime if m and the multiplier are, and two columns are never tied to each other. So what a
column can do depends on its multipliers only, never on p: a position is a set of smooth numbers
and a multiset of patterns (sets of multipliers). Pieces of a column that are not tied to each
other are columns themselves.

The tables are computed from the game's own ties. If two columns differ in their ties, every number
of the game counts as smooth.
"""

from collections import defaultdict
from dataclasses import dataclass
from functools import lru_cache, reduce
from math import isqrt
from operator import or_

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
    """Return the layout of a game, with columns if its ties allow it."""
    takes = {n: {n, *tied} for n, tied in game.neighbours(game.pool).items()}
    return _with_columns(game.to, takes) or _without_columns(takes)


def _without_columns(takes: dict[int, set[int]]) -> Layout:
    smooth = tuple(takes)
    table = tuple(_indices(takes[n], smooth) for n in smooth)
    return Layout(smooth, (), table, (0,) * len(smooth), (0,), (0,))


def _indices(found: set[int], numbers: tuple[int, ...]) -> int:
    return sum(1 << i for i, number in enumerate(numbers) if number in found)


def _large_prime(number: int, limit: int) -> int:
    """Return the prime factor of a number whose square is above the limit, or 0."""
    rest = number
    for divisor in range(2, isqrt(limit) + 1):
        while rest % divisor == 0:
            rest //= divisor
    return rest if rest > 1 else 0


def _with_columns(limit: int, takes: dict[int, set[int]]) -> Layout | None:
    """Compute the tables from the ties of the columns; return None if two columns differ."""
    column = {n: p for n in takes if (p := _large_prime(n, limit))}
    smooth = tuple(n for n in takes if n not in column)
    there: dict[int, int] = defaultdict(int)
    for number, prime in column.items():
        there[prime] |= 1 << number // prime
    longest = max((bits.bit_length() for bits in there.values()), default=1)

    def multipliers(number: int) -> dict[int, int]:
        """Return the multipliers that a number removes, by column."""
        found: dict[int, int] = defaultdict(int)
        for other in takes[number]:
            if other in column:
                found[column[other]] |= 1 << other // column[other]
        return found

    inside, to_smooth = [0] * longest, [0] * longest
    for number, prime in column.items():
        inside[number // prime] |= multipliers(number)[prime]
        to_smooth[number // prime] |= _indices(takes[number], smooth)
    from_smooth = []
    for number in smooth:
        touched = multipliers(number)
        from_smooth.append(reduce(or_, touched.values(), 0))
        if any(touched[p] != from_smooth[-1] & bits for p, bits in there.items()):
            return None
    for number, prime in column.items():
        touched, k = multipliers(number), number // prime
        if set(touched) != {prime} or touched[prime] != inside[k] & there[prime]:
            return None
        if _indices(takes[number], smooth) != to_smooth[k]:
            return None
    table = tuple(_indices(takes[n], smooth) for n in smooth)
    primes = tuple(sorted(there))
    return Layout(smooth, primes, table, tuple(from_smooth), tuple(inside), tuple(to_smooth))
