"""Threads for slow work, so that neither the event loop nor the look-up of keys waits for it."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from divisorduel.web.solving.fair_queue import FairQueue, JobGroup

SHORT_THREADS = 2
MOST_SECONDS = 30.0
"""How long a job may wait for a thread."""

T = TypeVar("T")


class Background:
    """Two lanes: slow jobs run one after the other, and do not hold up the rest.

    In each lane, addresses take turns.
    """

    def __init__(self) -> None:
        self._short = _Lane("short", SHORT_THREADS)
        self._long = _Lane("long", 1)

    async def run(
        self, job: Callable[[], T], *, address: str, long: bool, computer: bool = False
    ) -> T:
        """Do something in a thread, for a client or a computer player at this address.

        What can take more than 50 milliseconds is `long`. Raises `ServerBusy` if too many jobs of
        the address are waiting, or if this one has waited too long.
        """
        lane = self._long if long else self._short
        group = JobGroup(address, for_people=not computer)
        await lane.queue.acquire(group, MOST_SECONDS)
        try:
            return await asyncio.get_running_loop().run_in_executor(lane.threads, job)
        finally:
            lane.queue.release(group)

    def close(self) -> None:
        """Stop when the current work is done."""
        for lane in (self._short, self._long):
            lane.threads.shutdown(cancel_futures=True)


class _Lane:
    def __init__(self, name: str, threads: int) -> None:
        self.threads = ThreadPoolExecutor(threads, name)
        self.queue = FairQueue(threads)
