"""What the driver asks of a server that it measures."""

import asyncio
from abc import ABC, abstractmethod
from pathlib import Path
from time import perf_counter


class PlayError(Exception):
    """A move that was refused, or acknowledged with something else than was expected."""


class Seat:
    """A connected player, who hears of versions of the game.

    `last` is the last number taken and `over` whether the game is over, as far as it has heard.
    """

    def __init__(self) -> None:
        self.over = False
        self.last: int | None = None
        self._expected: tuple[str, int | None] | None = None
        self._heard: asyncio.Future[float] | None = None

    def expect(self, what: str, version: int | None) -> asyncio.Future[float]:
        """Return when the server says this about this version, as a time of `perf_counter`.

        None is any version. Another version, a refusal or a lost connection raises `PlayError`.
        """
        self._expected = what, version
        self._heard = asyncio.get_running_loop().create_future()
        return self._heard

    def hear(self, what: str, version: int) -> None:
        """Note what the server has said."""
        if self._expected is None or what != self._expected[0]:
            return
        wanted = self._expected[1]
        if wanted is None or version == wanted:
            self._settle(perf_counter())
        else:
            self._settle(PlayError(f"{what} came with version {version}, not {wanted}"))

    def fail(self, why: str) -> None:
        """Note that what is expected will not come."""
        self._settle(PlayError(why))

    def _settle(self, outcome: float | PlayError) -> None:
        self._expected = None
        if self._heard is None or self._heard.done():
            return
        if isinstance(outcome, PlayError):
            self._heard.set_exception(outcome)
            self._heard.exception()  # if nobody waits any more, that is no news
        else:
            self._heard.set_result(outcome)


def check_taken(number: int, *seats: Seat) -> None:
    """Raise `PlayError` unless all have heard that this number was taken."""
    for seat in seats:
        if seat.last != number:
            raise PlayError(f"{number} was taken, but a player heard of {seat.last}")


class Table(ABC):
    """A game in progress between two players, both connected."""

    @abstractmethod
    async def take(self, number: int) -> float:
        """Let the player whose turn it is take a number; return when it was acknowledged.

        The time is one of `perf_counter`. It returns once the opponent has heard of the move, too.
        Raises `PlayError`.
        """

    @abstractmethod
    async def play_again(self) -> None:
        """Start a fresh game between the two, after the last one has come to its end.

        Raises `PlayError` if that is not over.
        """

    @abstractmethod
    def leave(self) -> None:
        """Disconnect both players."""


class System(ABC):
    """A server, as its own process or processes."""

    name: str
    title: str

    @abstractmethod
    async def start(self, folder: Path) -> None:
        """Start it; whatever it keeps goes into the folder, which exists."""

    @abstractmethod
    async def deal(self) -> Table:
        """Start a game, with both players connected."""

    @abstractmethod
    def cpu(self) -> float:
        """Return how many seconds of processor time it has used."""

    @abstractmethod
    def stop(self) -> None:
        """End its processes, however far they have come."""
