"""Writes to the database from one thread: whatever waits meanwhile is written together.

So a thousand moves a second need only a few dozen transactions, and each is on disk before it is
acknowledged.
"""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from divisorduel.store.rooms import Presence, Rooms, Step

MOST_AT_ONCE = 500
GATHERING = 0.008
UNREACHABLE = "The database cannot be reached just now; try again in a moment."

T = TypeVar("T")


class BatchWriter:
    """The one who writes; everything is called from the event loop."""

    def __init__(self, rooms: Rooms) -> None:
        self._rooms = rooms
        self._thread = ThreadPoolExecutor(1, "writing")
        self._steps: list[tuple[Step, asyncio.Future[bool]]] = []
        self._seen: list[Presence] = []
        self._writing: asyncio.Task[None] | None = None

    async def write(self, step: Step) -> bool:
        """Write a step; return when it is on disk, False if its version was there already."""
        written: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self._steps.append((step, written))
        self._go_on()
        return await written

    def note(self, *seen: Presence) -> None:
        """Write who is there, soon."""
        self._seen += seen
        self._go_on()

    async def run(self, job: Callable[[], T]) -> T:
        """Let the thread do something else with the database."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, job)

    async def close(self) -> None:
        """Finish what waits."""
        if self._writing is not None:
            await self._writing
        self._thread.shutdown()

    def _go_on(self) -> None:
        if self._writing is None or self._writing.done():
            self._writing = asyncio.create_task(self._write_all())

    async def _write_all(self) -> None:
        while self._steps or self._seen:
            waiting, self._steps = self._steps[:MOST_AT_ONCE], self._steps[MOST_AT_ONCE:]
            seen, self._seen = self._seen, []
            await self._write(waiting, seen)
            if len(waiting) > 1:
                # Where many play, the next ones are gathered for a moment: a transaction costs far
                # more than one more row in it.
                await asyncio.sleep(GATHERING)

    async def _write(
        self, waiting: list[tuple[Step, asyncio.Future[bool]]], seen: list[Presence]
    ) -> None:
        steps = [step for step, _ in waiting]
        try:
            done = await self.run(lambda: self._rooms.write(steps, seen))
        except Exception as error:  # whoever waits is told of whatever it is
            for _, written in waiting:
                if not written.done():
                    written.set_exception(error)
            return
        for (_, written), is_written in zip(waiting, done, strict=True):
            if not written.done():
                written.set_result(is_written)
