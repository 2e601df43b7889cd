"""Relations between numbers: which numbers are tied, and how to say it."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from divisorduel.rules.numbers import members, progression, relatives, write_number


@dataclass(frozen=True, kw_only=True, eq=False)
class Relation:
    """Which numbers are tied, and how to say it.

    Relations are compared by identity. Both phrases are about the same pair as `holds`: they start
    with the first number and have no full stop.
    """

    holds: Callable[[int, int], bool]
    """Whether the first number is tied to the second one; the two differ."""
    tied: Callable[[int, int], str]
    """Say that the first number is tied to the second one."""
    not_tied: Callable[[int, int], str]
    """Say that the first number is not tied to the second one."""
    caption: str
    """The sentence under a graph of the numbers."""

    def say(self, number: int, other: int) -> str:
        """Say whether the first number is tied to the second one."""
        return (self.tied if self.holds(number, other) else self.not_tied)(number, other)

    def ties(self, number: int, limit: int) -> int:
        """Return the numbers up to a limit that are tied to a number, as a set of bits."""
        return _ties(self, number, limit)

    def neighbours(self, numbers: int, tick: Callable[[], None]) -> dict[int, list[int]]:
        """Return, for each of some numbers, the others that are tied to it, ascending.

        `numbers` is a set of bits. Large sets take a while: `tick` is called for every number and
        may raise.
        """
        tied: dict[int, list[int]] = {number: [] for number in members(numbers)}
        for number, found in tied.items():
            tick()
            found += [other for other in tied if other != number and self.holds(other, number)]
        return tied


@lru_cache(maxsize=256)
def _ties(relation: Relation, number: int, limit: int) -> int:
    others = range(limit, 0, -1)
    tied = (other != number and relation.holds(other, number) for other in others)
    return int("".join("1" if found else "0" for found in tied) + "0", 2)


@dataclass(frozen=True, kw_only=True, eq=False)
class _Sieve(Relation):
    """Multiples of a number, or its multiples and divisors: n numbers take n log n steps."""

    mutual: bool

    def ties(self, number: int, limit: int) -> int:
        """Return the multiples of a number, and its divisors if the relation is mutual."""
        if self.mutual:
            return relatives(number, limit)
        return progression(2 * number, limit, number)

    def neighbours(self, numbers: int, tick: Callable[[], None]) -> dict[int, list[int]]:
        """Return, for each of some numbers, the others that are tied to it, ascending."""
        tied: dict[int, list[int]] = {number: [] for number in members(numbers)}
        for number, found in tied.items():
            tick()
            above = [n for n in range(2 * number, numbers.bit_length(), number) if n in tied]
            found += above
            for multiple in above if self.mutual else ():
                tied[multiple].append(number)
        return tied


def _divides(a: int, b: int) -> bool:
    return a > 0 and b % a == 0


_CAPTION = "A line joins two numbers if one divides the other."

DIVISIBILITY: Relation = _Sieve(
    mutual=True,
    holds=lambda a, b: _divides(a, b) or _divides(b, a),
    tied=lambda a, b: f"{a} is a multiple of {b}" if _divides(b, a) else f"{a} divides {b}",
    not_tied=lambda a, b: f"{a} neither divides {b} nor is a multiple of it",
    caption=_CAPTION,
)
"""One number divides the other."""

MULTIPLES: Relation = _Sieve(
    mutual=False,
    holds=lambda a, b: _divides(b, a),
    tied=lambda a, b: f"{a} is a multiple of {b}",
    not_tied=lambda a, b: f"{a} is not a multiple of {b}",
    caption=_CAPTION,
)
"""The first number is a multiple of the second one."""

DIVISORS = Relation(
    holds=_divides,
    tied=lambda a, b: f"{a} divides {b}",
    not_tied=lambda a, b: f"{write_number(a)} does not divide {b}",
    caption=_CAPTION,
)
"""The first number divides the second one."""
