"""What a solver says about a position."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, Self

from divisorduel.solve.budget import Budget


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What is known about a position under best play. Nothing in it is a guess."""

    winner: Literal[1, 2] | None
    """1 if the player to move wins, 2 if the opponent does, None if unknown."""
    winning_moves: tuple[int, ...]
    """The moves that win, ascending: all of them if `proven`, otherwise those found so far."""
    nimber: int | None
    """The Sprague-Grundy value; None if unknown, or if the solver does not compute it."""
    method: str
    proven: bool
    """Whether the winner and all winning moves are known."""
    positions: int = 0
    """How many positions were searched."""

    @classmethod
    def of(
        cls,
        winning: Iterable[int],
        method: str,
        budget: Budget,
        *,
        nimber: int | None = None,
        proven: bool = True,
    ) -> Self:
        """Return the verdict, given all winning moves, or those found if the search ended early."""
        moves = tuple(winning)
        return cls(
            winner=1 if moves else 2 if proven else None,
            winning_moves=moves,
            nimber=nimber if proven else None,
            method=method,
            proven=proven,
            positions=budget.positions,
        )


def mex(nimbers: Iterable[int]) -> int:
    """Return the minimum excludant: the smallest number from 0 on that is not given."""
    found = set(nimbers)
    smallest = 0
    while smallest in found:
        smallest += 1
    return smallest
