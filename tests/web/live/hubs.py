"""Hubs without a server, on a fake clock."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from random import Random
from typing import Any, NoReturn

from sqlalchemy import Engine
from sqlalchemy.exc import OperationalError

from divisorduel import Match
from divisorduel.play.commands import Take
from divisorduel.play.events import MoveUndone, NumberTaken, Seat
from divisorduel.store.rooms import Rooms, Step, StoredMatch
from divisorduel.web.background import Background
from divisorduel.web.bot_players import BotPlayers
from divisorduel.web.live.clocks import Clocks
from divisorduel.web.live.computer_players import ComputerPlayers
from divisorduel.web.live.hub import CommandResult, Hub
from divisorduel.web.live.live_match import LiveMatch
from divisorduel.web.live.presence import REFRESH_EVERY
from divisorduel.web.server_settings import ServerSettings
from divisorduel.web.solving.solver_pool import SolverPool
from divisorduel.words.refusals import refusal_text
from tests.conftest import small_game

SETTINGS = ServerSettings(database="", claim_after=120)
ID = "m"


class FakeClock:
    """A clock that only the test moves, and a steady one beside it."""

    def __init__(self) -> None:
        self.now = 1_000_000.0
        self._steady = 5_000.0

    def __call__(self) -> float:
        return self.now

    def steady(self) -> float:
        return self._steady

    def advance(self, seconds: float) -> None:
        """Let time pass."""
        self.now += seconds
        self._steady += seconds

    def jump(self, seconds: float) -> None:
        """Set the time of day, or let the machine sleep."""
        self.now += seconds


class FakeListener:
    """A listener that records what it is sent."""

    def __init__(self, seats: int) -> None:
        self.seats = seats
        self.received: list[str] = []
        self.dismissed = False

    def tell(self, message: str) -> None:
        self.received.append(message)

    def dismiss(self) -> None:
        self.dismissed = True


def one_solver() -> SolverPool:
    """Return a pool of one solver, which thinks for a second."""
    return SolverPool(1, 1.0, 1 << 30)


@asynccontextmanager
async def hub_on(
    rooms: Rooms, clock: FakeClock, workers: SolverPool | None = None
) -> AsyncIterator[Hub]:
    """Run a hub for a while."""
    workers, background = workers or one_solver(), Background()
    clocks = Clocks(clock, clock.steady)
    computers = ComputerPlayers(workers, background, BotPlayers({}), Random(1))
    hub = Hub(rooms, background, SETTINGS, clocks, computers)
    try:
        yield hub
    finally:
        await hub.stop()
        background.close()
        workers.close()


async def take(hub: Hub, live: LiveMatch, seat: Seat, number: int) -> None:
    """Let a player take a number."""
    outcome = await hub.submit(live, seat, Take(number), live.match.version)
    assert refusal_reason(outcome) == ""


# --- the cache


def stored_match(clock: FakeClock, match_id: str = ID, **more: Any) -> StoredMatch:
    """Return a new match, by default of two people on two devices."""
    match = more.pop("match", None) or Match.of(small_game("chain"))
    match = replace(match, **{"apart": True, **more})
    return StoredMatch(match_id, match, "2026-11-15", hints=True, listed=False, created=clock())


def steps_of(match_id: str, count: int) -> list[Step]:
    """Return this many steps, which take and undo a move in turn."""
    taking, undoing = (NumberTaken(8),), (MoveUndone(8),)
    return [Step(match_id, n, taking if n % 2 else undoing, 1.0) for n in range(1, count + 1)]


def hashes(name: str = ID) -> dict[str, int]:
    """Return the hashed keys to a match, one for each seat."""
    return {f"{name}1".ljust(64, "-"): 1, f"{name}2".ljust(64, "-"): 2}


def run_on_one_hub(engine: Engine, scenario: Callable[[Hub, FakeClock], Awaitable[None]]) -> None:
    """Run a test on one hub with a match of two people."""

    async def run() -> None:
        clock = FakeClock()
        async with hub_on(Rooms(engine, "here"), clock) as hub:
            await hub.create(stored_match(clock), hashes())
            await scenario(hub, clock)

    asyncio.run(run())


def run_on_two_hubs(
    engine: Engine, scenario: Callable[[Hub, Hub, FakeClock], Awaitable[None]]
) -> None:
    """Run a test on two hubs that share a database and a match of two people."""

    async def run() -> None:
        clock = FakeClock()
        async with (
            hub_on(Rooms(engine, "here"), clock) as here,
            hub_on(Rooms(engine, "there"), clock) as there,
        ):
            await here.create(stored_match(clock), hashes())
            await scenario(here, there, clock)

    asyncio.run(run())


def refusal_reason(outcome: CommandResult) -> str:
    """Return why a command was refused, as a sentence, or an empty text if it was not."""
    return refusal_text(outcome.refusal, outcome.before) if outcome.refusal else ""


async def live_match(hub: Hub, match_id: str = ID) -> LiveMatch:
    """Return the live match, which must exist."""
    live = await hub.find(match_id)
    assert live is not None
    return live


async def wait_for_writes(hub: Hub) -> None:
    """Wait until everything is written."""
    await hub._writer.flush()


async def pass_time(clock: FakeClock, seconds: float, *hubs: Hub) -> None:
    """Advance the clock, and do the regular tasks of a server."""
    while seconds > 0:
        clock.advance(min(seconds, REFRESH_EVERY))
        seconds -= REFRESH_EVERY
        for hub in hubs:
            await hub.refresh()
            await wait_for_writes(hub)


def fail_to_read(*_: object) -> NoReturn:
    """Do what a query does when the database is gone."""
    raise OperationalError("", {}, Exception("gone"))
