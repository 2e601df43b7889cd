"""Long computations in threads, so that nothing else is blocked."""

import asyncio
import threading
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import TypeVar

T = TypeVar("T")


async def in_thread(job: Callable[[], T]) -> T:
    """Run a job in a thread of its own, which does not keep the program from ending."""
    loop = asyncio.get_running_loop()
    future: asyncio.Future[T] = loop.create_future()

    def run() -> None:
        try:
            result = job()
        except BaseException as error:  # it is raised where the result is awaited
            deliver(partial(future.set_exception, error))
        else:
            deliver(partial(future.set_result, result))

    def deliver(settle: Callable[[], None]) -> None:
        with suppress(RuntimeError):  # the program has ended in the meantime
            loop.call_soon_threadsafe(lambda: None if future.done() else settle())

    threading.Thread(target=run, daemon=True, name="thinking").start()
    return await future
