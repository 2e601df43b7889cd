"""Writes to the database from one thread, in batches.

Whatever arrives while a batch is written forms the next one, so a thousand moves a second need only
a few hundred transactions. Every move is on disk before it is acknowledged.
"""

import asyncio
import logging
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TypeVar

from divisorduel.store.rooms import PlayerPresence, Rooms, Step

BATCH_SIZE = 500

T = TypeVar("T")
Written = Callable[[bool | Exception], None]
"""Takes what became of a step: True if it is on disk, False if its version already existed, or the
error that kept it from being written."""

log = logging.getLogger("divisorduel")


class BatchWriter:
    """The only writer of a process. Call its methods from the event loop."""

    def __init__(self, rooms: Rooms) -> None:
        self._rooms = rooms
        self._thread = ThreadPoolExecutor(1, "writer")
        self._steps: list[tuple[Step, Written]] = []
        self._presence: list[PlayerPresence] = []
        self._is_writing = False
        self._idle = asyncio.Event()
        self._idle.set()

    def add(self, step: Step, then: Written) -> None:
        """Queue a step, to be written at once, and call `then` with what became of it."""
        self._steps.append((step, then))
        self._start()

    async def write(self, step: Step) -> bool:
        """Write a step. Returns when it is on disk, with False if its version already existed."""
        written: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self.add(step, partial(_settle, written))
        return await written

    def add_presence(self, *seen: PlayerPresence) -> None:
        """Queue who is present, to be written soon."""
        self._presence += seen
        self._start()

    async def run(self, job: Callable[[], T]) -> T:
        """Run another database job in the writer's thread."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, job)

    async def flush(self) -> None:
        """Wait until everything that is queued has been written."""
        await self._idle.wait()

    async def close(self) -> None:
        """Write everything that is queued, and stop."""
        await self.flush()
        self._thread.shutdown()

    def _start(self) -> None:
        """Write soon, together with what else arrives in this turn of the loop."""
        if not self._is_writing:
            self._is_writing = True
            self._idle.clear()
            loop = asyncio.get_running_loop()
            loop.call_soon(self._write_next, loop)

    def _write_next(self, loop: asyncio.AbstractEventLoop) -> None:
        waiting, self._steps = self._steps[:BATCH_SIZE], self._steps[BATCH_SIZE:]
        seen, self._presence = self._presence, []
        if waiting or seen:
            self._thread.submit(self._write, loop, waiting, seen)
        else:
            self._is_writing = False
            self._idle.set()

    def _write(
        self,
        loop: asyncio.AbstractEventLoop,
        waiting: Sequence[tuple[Step, Written]],
        seen: Sequence[PlayerPresence],
    ) -> None:
        """Write a batch, in the thread."""
        results: Sequence[bool | Exception]
        try:
            results = self._rooms.write([step for step, _ in waiting], seen)
        except Exception as error:  # pass it on to every caller
            results = [error] * len(waiting)
        loop.call_soon_threadsafe(self._finish, loop, waiting, results)

    def _finish(
        self,
        loop: asyncio.AbstractEventLoop,
        waiting: Sequence[tuple[Step, Written]],
        results: Sequence[bool | Exception],
    ) -> None:
        """Tell the callers of a batch, then begin the next one.

        Meanwhile the thread is idle: it would compete with the loop for the GIL, and waiting makes
        the next batch larger.
        """
        for (_, then), result in zip(waiting, results, strict=True):
            try:
                then(result)
            except Exception:  # the others must still be told
                log.exception("A step was written, but could not be published.")
        loop.call_soon(self._write_next, loop)


def _settle(written: "asyncio.Future[bool]", result: bool | Exception) -> None:
    if written.done():  # the caller was cancelled
        return
    if isinstance(result, Exception):
        written.set_exception(result)
    else:
        written.set_result(result)
