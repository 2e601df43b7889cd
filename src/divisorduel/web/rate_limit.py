"""Rate limits: a token bucket for each address."""

import time
from collections import OrderedDict
from collections.abc import Callable

MOST_ADDRESSES = 10_000


class RateLimit:
    """Allows each address a number of calls a minute, in a burst or spread out."""

    def __init__(self, a_minute: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._most = float(a_minute)
        self._clock = clock
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def allows(self, address: str, calls: int = 1) -> bool:
        """Count one or several calls, and return whether the address may make them."""
        now = self._clock()
        left, then = self._buckets.pop(address, (self._most, now))
        left = min(self._most, left + (now - then) * self._most / 60)
        allowed = left >= calls
        # Calls that are refused together use up what was left; they have been received already.
        self._buckets[address] = (left - calls if allowed else min(left, 1.0), now)
        if len(self._buckets) > MOST_ADDRESSES:
            self._buckets.popitem(last=False)
        return allowed
