"""A limit on how often the log says the same thing."""

import logging
import time
from collections.abc import Callable

MINUTE = 60.0
MOST_A_MINUTE = 3
"""How often a message is logged in a minute, whatever its arguments."""
MOST_MESSAGES = 1_000
"""How many different messages are counted. Few messages have a different text each time."""


class LogLimit(logging.Filter):
    """Keeps requests that fail for the same reason, such as a full disk, from filling the log.

    The first message that is logged after some were left out says how many.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._clock = clock
        self._counted: dict[str, tuple[float, int]] = {}
        """When the minute of each message began, and how many there were since."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Count a message, and return whether it is logged."""
        now, message = self._clock(), str(record.msg)
        began, count = self._counted.get(message, (now, 0))
        if now - began >= MINUTE:
            left_out = max(0, count - MOST_A_MINUTE)
            if left_out:
                record.msg = f"{message} (and {left_out:,} more of these)"
            began, count = now, 0
        if len(self._counted) >= MOST_MESSAGES:
            self._counted.clear()
        self._counted[message] = began, count + 1
        return count < MOST_A_MINUTE
