"""Threads for slow work, so that neither the event loop nor the look-up of keys waits for it."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

SHORT_THREADS = 2

T = TypeVar("T")


class Background:
    """Two lanes: slow jobs run one after the other, and do not hold up the rest."""

    def __init__(self) -> None:
        self._short = ThreadPoolExecutor(SHORT_THREADS, "short")
        self._long = ThreadPoolExecutor(1, "long")

    async def run(self, job: Callable[[], T], *, long: bool) -> T:
        """Do something in a thread. What can take more than 50 milliseconds is `long`."""
        lane = self._long if long else self._short
        return await asyncio.get_running_loop().run_in_executor(lane, job)

    def close(self) -> None:
        """Stop when the current work is done."""
        for lane in (self._short, self._long):
            lane.shutdown(cancel_futures=True)
