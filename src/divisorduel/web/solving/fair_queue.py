"""The queue in which jobs wait for a solver process: fair between addresses."""

import asyncio
from collections import OrderedDict, deque
from contextlib import suppress
from dataclasses import dataclass

from divisorduel.rules.errors import DuelError

MOST_WAITING = 100
"""How many jobs of one group may wait."""


class SolverBusy(DuelError):
    """Too many jobs are waiting, or this one has waited too long."""

    code = "server-busy"

    def __init__(self) -> None:
        super().__init__("The server is busy. Try again in a moment.")


@dataclass(frozen=True, slots=True)
class JobGroup:
    """The jobs that wait for each other: of one kind, and from one address."""

    address: str
    coach: bool
    """Whether these are questions to the coach, and not moves of computer players."""
    long: bool = False
    """Whether these jobs have had a short try and need more time."""


class FairQueue:
    """Hands out a number of slots. Groups take turns, so that no address can hold up another.

    Long jobs never have the last slot, if there are two or more. Short ones need not wait for them.
    """

    def __init__(self, slots: int) -> None:
        self._free = slots
        self._free_for_long = max(1, slots - 1)
        self._groups: OrderedDict[JobGroup, deque[asyncio.Future[None]]] = OrderedDict()
        """The groups in which jobs wait, in the order of their turns."""

    async def acquire(self, group: JobGroup, max_wait: float | None) -> None:
        """Wait for a slot. Raises `SolverBusy` after ``max_wait`` seconds; None sets no limit."""
        waiting = self._groups.setdefault(group, deque())
        if len(waiting) >= MOST_WAITING:
            raise SolverBusy
        turn = asyncio.get_running_loop().create_future()
        waiting.append(turn)
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
                raise SolverBusy from None
            raise

    def release(self, group: JobGroup) -> None:
        """Give a slot back."""
        self._free += 1
        self._free_for_long += group.long
        self._hand_out()

    def _hand_out(self) -> None:
        while self._free and (group := self._next()) is not None:
            turn = self._groups[group].popleft()
            self._groups.move_to_end(group)
            if not self._groups[group]:
                del self._groups[group]
            if not turn.done():
                turn.set_result(None)
                self._free -= 1
                self._free_for_long -= group.long

    def _next(self) -> JobGroup | None:
        """Return the group whose turn it is, if it may have a slot."""
        return next((one for one in self._groups if self._free_for_long or not one.long), None)

    def _leave(self, group: JobGroup, turn: "asyncio.Future[None]") -> None:
        waiting = self._groups.get(group, deque())
        with suppress(ValueError):
            waiting.remove(turn)
        if not waiting:
            self._groups.pop(group, None)
