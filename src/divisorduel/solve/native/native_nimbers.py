"""Nimbers by the native kernel; see `nimbers` for the mathematics."""

import os
from functools import lru_cache

from divisorduel.rules.pool_game import PoolGame
from divisorduel.solve.budget import Budget
from divisorduel.solve.columns import layout_of
from divisorduel.solve.native.kernel import KERNEL

MOST_NUMBERS, MOST_SMOOTH, MOST_MULTIPLIERS, MOST_IN_COLUMNS = 254, 128, 14, 96
"""The limits of the kernel's keys and its cache."""


def kernel_can(game: PoolGame) -> bool:
    """Tell whether the kernel is available and can hold the positions of a game."""
    if KERNEL is None or game.pool.bit_count() > MOST_NUMBERS:
        return False
    layout = layout_of(game)
    _, patterns = layout.split(game.pool)
    return (
        len(layout.smooth) <= MOST_SMOOTH
        and len(layout.column_takes_column) - 1 <= MOST_MULTIPLIERS
        and sum(pattern.bit_count() for pattern in patterns) <= MOST_IN_COLUMNS
    )


class NativeNimbers:
    """The nimbers of the positions of one game, with the methods of `Nimbers`."""

    def __init__(self, game: PoolGame, memory: int | None = None) -> None:
        if KERNEL is None:
            raise RuntimeError("The native kernel was not built.")
        self._layout = layout = layout_of(game)
        self._kernel = KERNEL.Nimbers(
            layout.smooth_takes_smooth,
            _shifted(layout.smooth_takes_column),
            _shifted(layout.column_takes_column[1:]),
            layout.column_takes_smooth[1:],
            memory or half_of_the_memory(),
        )
        self._sets: dict[int, int] = {}

    def nimber(self, playable: int, budget: Budget) -> int:
        """Return the nimber of a set of playable numbers. Raises `BudgetSpent`."""
        if playable not in self._sets:
            smooth, patterns = self._layout.split(playable)
            count, most = budget.counter(), budget.left + 1
            self._sets[playable], positions = self._kernel.nimber(
                smooth, _shifted(patterns), budget.threads, most, count
            )
            count(positions)
        return self._sets[playable]

    def is_zero(self, playable: int, budget: Budget) -> bool:
        """Tell whether the nimber of a set of playable numbers is 0. Raises `BudgetSpent`."""
        if playable in self._sets:
            return self._sets[playable] == 0
        smooth, patterns = self._layout.split(playable)
        count, most = budget.counter(), budget.left + 1
        found, positions = self._kernel.is_zero(smooth, _shifted(patterns), most, count)
        count(positions)
        return bool(found)


def _shifted(patterns: "list[int] | tuple[int, ...]") -> list[int]:
    """Return the patterns with bit 0 for the multiplier 1, since there is no multiplier 0."""
    return [pattern >> 1 for pattern in patterns]


@lru_cache(maxsize=1)
def half_of_the_memory() -> int:
    """Return half of the machine's memory in bytes; 1 GiB if that is unknown."""
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 2
    except (AttributeError, ValueError, OSError):
        return 2**30
