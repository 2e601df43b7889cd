"""Writes to the database from one thread, in batches.

Whatever arrives while a batch is written forms the next one, so a thousand moves a second need only
a few hundred transactions. Every move is on disk before it is acknowledged.
"""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TypeVar

from divisorduel.store.rooms import Presence, Rooms, Step

BATCH_SIZE = 500

T = TypeVar("T")


class BatchWriter:
    """The only writer of a process. Call its methods from the event loop."""

    def __init__(self, rooms: Rooms) -> None:
        self._rooms = rooms
        self._thread = ThreadPoolExecutor(1, "writer")
        self._steps: list[tuple[Step, asyncio.Future[bool]]] = []
        self._presence: list[Presence] = []
        self._writing: asyncio.Task[None] | None = None

    async def write(self, step: Step) -> bool:
        """Write a step. Returns when it is on disk, with False if its version already existed."""
        written: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self._steps.append((step, written))
        self._start()
        return await written

    def add_presence(self, *seen: Presence) -> None:
        """Queue who is present, to be written soon."""
        self._presence += seen
        self._start()

    async def run(self, job: Callable[[], T]) -> T:
        """Run another database job in the writer's thread."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, job)

    async def close(self) -> None:
        """Write everything that is queued, and stop."""
        if self._writing is not None:
            await self._writing
        self._thread.shutdown()

    def _start(self) -> None:
        if self._writing is None or self._writing.done():
            self._writing = asyncio.create_task(self._write_all())

    async def _write_all(self) -> None:
        while self._steps or self._presence:
            waiting, self._steps = self._steps[:BATCH_SIZE], self._steps[BATCH_SIZE:]
            seen, self._presence = self._presence, []
            job = partial(self._rooms.write, [step for step, _ in waiting], seen)
            try:
                for (_, written), is_new in zip(waiting, await self.run(job), strict=True):
                    if not written.done():
                        written.set_result(is_new)
            except Exception as error:  # pass it on to every caller
                for _, written in waiting:
                    if not written.done():
                        written.set_exception(error)
