"""In one pass of the event loop, an address that sends a lot does not hold up the others."""

import asyncio
from collections import deque
from functools import partial

from divisorduel.web.turns import Turns


class Sender:
    """Sends messages from an address, each of which needs a turn."""

    def __init__(self, turns: Turns, address: str, messages: int, log: list[str]) -> None:
        self._turns, self._address, self._log = turns, address, log
        self._unread = deque(range(messages))

    def send_all(self) -> None:
        while self._unread:
            if not self._turns.take(self._address):
                self._turns.wait(self._address, self.send_all)
                return
            self._unread.popleft()
            self._log.append(self._address)


def test_many_connections_of_one_address_share_its_turns() -> None:
    async def send() -> str:
        turns, log = Turns(3), list[str]()
        for _ in range(10):
            Sender(turns, "a", 10, log).send_all()
        await asyncio.sleep(0)
        Sender(turns, "b", 4, log).send_all()
        while len(log) < 104:
            await asyncio.sleep(0)
        return "".join(log)

    log = asyncio.run(asyncio.wait_for(send(), 60))
    assert log.startswith("aaa")
    assert log.rindex("b") < 30
    assert log.count("a") == 100


def test_a_sender_that_no_longer_needs_its_turn_holds_up_no_one() -> None:
    async def send() -> list[str]:
        turns, log = Turns(1), list[str]()
        assert turns.take("a")
        turns.wait("a", lambda: None)
        turns.wait("a", partial(log.append, "served"))
        while not log:
            await asyncio.sleep(0)
        return log

    assert asyncio.run(asyncio.wait_for(send(), 60)) == ["served"]


def test_tasks_of_one_address_take_turns_with_those_of_others() -> None:
    async def send() -> str:
        turns, log = Turns(2), list[str]()

        async def say(address: str) -> None:
            await turns.turn(address)
            log.append(address)

        async with asyncio.TaskGroup() as tasks:
            for address in "a" * 50 + "b":
                tasks.create_task(say(address))
        return "".join(log)

    log = asyncio.run(asyncio.wait_for(send(), 60))
    assert log.index("b") <= 2
    assert log.count("a") == 50
