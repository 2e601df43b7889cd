"""Turns: in one pass of the event loop, each address may do only a little work."""

import asyncio
from collections import deque
from collections.abc import Callable

Callback = Callable[[], None]


class Turns:
    """Counts the turns of each address in this pass of the event loop.

    A pass handles everything that has arrived. An address that sends a lot at once would make it
    long, and everyone else would have to wait for its end.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._taken: dict[str, int] = {}
        self._waiting: dict[str, deque[Callback]] = {}
        self._is_scheduled = False

    def take(self, address: str) -> bool:
        """Take a turn in this pass. Return False if the address has had all of its turns."""
        taken = self._taken.get(address, 0)
        if taken >= self._most:
            return False
        self._taken[address] = taken + 1
        self._schedule()
        return True

    async def turn(self, address: str) -> None:
        """Wait for a turn, and take it."""
        while not self.take(address):
            next_pass = asyncio.Event()
            self.wait(address, next_pass.set)
            await next_pass.wait()

    def wait(self, address: str, then: Callback) -> None:
        """Call `then` in one of the next passes; it should try to take a turn again."""
        self._waiting.setdefault(address, deque()).append(then)
        self._schedule()

    def _schedule(self) -> None:
        if not self._is_scheduled:
            self._is_scheduled = True
            asyncio.get_running_loop().call_soon(self._begin_pass)

    def _begin_pass(self) -> None:
        self._is_scheduled = False
        self._taken.clear()
        for address in list(self._waiting):
            waiting = self._waiting[address]
            for _ in range(min(self._most, len(waiting))):
                waiting.popleft()()
            if not waiting:
                del self._waiting[address]
        if self._waiting:
            self._schedule()
