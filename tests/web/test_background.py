"""The threads for slow work."""

import asyncio
from threading import Event

from divisorduel.web.background import Background


def test_what_takes_long_holds_up_nothing_that_is_short() -> None:
    may_end = Event()

    async def tell() -> None:
        background = Background()
        long = [
            asyncio.create_task(background.run(lambda: may_end.wait(30), long=True))
            for _ in range(5)
        ]
        await asyncio.sleep(0)
        assert [await background.run(lambda: 8, long=False) for _ in range(20)] == [8] * 20
        assert not any(task.done() for task in long)
        may_end.set()
        assert await asyncio.gather(*long) == [True] * 5
        background.close()

    asyncio.run(tell())


def test_closing_drops_what_has_not_begun() -> None:
    begun, may_end, done = Event(), Event(), list[int]()

    def work() -> None:
        begun.set()
        assert may_end.wait(30)
        done.append(1)

    async def tell() -> None:
        background = Background()
        tasks = [asyncio.create_task(background.run(work, long=True)) for _ in range(3)]
        while not begun.is_set():
            await asyncio.sleep(0.001)
        closing = asyncio.create_task(asyncio.to_thread(background.close))
        while not any(task.done() for task in tasks):  # the others are cancelled at once
            await asyncio.sleep(0.001)
        may_end.set()
        await closing
        await asyncio.gather(*tasks, return_exceptions=True)
        assert done == [1]

    asyncio.run(asyncio.wait_for(tell(), 60))
