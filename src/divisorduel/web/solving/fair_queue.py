"""The queue in which jobs wait for a solver process: fair between addresses."""

import asyncio
from collections import Counter, OrderedDict, deque
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice

from divisorduel.rules.errors import DuelError

MOST_WAITING = 100
"""How many jobs of one group may wait."""


class ServerBusy(DuelError):
    """Too many jobs are waiting, or this one has waited too long."""

    code = "server-busy"

    def __init__(self) -> None:
        super().__init__("The server is busy. Try again in a moment.")


@dataclass(frozen=True, slots=True)
class JobGroup:
    """The jobs that wait for each other: of one kind and length, and from one address."""

    address: str
    for_people: bool
    """Whether people asked for these jobs, mostly through the coach, or computer players."""
    long: bool = False
    """Whether these jobs have had a short try and need more time."""


class FairQueue:
    """Hands out a number of slots. Addresses take turns, so that no address can hold up another.

    An address that has a slot, or had the last one, lets the others go first. So while the only job
    of an address waits, every other address starts at most one job of the same length, and none if
    one is running already. Within an address, the coach and the computer players take turns.

    Long jobs never have the last slot, if there are two or more. Short ones need not wait for them.
    """

    def __init__(self, slots: int) -> None:
        self._slots = self._free = slots
        self._free_for_long = max(1, slots - 1)
        self._groups: dict[JobGroup, deque[asyncio.Future[None]]] = {}
        """The groups in which jobs wait."""
        self._turns: OrderedDict[tuple[str, bool], list[JobGroup]] = OrderedDict()
        """These groups by address and length, both in the order of their turns."""
        self._running: Counter[tuple[str, bool]] = Counter()

    async def acquire(self, group: JobGroup, max_wait: float | None) -> None:
        """Wait for a slot. Raises `ServerBusy` after ``max_wait`` seconds; None sets no limit."""
        if len(self._groups.get(group, ())) >= MOST_WAITING:
            raise ServerBusy
        turn = asyncio.get_running_loop().create_future()
        self._enter(group, turn)
        self._hand_out()
        try:
            async with asyncio.timeout(max_wait):
                await turn
        except (TimeoutError, asyncio.CancelledError) as error:
            if turn.cancelled():
                self._leave(group, turn)
            else:  # the slot came at the same moment
                self.release(group)
            if isinstance(error, TimeoutError):
                raise ServerBusy from None
            raise

    def release(self, group: JobGroup) -> None:
        """Give a slot back."""
        self._free += 1
        self._free_for_long += group.long
        self._running[_turn_of(group)] -= 1
        if not self._running[_turn_of(group)]:
            del self._running[_turn_of(group)]
        if _turn_of(group) in self._turns:
            self._turns.move_to_end(_turn_of(group))
        self._hand_out()

    def _hand_out(self) -> None:
        while self._free and (group := self._next()) is not None:
            turn = self._groups[group][0]
            self._leave(group, turn)
            if not turn.done():
                turn.set_result(None)
                self._free -= 1
                self._free_for_long -= group.long
                self._running[_turn_of(group)] += 1
                if group in self._groups:  # the other group of this address is next
                    self._turns[_turn_of(group)].remove(group)
                    self._turns[_turn_of(group)].append(group)

    def _next(self) -> JobGroup | None:
        """Return the group whose turn it is, if it may have a slot."""
        may_start = (one for one in self._turns if self._free_for_long or not one[1])
        # At most as many as there are slots have one, so this includes the first one without.
        first = islice(may_start, self._slots + 1)
        turn = min(first, key=self._running.__getitem__, default=None)
        return None if turn is None else self._turns[turn][0]

    def _enter(self, group: JobGroup, turn: "asyncio.Future[None]") -> None:
        if group not in self._groups:
            self._groups[group] = deque()
            self._turns.setdefault(_turn_of(group), []).append(group)
        self._groups[group].append(turn)

    def _leave(self, group: JobGroup, turn: "asyncio.Future[None]") -> None:
        waiting = self._groups.get(group, deque())
        with suppress(ValueError):
            waiting.remove(turn)
        if group in self._groups and not waiting:
            del self._groups[group]
            self._turns[_turn_of(group)].remove(group)
            if not self._turns[_turn_of(group)]:
                del self._turns[_turn_of(group)]


def _turn_of(group: JobGroup) -> tuple[str, bool]:
    return group.address, group.long
