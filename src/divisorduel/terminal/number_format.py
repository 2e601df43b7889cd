"""Lists of numbers for people, shortened if they are very long."""

from collections.abc import Collection, Iterator
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
    count = len(numbers)
    if count <= LONG:
        return NumberList(", ".join(map(str, numbers)))
    first = ", ".join(map(str, islice(numbers, SHOWN)))
    return NumberList(f"{first}, ... ({count} numbers in all)")


def set_list(bits: int) -> NumberList:
    """Write a set of numbers like `number_list`."""
    if bits.bit_count() <= LONG:
        return number_list(members(bits))
    first = ", ".join(map(str, _smallest(bits, SHOWN)))
    return NumberList(f"{first}, ... ({bits.bit_count()} numbers in all)")


def _smallest(bits: int, count: int) -> Iterator[int]:
    """Yield the smallest numbers of a set, without listing all of them."""
    for _ in range(count):
        lowest = bits & -bits
        yield lowest.bit_length() - 1
        bits ^= lowest
