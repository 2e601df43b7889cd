"""How often one address may ask: a bucket that fills at a steady rate and empties by use."""

from collections import OrderedDict
from collections.abc import Callable

MOST_ADDRESSES = 10_000


class RateLimit:
    """So many a minute for each address, all at once if it likes."""

    def __init__(self, a_minute: int, clock: Callable[[], float]) -> None:
        self._most = float(a_minute)
        self._clock = clock
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def allows(self, address: str) -> bool:
        """Tell whether the address may ask once more, and count it if so."""
        now = self._clock()
        left, then = self._buckets.pop(address, (self._most, now))
        left = min(self._most, left + (now - then) * self._most / 60)
        allowed = left >= 1
        self._buckets[address] = (left - 1 if allowed else left, now)
        if len(self._buckets) > MOST_ADDRESSES:
            self._buckets.popitem(last=False)
        return allowed
