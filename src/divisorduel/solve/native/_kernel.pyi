"""Native searches. They call `tick` now and then with the number of positions; it may raise."""

from array import array
from collections.abc import Callable, Sequence

def match_divisors(
    playable: bytes, start: bytes | bytearray | None, tick: Callable[[int], object], /
) -> tuple[bytes, bytes, bytes, bytes, int]:
    """Match numbers to their divisors and multiples, given the numbers as a set of bits.

    Returns the partners, the labels and the parents of all numbers from 0 on, the missable numbers
    as a set of bits, and the number of positions searched. Partners and parents are machine
    integers of 4 bytes. `start` has the partners to start from.
    """

def match_lists(
    first: array[int],
    neighbours: array[int],
    start: bytes | bytearray | None,
    tick: Callable[[int], object],
    /,
) -> tuple[bytes, bytes, bytes, bytes, int]:
    """Match the numbers 1, 2, … of any graph.

    The neighbours of ``i`` are ``neighbours[first[i] : first[i + 1]]``.
    """

class Nimbers:
    def __new__(
        cls,
        smooth_takes_smooth: Sequence[int],
        smooth_takes_column: Sequence[int],
        column_takes_column: Sequence[int],
        column_takes_smooth: Sequence[int],
        memory: int,
        /,
    ) -> Nimbers: ...
    def nimber(
        self,
        smooth: int,
        patterns: Sequence[int],
        threads: int,
        most: int,
        tick: Callable[[int], None],
        /,
    ) -> tuple[int, int]: ...
    def is_zero(
        self, smooth: int, patterns: Sequence[int], most: int, tick: Callable[[int], None], /
    ) -> tuple[bool, int]: ...
