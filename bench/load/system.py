"""The interface between the driver and the servers it measures."""

import asyncio
from abc import ABC, abstractmethod
from pathlib import Path
from time import perf_counter


class PlayError(Exception):
    """A move was refused or got an unexpected answer."""


class Seat:
    """A connected player.

    `last` is the last number taken and `over` whether the game is over, as of the last message.
    """

    def __init__(self) -> None:
        self.over = False
        self.last: int | None = None
        self._expected: tuple[str, int | None] | None = None
        self._future: asyncio.Future[float] | None = None

    def expect(self, what: str, version: int | None) -> asyncio.Future[float]:
        """Return a future for the time, by `perf_counter`, at which this message arrives.

        `version` None accepts any version. The future raises `PlayError` if the version differs,
        the move is refused, or the connection is lost.
        """
        self._expected = what, version
        self._future = asyncio.get_running_loop().create_future()
        return self._future

    def receive(self, what: str, version: int) -> None:
        """Handle a message from the server."""
        if self._expected is None or what != self._expected[0]:
            return
        expected = self._expected[1]
        if expected is None or version == expected:
            self._settle(perf_counter())
        else:
            self._settle(PlayError(f"{what} came with version {version}, not {expected}"))

    def fail(self, reason: str) -> None:
        """Fail the message that is expected."""
        self._settle(PlayError(reason))

    def _settle(self, outcome: float | PlayError) -> None:
        self._expected = None
        if self._future is None or self._future.done():
            return
        if isinstance(outcome, PlayError):
            self._future.set_exception(outcome)
            self._future.exception()  # silences the warning if nothing awaits it any more
        else:
            self._future.set_result(outcome)


def check_taken(number: int, *seats: Seat) -> None:
    """Raise `PlayError` unless all seats know that this number was taken."""
    for seat in seats:
        if seat.last != number:
            raise PlayError(f"{number} was taken, but a player saw {seat.last}")


class Match(ABC):
    """A match between two connected players."""

    @abstractmethod
    async def take(self, number: int) -> float:
        """Let the player to move take a number. Return when the move was acknowledged.

        Waits until the opponent knows of the move. The time is by `perf_counter`. Raises
        `PlayError`.
        """

    @abstractmethod
    async def play_again(self) -> None:
        """Start the next game. Raises `PlayError` if the current one is not over."""

    @abstractmethod
    def leave(self) -> None:
        """Disconnect both players."""


class System(ABC):
    """A server under test, in one or more processes."""

    name: str
    title: str

    @abstractmethod
    async def start(self, folder: Path) -> None:
        """Start the server. It stores its data in the folder, which exists."""

    @abstractmethod
    async def create_match(self) -> Match:
        """Create a match with both players connected."""

    @abstractmethod
    def cpu(self) -> float:
        """Return the CPU seconds it has used."""

    @abstractmethod
    def stop(self) -> None:
        """Stop its processes, even if they have not finished starting."""
