"""What a solver says of a position, and how long it may think."""

import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What is known of a position under best play. Everything here is proven or left out."""

    winner: Literal[1, 2] | None
    """1 if the player to move wins, 2 if the other one does, None if it is not known."""
    winning_moves: tuple[int, ...]
    """The moves that win, ascending; all of them if the verdict is `proven`."""
    nimber: int | None
    """The Sprague-Grundy value, where the game has one worth stating and it is known."""
    method: str
    proven: bool
    """Whether the winner and all the winning moves are known for certain."""
    positions: int = 0
    """How many positions were looked at."""


class OutOfTime(Exception):
    """The time that a solver was given is over."""


class Budget:
    """What a solver may use. It counts positions, and looks at the clock now and then."""

    def __init__(
        self,
        seconds: float | None = None,
        *,
        most_positions: int | None = None,
        memory: int | None = None,
        threads: int = 1,
        clock: Callable[[], float] = time.monotonic,
        on_progress: Callable[[int], None] | None = None,
    ) -> None:
        """Give it so many seconds from now, so many positions, or no limit.

        A search that remembers positions keeps to `memory` bytes if it can, forgetting some of
        them; `threads` are for the solvers that can use several. `on_progress` hears now and then
        how many positions there have been.
        """
        self.positions = 0
        self.memory = memory
        self.threads = threads
        self._ticks = 0
        self._most = most_positions
        self._clock = clock
        self._deadline = None if seconds is None else clock() + seconds
        self._on_progress = on_progress
        self._stopped = False

    def stop(self) -> None:
        """End the search at the next position, from another thread or a signal."""
        self._stopped = True

    def spend(self) -> None:
        """Count a position. Raises `OutOfTime` when the time is over."""
        self.positions += 1
        if self._most is not None and self.positions > self._most:
            raise OutOfTime
        if self.positions & 127 == 0 or self._stopped:
            self.check()

    def catch_up(self, positions: int) -> None:
        """Hear from a native search how many positions there have been. Raises `OutOfTime`."""
        self.positions = positions
        if self._most is not None and positions > self._most:
            raise OutOfTime
        self.check()

    @property
    def left(self) -> int | None:
        """How many positions may still be looked at; None if there is no limit."""
        return None if self._most is None else max(0, self._most - self.positions)

    def tick(self) -> None:
        """Count a step that is no position. Raises `OutOfTime` when the time is over."""
        self._ticks += 1
        if self._ticks & 15 == 0 or self._stopped:
            self.check()

    def is_over(self) -> bool:
        """Tell whether the time is over."""
        return self._stopped or (self._deadline is not None and self._clock() >= self._deadline)

    def check(self) -> None:
        """Look at the clock. Raises `OutOfTime` when the time is over."""
        if self._on_progress is not None:
            self._on_progress(self.positions)
        if self.is_over():
            raise OutOfTime


def proven(
    winning: Iterable[int], method: str, budget: Budget, *, nimber: int | None = None
) -> Verdict:
    """Return a verdict, given all the moves that win."""
    moves = tuple(winning)
    return Verdict(
        winner=1 if moves else 2,
        winning_moves=moves,
        nimber=nimber,
        method=method,
        proven=True,
        positions=budget.positions,
    )


def unproven(winning: Iterable[int], method: str, budget: Budget) -> Verdict:
    """Return what is known when the time is over: the winning moves found so far."""
    moves = tuple(winning)
    return Verdict(
        winner=1 if moves else None,
        winning_moves=moves,
        nimber=None,
        method=method,
        proven=False,
        positions=budget.positions,
    )


def from_options(
    options: Mapping[int, int], method: str, budget: Budget, *, complete: bool = True
) -> Verdict:
    """Return a verdict, given the nimbers after the moves, or after some of them."""
    winning = (move for move, nimber in options.items() if nimber == 0)
    if complete:
        return proven(winning, method, budget, nimber=mex(options.values()))
    return unproven(winning, method, budget)


def mex(nimbers: Iterable[int]) -> int:
    """Return the smallest number from 0 on that is not among the given ones."""
    found = set(nimbers)
    smallest = 0
    while smallest in found:
        smallest += 1
    return smallest
