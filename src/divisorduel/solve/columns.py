"""A pool split into smooth numbers and columns, so that equal positions meet.

Let p be a prime with p * p above the largest number. Its multiples p, 2p, 3p, … on the board are
a column: two of them are tied if their multipliers are, one of them is tied to a number m without
such a prime if m and the multiplier are, and two columns are never tied to each other. So what a
column can do depends on its multipliers only, never on p: a position is a set of smooth numbers
and a multiset of patterns (sets of multipliers). Pieces of a column that are not tied to each
other are columns, too.

None of this is taken on trust: the tables are read off the game's own ties, and a game in which
they do not fit together is treated as a pool of smooth numbers.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from math import isqrt

from divisorduel.rules.numbers import has, members
from divisorduel.rules.pool import PoolGame


@dataclass(frozen=True)
class Layout:
    """Where the numbers of a game lie, and what taking one of them takes away.

    Smooth numbers are bits by their index, multipliers are bits by their value.
    """

    smooth: tuple[int, ...]
    primes: tuple[int, ...]
    smooth_takes_smooth: tuple[int, ...]
    """By index: the smooth numbers that go with a smooth number, itself included."""
    smooth_takes_column: tuple[int, ...]
    """By index: the multipliers that go with it in every column."""
    column_takes_column: tuple[int, ...]
    """By multiplier: the multipliers that go with it in its own column, itself included."""
    column_takes_smooth: tuple[int, ...]
    """By multiplier: the smooth numbers that go with it."""

    def split(self, playable: int) -> tuple[int, list[int]]:
        """Return the smooth numbers and the patterns of a position."""
        smooth = sum(1 << i for i, number in enumerate(self.smooth) if has(playable, number))
        longest = len(self.column_takes_column)
        patterns = (
            sum(1 << k for k in range(1, longest) if has(playable, k * prime))
            for prime in self.primes
        )
        return smooth, [pattern for pattern in patterns if pattern]


@lru_cache(maxsize=16)
def layout_of(game: PoolGame) -> Layout:
    """Return the layout of a game, with columns if its ties allow them."""
    numbers = members(game.pool)
    primes = tuple(p for p in _large_primes(game.to) if any(n % p == 0 for n in numbers))
    return _with_columns(game, numbers, primes) or _without_columns(game, numbers)


def _large_primes(limit: int) -> Iterator[int]:
    for number in range(isqrt(limit) + 1, limit + 1):
        if all(number % d for d in range(2, isqrt(number) + 1)):
            yield number


def _without_columns(game: PoolGame, numbers: tuple[int, ...]) -> Layout:
    takes = tuple(_indices(game.ties(n) | 1 << n, numbers) for n in numbers)
    return Layout(numbers, (), takes, (0,) * len(numbers), (0,), (0,))


def _indices(bits: int, numbers: tuple[int, ...]) -> int:
    return sum(1 << i for i, number in enumerate(numbers) if has(bits, number))


def _with_columns(
    game: PoolGame, numbers: tuple[int, ...], primes: tuple[int, ...]
) -> Layout | None:
    """Read the tables off the ties of the columns; return None if two columns disagree."""
    column = {n: p for p in primes for n in numbers if n % p == 0}
    smooth = tuple(n for n in numbers if n not in column)
    multipliers = {p: sum(1 << n // p for n in column if column[n] == p) for p in primes}
    longest = max((bits.bit_length() for bits in multipliers.values()), default=1)
    inside, to_smooth = [0] * longest, [0] * longest
    from_smooth = [0] * len(smooth)
    for number, prime in column.items():
        tied = game.ties(number) | 1 << number
        inside[number // prime] |= _multipliers(tied, prime, longest)
        to_smooth[number // prime] |= _indices(tied, smooth)
    for i, number in enumerate(smooth):
        for prime in primes:
            from_smooth[i] |= _multipliers(game.ties(number), prime, longest)

    def agrees(number: int, prime: int) -> bool:
        tied, there = game.ties(number) | 1 << number, multipliers[prime]
        crosses = any(has(tied, other) for other in column if column[other] != prime)
        own = _multipliers(tied, prime, longest) & there == inside[number // prime] & there
        return own and not crosses and _indices(tied, smooth) == to_smooth[number // prime]

    fits = all(agrees(number, prime) for number, prime in column.items()) and all(
        _multipliers(game.ties(number), prime, longest) & multipliers[prime]
        == from_smooth[i] & multipliers[prime]
        for i, number in enumerate(smooth)
        for prime in primes
    )
    if not fits:
        return None
    takes = tuple(_indices(game.ties(n) | 1 << n, smooth) for n in smooth)
    return Layout(smooth, primes, takes, tuple(from_smooth), tuple(inside), tuple(to_smooth))


def _multipliers(bits: int, prime: int, longest: int) -> int:
    return sum(1 << k for k in range(1, longest) if has(bits, k * prime))
