"""The threads for slow work."""

import asyncio
from functools import partial
from threading import Event

import pytest

from divisorduel.web.background import Background
from divisorduel.web.solving.fair_queue import MOST_WAITING, ServerBusy


def test_long_work_does_not_hold_up_short_work() -> None:
    may_end = Event()

    async def tell() -> None:
        background = Background()
        long = [
            asyncio.create_task(background.run(lambda: may_end.wait(30), address="a", long=True))
            for _ in range(5)
        ]
        await asyncio.sleep(0)
        assert [await background.run(lambda: 8, address="a", long=False) for _ in range(20)] == [
            8
        ] * 20
        assert not any(task.done() for task in long)
        may_end.set()
        assert await asyncio.gather(*long) == [True] * 5
        background.close()

    asyncio.run(tell())


def test_closing_drops_work_that_has_not_begun() -> None:
    begun, may_end, done = Event(), Event(), list[int]()

    def work() -> None:
        begun.set()
        assert may_end.wait(30)
        done.append(1)

    async def tell() -> None:
        background = Background()
        tasks = [
            asyncio.create_task(background.run(work, address="a", long=True)) for _ in range(3)
        ]
        while not begun.is_set():
            await asyncio.sleep(0.001)
        closing = asyncio.create_task(asyncio.to_thread(background.close))
        while not background._long.threads._shutdown:
            await asyncio.sleep(0.001)
        may_end.set()
        await closing
        await asyncio.gather(*tasks, return_exceptions=True)
        assert done == [1]

    asyncio.run(asyncio.wait_for(tell(), 60))


def test_addresses_take_turns() -> None:
    may_end, done = Event(), list[str]()

    def job(name: str) -> None:
        assert may_end.wait(30)
        done.append(name)

    async def tell() -> None:
        background = Background()
        tasks = [
            asyncio.create_task(background.run(partial(job, name), address=name, long=True))
            for name in "aaaaaaaaaab"
        ]
        await asyncio.sleep(0)
        may_end.set()
        await asyncio.gather(*tasks)
        background.close()

    asyncio.run(asyncio.wait_for(tell(), 60))
    assert done.index("b") <= 2


@pytest.mark.parametrize("computer", [True, False])
def test_the_only_job_of_an_address_runs_after_the_one_that_is_running(computer: bool) -> None:
    may_end, done = Event(), list[str]()

    def job(name: str) -> None:
        assert may_end.wait(30)
        done.append(name)

    async def tell() -> None:
        background = Background()
        tasks = []
        for address, is_computer in [*[("a", True), ("a", False)] * 5, ("b", computer)]:
            run = partial(background.run, partial(job, address), address=address, long=True)
            tasks.append(asyncio.create_task(run(computer=is_computer)))
            await asyncio.sleep(0)
        may_end.set()
        await asyncio.gather(*tasks)
        background.close()

    asyncio.run(asyncio.wait_for(tell(), 60))
    assert done[:2] == ["a", "b"]


def test_an_address_has_a_limited_number_of_jobs_waiting() -> None:
    may_end = Event()

    async def tell() -> None:
        background = Background()
        wait = partial(may_end.wait, 30)
        tasks = [
            asyncio.create_task(background.run(wait, address="a", long=True))
            for _ in range(MOST_WAITING + 1)
        ]
        await asyncio.sleep(0)
        with pytest.raises(ServerBusy):
            await background.run(wait, address="a", long=True)
        may_end.set()
        assert await background.run(wait, address="b", long=True)
        assert all(await asyncio.gather(*tasks))
        background.close()

    asyncio.run(asyncio.wait_for(tell(), 60))
