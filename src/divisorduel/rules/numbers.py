"""Numbers as people write them, and sets of numbers as bits of an int.

A set of numbers is an int whose bit ``i`` tells whether ``i`` is in the set.
"""

import re
from collections.abc import Iterable
from functools import lru_cache
from itertools import compress
from math import isqrt
from typing import Any

from divisorduel.rules.errors import DuelError, NotANumber

MANY_DIGITS = 100
"""No board has a number with this many digits."""

EXACT_IN_JSON = 2**53
"""Up to this number, every program reads a number in JSON exactly; many round larger ones."""

SMALL = 100_000
"""Up to this number, many sets of related numbers are cached."""

MANY_BITS = 4_096
"""Sets up to this number are small enough to be copied for each new number."""

_FLAGS = bytes.maketrans(b"01", b"\0\1")
_RUN = re.compile("1+")
_LARGE = re.compile(rf"[1-9][0-9]{{15,{MANY_DIGITS}}}")
_WRITTEN = re.compile(r" *([0-9]+) *")


def read_number(text: str, error: type[DuelError] = NotANumber) -> int:
    """Read a number as a player types it: ASCII digits, with or without spaces around them.

    Numbers too long for any board all read as ``10 ** MANY_DIGITS``. Raises the given error.
    """
    written = _WRITTEN.fullmatch(text)
    if written is None:
        raise error(f"{text!r} is not valid. Use a whole number such as 20.")
    digits = written[1].lstrip("0")
    return int(digits or "0") if len(digits) <= MANY_DIGITS else 10**MANY_DIGITS


def write_number(number: int) -> str:
    """Write a number for a person: the digits, or a phrase if there are far too many."""
    return str(number) if abs(number) < 10**MANY_DIGITS else "A number that large"


def json_number(number: int) -> int | str:
    """Return a number as it is written in JSON: its digits as a string if it is too large."""
    return number if abs(number) <= EXACT_IN_JSON else str(number)


def json_data(data: Any) -> Any:
    """Return plain data with every number in it as `json_number` writes it."""
    match data:
        case dict():
            return {name: json_data(value) for name, value in data.items()}
        case list() | tuple():
            return [json_data(value) for value in data]
        case int():
            return json_number(data)
    return data


def number_from_json(value: Any) -> Any:
    """Return the number that `json_number` wrote as a text; any other value as it is."""
    if isinstance(value, str) and _LARGE.fullmatch(value) and int(value) > EXACT_IN_JSON:
        return int(value)
    return value


def is_whole(value: object) -> bool:
    """Tell whether a value is a whole number; ``True`` is not."""
    return isinstance(value, int) and not isinstance(value, bool)


def bit_set(numbers: Iterable[int]) -> int:
    """Return the set of the given numbers."""
    listed = [*numbers]
    if max(listed, default=0) > MANY_BITS:
        return _large_bit_set(listed)
    bits = 0
    for number in listed:
        bits |= 1 << number
    return bits


def _large_bit_set(numbers: list[int]) -> int:
    """Return a set in one pass: each change of a large int would copy all of it."""
    eighths = bytearray(max(numbers) // 8 + 1)
    for number in numbers:
        eighths[number >> 3] |= 1 << (number & 7)
    return int.from_bytes(eighths, "little")


def members(bits: int) -> tuple[int, ...]:
    """List the numbers of a set in ascending order."""
    digits = f"{bits:b}"[::-1]
    if bits.bit_count() * 6 > len(digits):
        return tuple(compress(range(len(digits)), digits.encode().translate(_FLAGS)))
    found = []
    at = digits.find("1")
    while at >= 0:
        found.append(at)
        at = digits.find("1", at + 1)
    return tuple(found)


def has(bits: int, number: int) -> bool:
    """Tell whether a number of any size, even a negative one, is in a set."""
    return 0 <= number < bits.bit_length() and bits >> number & 1 == 1


def progression(first: int, last: int, step: int) -> int:
    """Return the set of first, first + step, … up to last; empty if first is above last."""
    if first > last:
        return 0
    return (_progression if last <= SMALL else _large_progression)(first, last, step)


def _new_progression(first: int, last: int, step: int) -> int:
    count = (last - first) // step + 1
    bits, size = 1, 1
    while size < count:
        grow = min(size, count - size)
        bits |= bits << step * grow
        size += grow
    return bits << first


_progression = lru_cache(maxsize=256)(_new_progression)
_large_progression = lru_cache(maxsize=8)(_new_progression)  # each can take a megabyte


def join_runs(runs: Iterable[tuple[int, int]], step: int) -> int:
    """Return the numbers of runs, each from its first number to its last one in steps.

    All numbers of all runs differ by multiples of the step. The runs may be in any order, and
    overlap. This takes n log n steps for n runs, and log n copies of the set.
    """
    apart: list[tuple[int, int]] = []
    for first, last in sorted(runs):
        if apart and first <= apart[-1][1] + step:
            first, before = apart.pop()
            last = max(last, before)
        apart.append((first, last))
    return _join(apart, step) << apart[0][0] if apart else 0


def _join(runs: list[tuple[int, int]], step: int) -> int:
    """Return the numbers of some runs, less the first of them."""
    first, last = runs[0]
    if len(runs) == 1:
        return progression(0, last - first, step)
    middle = len(runs) // 2
    above = _join(runs[middle:], step) << runs[middle][0] - first
    return _join(runs[:middle], step) | above


def relatives(number: int, limit: int) -> int:
    """Return the set of the other divisors and multiples of a number, up to a limit."""
    return (_relatives if limit <= SMALL else _large_relatives)(number, limit)


def _find_relatives(number: int, limit: int) -> int:
    bits = progression(2 * number, limit, number)
    for small in range(1, isqrt(number) + 1):
        if number % small == 0:
            bits |= 1 << small | 1 << number // small
    return bits & ~(1 << number)


# Enough for every number of a board on the web. A set takes up to 12 KB; a large one, up to 1.2 MB.
_relatives = lru_cache(maxsize=2048)(_find_relatives)
_large_relatives = lru_cache(maxsize=32)(_find_relatives)


def write_runs(bits: int, among: range) -> str:
    """Write a subset of a progression compactly: ``2-7,9`` for its numbers 2 to 7 and 9."""
    digits = f"{bits:b}"[::-1][among.start : among.stop : among.step]
    runs = ((among[run.start()], among[run.end() - 1]) for run in _RUN.finditer(digits))
    return ",".join(str(a) if a == b else f"{a}-{b}" for a, b in runs) or "-"
