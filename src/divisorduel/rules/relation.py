"""Relations between numbers: which numbers are related, and how to say it."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from divisorduel.rules.numbers import members, progression, relatives, write_number

FEW = 128
"""Up to this many multiples of a number are looked up one by one."""

_ONE = re.compile("1")


@dataclass(frozen=True, kw_only=True, eq=False)
class Relation:
    """Which numbers are related, and how to say it.

    Relations are compared by identity. Both phrases are about the same pair as `holds`: they start
    with the first number and have no full stop.
    """

    holds: Callable[[int, int], bool]
    """Whether the first number is related to the second one; the two differ."""
    phrase: Callable[[int, int], str]
    """Say that the first number is related to the second one."""
    negation: Callable[[int, int], str]
    """Say that the first number is not related to the second one."""
    caption: str
    """The sentence under a graph of the numbers."""

    def say(self, number: int, other: int) -> str:
        """Say whether the first number is related to the second one."""
        return (self.phrase if self.holds(number, other) else self.negation)(number, other)

    def related_to(self, number: int, limit: int) -> int:
        """Return the numbers up to a limit that are related to a number, as a set of bits."""
        return _related_to(self, number, limit)

    def neighbours(self, numbers: int, tick: Callable[[], None]) -> dict[int, list[int]]:
        """Return, for each of some numbers, the others that are related to it, ascending.

        `numbers` is a set of bits. Large sets take a while: `tick` is called for every number and
        may raise.
        """
        related: dict[int, list[int]] = {number: [] for number in members(numbers)}
        for number, found in related.items():
            tick()
            found += [other for other in related if other != number and self.holds(other, number)]
        return related


@lru_cache(maxsize=256)
def _related_to(relation: Relation, number: int, limit: int) -> int:
    others = range(limit, 0, -1)
    related = (other != number and relation.holds(other, number) for other in others)
    return int("".join("1" if found else "0" for found in related) + "0", 2)


@dataclass(frozen=True, kw_only=True, eq=False)
class _Sieve(Relation):
    """Multiples of a number, or its multiples and divisors.

    n numbers take at most `FEW` steps each, and one for every two that are related.
    """

    mutual: bool

    def related_to(self, number: int, limit: int) -> int:
        """Return the multiples of a number, and its divisors if the relation is mutual."""
        if self.mutual:
            return relatives(number, limit)
        return progression(2 * number, limit, number)

    def neighbours(self, numbers: int, tick: Callable[[], None]) -> dict[int, list[int]]:
        """Return, for each of some numbers, the others that are related to it, ascending."""
        related: dict[int, list[int]] = {number: [] for number in members(numbers)}
        digits = f"{numbers:b}"[::-1]
        for number, found in related.items():
            tick()
            multiples = range(2 * number, len(digits), number)
            if len(multiples) <= FEW:
                above = [multiple for multiple in multiples if multiple in related]
            else:  # a slice passes over those that are not in the set far faster than a loop
                ones = _ONE.finditer(digits[2 * number :: number])
                above = [multiples[one.start()] for one in ones]
            found += above
            for multiple in above if self.mutual else ():
                related[multiple].append(number)
        return related


def _divides(a: int, b: int) -> bool:
    return a > 0 and b % a == 0


_CAPTION = "A line joins two numbers if one divides the other."

DIVISIBILITY: Relation = _Sieve(
    mutual=True,
    holds=lambda a, b: _divides(a, b) or _divides(b, a),
    phrase=lambda a, b: f"{a} is a multiple of {b}" if _divides(b, a) else f"{a} divides {b}",
    negation=lambda a, b: f"{a} neither divides {b} nor is a multiple of it",
    caption=_CAPTION,
)
"""One number divides the other."""

MULTIPLES: Relation = _Sieve(
    mutual=False,
    holds=lambda a, b: _divides(b, a),
    phrase=lambda a, b: f"{a} is a multiple of {b}",
    negation=lambda a, b: f"{a} is not a multiple of {b}",
    caption=_CAPTION,
)
"""The first number is a multiple of the second one."""

DIVISORS = Relation(
    holds=_divides,
    phrase=lambda a, b: f"{a} divides {b}",
    negation=lambda a, b: f"{write_number(a)} does not divide {b}",
    caption=_CAPTION,
)
"""The first number divides the second one."""
