"""A match in memory: whose turn it is to change it, and who is told."""

import asyncio

from divisorduel.web.live.live_match import MatchLock


def test_a_lock_is_handed_to_tasks_in_the_order_in_which_they_ask_for_it() -> None:
    async def scenario() -> None:
        lock, order = MatchLock(), list[int]()

        async def hold(number: int) -> None:
            async with lock:
                order.append(number)
                await asyncio.sleep(0)

        assert lock.acquire_now()
        tasks = [asyncio.create_task(hold(number)) for number in range(5)]
        await asyncio.sleep(0)
        assert (order, lock.acquire_now()) == ([], False)
        lock.release()
        assert not lock.acquire_now()  # waiting tasks come first
        await asyncio.gather(*tasks)
        assert order == [0, 1, 2, 3, 4]
        assert lock.acquire_now()

    asyncio.run(scenario())


def test_a_task_that_is_cancelled_does_not_keep_the_lock() -> None:
    async def scenario() -> None:
        lock, order = MatchLock(), list[int]()

        async def hold(number: int) -> None:
            async with lock:
                order.append(number)

        lock.acquire_now()
        tasks = [asyncio.create_task(hold(number)) for number in range(4)]
        await asyncio.sleep(0)
        tasks[0].cancel()  # while it waits
        lock.release()
        tasks[1].cancel()  # once the lock was handed to it
        await asyncio.gather(*tasks, return_exceptions=True)
        assert order == [2, 3]
        assert not lock.is_held

    asyncio.run(scenario())
