"""Waits for conditions in tests, never for a number of seconds."""

import time
from collections.abc import Iterator


def wait_until(what: str, seconds: float = 30.0) -> Iterator[None]:
    """Poll: repeat the loop's body until it breaks, and fail if it never does."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        yield
        time.sleep(0.02)
    raise AssertionError(f"This never happened: {what}.")
