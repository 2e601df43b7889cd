"""How much a search may use: time, positions, memory and threads."""

import time
from collections.abc import Callable

NO_LIMIT = 2**63


class BudgetSpent(Exception):
    """The budget of a search is spent."""


class Budget:
    """The limits of a search. Counts positions and checks the clock now and then."""

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
        """Limit a search to some seconds from now, to some positions, or not at all.

        The cache of the search evicts positions to stay within `memory` bytes. `on_progress` is
        called now and then with the number of positions searched.
        """
        self.positions = 0
        self.memory = memory
        self.threads = threads
        self._ticks = 0
        self._most = NO_LIMIT if most_positions is None else most_positions
        self._clock = clock
        self._deadline = None if seconds is None else clock() + seconds
        self._on_progress = on_progress
        self._stopped = False

    def stop(self) -> None:
        """End the search soon; call it from another thread or a signal handler."""
        self._stopped = True

    def spend(self) -> None:
        """Count a position. Raises `BudgetSpent`."""
        self.positions += 1
        if self.positions & 127 == 0 or self.positions > self._most or self._stopped:
            self.check()

    def counter(self) -> Callable[[int], None]:
        """Return a callback that takes the kernel's count of positions and raises `BudgetSpent`."""
        before = self.positions

        def count(positions: int) -> None:
            self.positions = before + positions
            self.check()

        return count

    @property
    def left(self) -> int:
        """How many more positions may be searched."""
        return max(0, self._most - self.positions)

    def tick(self) -> None:
        """Count a step that is not a position. Raises `BudgetSpent`."""
        self._ticks += 1
        if self._ticks & 15 == 0 or self._stopped:
            self.check()

    def is_over(self) -> bool:
        """Tell whether the search was stopped or its time has run out."""
        return self._stopped or (self._deadline is not None and self._clock() >= self._deadline)

    def check(self) -> None:
        """Report progress, and check the count and the clock. Raises `BudgetSpent`."""
        if self._on_progress is not None:
            self._on_progress(self.positions)
        if self.positions > self._most or self.is_over():
            raise BudgetSpent
