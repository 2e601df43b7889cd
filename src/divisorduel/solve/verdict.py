"""What a solver says about a position."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Literal

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


def unproven(winning: Iterable[int], method: str, budget: Budget) -> Verdict:
    """Return the verdict of a search that ended early, given the winning moves found so far."""
    moves = tuple(winning)
    return Verdict(
        winner=1 if moves else None,
        winning_moves=moves,
        nimber=None,
        method=method,
        proven=False,
        positions=budget.positions,
    )


def proven(
    winning: Iterable[int], method: str, budget: Budget, *, nimber: int | None = None
) -> Verdict:
    """Return the verdict, given all winning moves."""
    found = unproven(winning, method, budget)
    return replace(found, winner=1 if found.winning_moves else 2, nimber=nimber, proven=True)


def from_options(
    options: Mapping[int, int], method: str, budget: Budget, *, complete: bool = True
) -> Verdict:
    """Return the verdict, given the nimbers after all moves, or after some of them."""
    winning = (move for move, nimber in options.items() if nimber == 0)
    if complete:
        return proven(winning, method, budget, nimber=mex(options.values()))
    return unproven(winning, method, budget)


def mex(nimbers: Iterable[int]) -> int:
    """Return the minimum excludant: the smallest number from 0 on that is not given."""
    found = set(nimbers)
    smallest = 0
    while smallest in found:
        smallest += 1
    return smallest
