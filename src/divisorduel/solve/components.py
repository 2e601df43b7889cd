"""The components of positions in a standard form, for certificates and their verification.

This module imports only the rules. The solvers find components in another, faster way.
"""

from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations

from divisorduel.rules.divisors import factors
from divisorduel.rules.numbers import bit_set, members
from divisorduel.rules.pool_game import PoolGame

Component = tuple[int, ...]
"""The numbers of a component, ascending."""
FORMS = 16_384
"""How many standard forms are kept in memory: a component may have hundreds of numbers."""


class Components:
    """The components of positions, in a standard form.

    The multiples of a prime p above the square root of the largest number are its column. If all
    columns are related to the rest of the board in the same way, the columns of a component can be
    swapped for others with the same multipliers without changing its nimber. The standard form
    uses the smallest primes.
    """

    def __init__(self, game: PoolGame) -> None:
        numbers = members(game.pool)
        self._related = {n: game.related_to(n) & game.pool for n in numbers}
        self._touching = {n: set(members(related)) for n, related in self._related.items()}
        for number, related in self._related.items():
            for other in members(related):
                self._touching[other].add(number)
        largest = {n: factors(n)[-1][0] for n in numbers if n > 1}
        self._prime = {n: p for n, p in largest.items() if p * p > game.size}
        self._primes = sorted(set(self._prime.values()))
        if not self._columns_are_alike():
            self._prime, self._primes = {}, []
        self._standard = lru_cache(maxsize=FORMS)(self._moved)

    def of(self, playable: int) -> tuple[Component, ...]:
        """Return the components of a set of numbers, each in standard form."""
        return tuple(map(self._standard, self._split(playable)))

    def _split(self, playable: int) -> Iterator[Component]:
        numbers = members(playable)
        left = set(numbers)
        for first in numbers:
            if first not in left:
                continue
            left.remove(first)
            component = [first]
            for number in component:  # it grows during the loop
                new = self._touching[number] & left
                left -= new
                component += new
            yield tuple(sorted(component))

    def _moved(self, component: Component) -> Component:
        """Return a component with its columns moved to the smallest primes."""
        columns: dict[int, list[int]] = {}
        rest = []
        for number in component:
            if number in self._prime:
                columns.setdefault(self._prime[number], []).append(number // self._prime[number])
            else:
                rest.append(number)
        patterns = sorted(columns.values(), key=lambda ks: (-ks[-1], ks))
        moved = [k * p for p, ks in zip(self._primes, patterns, strict=False) for k in ks]
        is_on_board = all(n in self._related for n in moved)
        return tuple(sorted(rest + moved)) if is_on_board else component

    def _columns_are_alike(self) -> bool:
        """Tell whether all columns are related to the rest of the board in the same way."""
        smooth = bit_set(n for n in self._related if n not in self._prime)
        below = dict.fromkeys(self._prime, 0)
        for m in members(smooth):
            for n in members(self._related[m]):
                if n in below:
                    below[n] |= 1 << m
        columns: dict[int, dict[int, int]] = {p: {} for p in self._primes}
        outside: dict[int, tuple[int, int]] = {}
        for n, p in self._prime.items():
            related, k = self._related[n], n // p
            if any(self._prime.get(other, p) != p for other in members(related)):
                return False
            if outside.setdefault(k, (related & smooth, below[n])) != (related & smooth, below[n]):
                return False
            columns[p][k] = bit_set(other // p for other in members(related & ~smooth))
        return all(_are_alike(columns[p], columns[q]) for p, q in combinations(columns, 2))


def _are_alike(one: dict[int, int], two: dict[int, int]) -> bool:
    """Tell whether two columns relate the multipliers that both have in the same way."""
    shared = one.keys() & two.keys()
    both = bit_set(shared)
    return all((one[k] ^ two[k]) & both == 0 for k in shared)
