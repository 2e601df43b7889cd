"""A position: what the legal moves depend on, and nothing else."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Self

from divisorduel.rules.numbers import bit_set, members


@dataclass(frozen=True, slots=True, repr=False)
class Position:
    """The numbers still playable, as a set of bits, and the last number taken if it matters.

    The match knows whose turn it is and who took which number.
    """

    playable: int = 0
    last: int | None = None

    @classmethod
    def of(cls, numbers: Iterable[int], last: int | None = None) -> Self:
        """Make a position from a list of numbers."""
        return cls(bit_set(numbers), last)

    @property
    def numbers(self) -> tuple[int, ...]:
        """The playable numbers, ascending."""
        return members(self.playable)

    def __repr__(self) -> str:
        return f"Position.of({list(self.numbers)}, last={self.last})"
