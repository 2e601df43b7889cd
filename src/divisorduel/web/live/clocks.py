"""Two clocks: one that shows the time of day, and one that never jumps.

Times that processes share through the database are times of day. Everything else is measured with
the steady clock, because the time of day can be set, and moves on while the machine sleeps.
"""

import time
from collections.abc import Callable

Clock = Callable[[], float]

LARGEST_DRIFT = 1.0
"""How many seconds the clocks may drift apart before that counts as a jump."""


class Clocks:
    """The two clocks, and the difference between them."""

    def __init__(self, wall: Clock = time.time, steady: Clock = time.monotonic) -> None:
        self.wall = wall
        """The time of day, in seconds since 1970."""
        self.steady = steady
        self._difference = wall() - steady()

    def have_jumped(self) -> bool:
        """Tell whether the time of day has jumped since this was last asked."""
        difference = self.wall() - self.steady()
        if abs(difference - self._difference) <= LARGEST_DRIFT:
            return False
        self._difference = difference
        return True

    def to_wall(self, steady: float) -> float:
        """Return the time of day at a time of the steady clock."""
        return steady + self._difference

    def to_steady(self, wall: float) -> float:
        """Return the time of the steady clock at a time of day."""
        return wall - self._difference
