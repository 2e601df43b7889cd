"""The queue in which jobs wait for a solver process: fair between addresses."""

import asyncio
from collections import OrderedDict, deque
from contextlib import suppress
from dataclasses import dataclass

from divisorduel.rules.errors import DuelError

MOST_WAITING = 100
"""How many jobs of one line may wait."""


class SolverBusy(DuelError):
    """Too many jobs are waiting, or this one has waited too long."""

    code = "server-busy"

    def __init__(self) -> None:
        super().__init__("The server is busy. Try again in a moment.")


@dataclass(frozen=True, slots=True)
class Line:
    """The jobs that wait for each other: of one kind, and from one address."""

    address: str
    coach: bool
    """Whether these are questions to the coach, and not moves of computer players."""
    long: bool = False
    """Whether these jobs have had a short try and need more time."""


class FairQueue:
    """Hands out a number of slots. Lines take turns, so that no address can hold up another.

    Long jobs never have the last slot, if there are two or more. Short ones need not wait for them.
    """

    def __init__(self, slots: int) -> None:
        self._free = slots
        self._free_for_long = max(1, slots - 1)
        self._lines: OrderedDict[Line, deque[asyncio.Future[None]]] = OrderedDict()
        """The lines in which jobs wait, in the order of their turns."""

    async def acquire(self, line: Line, max_wait: float) -> None:
        """Wait for a slot. Raises `SolverBusy` after ``max_wait`` seconds."""
        waiting = self._lines.setdefault(line, deque())
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
                self._leave(line, turn)
            else:  # the slot came at the same moment
                self.release(line)
            if isinstance(error, TimeoutError):
                raise SolverBusy from None
            raise

    def release(self, line: Line) -> None:
        """Give a slot back."""
        self._free += 1
        self._free_for_long += line.long
        self._hand_out()

    def _hand_out(self) -> None:
        while self._free and (line := self._next()) is not None:
            turn = self._lines[line].popleft()
            self._lines.move_to_end(line)
            if not self._lines[line]:
                del self._lines[line]
            if not turn.done():
                turn.set_result(None)
                self._free -= 1
                self._free_for_long -= line.long

    def _next(self) -> Line | None:
        """Return the line whose turn it is, if it may have a slot."""
        return next((one for one in self._lines if self._free_for_long or not one.long), None)

    def _leave(self, line: Line, turn: "asyncio.Future[None]") -> None:
        waiting = self._lines.get(line, deque())
        with suppress(ValueError):
            waiting.remove(turn)
        if not waiting:
            self._lines.pop(line, None)
