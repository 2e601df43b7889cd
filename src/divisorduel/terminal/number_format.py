"""Lists of numbers for people, shortened if they are very long."""

from collections.abc import Collection, Iterable
from itertools import islice

from divisorduel.rules.numbers import members

LONG = 1_000
"""Longer lists are shortened."""
SHOWN = 20


class NumberList(str):
    """A list as text. In ``{options:none}``, an empty list becomes that word."""

    __slots__ = ()

    def __format__(self, if_empty: str) -> str:
        return str(self) or if_empty


def number_list(numbers: Collection[int]) -> NumberList:
    """Write numbers with commas; of a very long list, the first ones and the count."""
    return _written(numbers, len(numbers))


def set_list(bits: int) -> NumberList:
    """Write a set of numbers like `number_list`."""
    count = bits.bit_count()
    return _written(members(bits if count <= LONG else _lowest(bits)), count)


def _written(numbers: Iterable[int], count: int) -> NumberList:
    if count <= LONG:
        return NumberList(", ".join(map(str, numbers)))
    first = ", ".join(map(str, islice(numbers, SHOWN)))
    return NumberList(f"{first}, ... ({count:,} numbers in all)")


def _lowest(bits: int) -> int:
    """Return the part of a large set that begins the list; the rest is never looked at."""
    width = SHOWN
    while (part := bits & ((1 << width) - 1)).bit_count() < SHOWN:
        width *= 2
    return part
