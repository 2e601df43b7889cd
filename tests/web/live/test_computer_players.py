"""Computer players move when it is their turn, even when the database or a solver fails them."""

import asyncio
from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import Engine
from sqlalchemy.exc import OperationalError

from divisorduel import Match, game
from divisorduel.play.commands import Undo
from divisorduel.store.rooms import PlayerPresence, Rooms, Step
from divisorduel.web.background import Background
from divisorduel.web.live import computer_players
from divisorduel.web.live.hub import MOST_STEPS
from divisorduel.web.live.live_match import LiveMatch
from divisorduel.web.solving.fair_queue import ServerBusy
from divisorduel.web.solving.solver_pool import SolverPool
from tests.conftest import small_game
from tests.web.live.hubs import (
    ID,
    FakeClock,
    FakeListener,
    hub_on,
    live_match,
    one_solver,
    refusal_reason,
    stored_match,
    take,
)

HARD = "antichain 2-1001 2-1001 -"


class UnreliableRooms(Rooms):
    """Rooms whose database can be down for a while."""

    is_down = False

    def write(self, taken: list[Step], seen: list[PlayerPresence]) -> list[bool]:  # type: ignore[override]  # as the writer calls it
        if self.is_down:
            raise OperationalError("", {}, Exception("down"))
        return super().write(taken, seen)


def legal_move(live: LiveMatch) -> int:
    return live.match.game.moves(live.match.current.position)[0]


async def _until_idle(live: LiveMatch) -> None:
    while live.thinking is not None:
        await asyncio.sleep(0.01)


@pytest.mark.parametrize("connected", [True, False], ids=["connected", "calling"])
def test_a_computers_move_that_could_not_be_saved_is_made_later(
    engine: Engine, connected: bool
) -> None:
    async def scenario() -> None:
        clock, rooms = FakeClock(), UnreliableRooms(engine, "here")
        async with hub_on(rooms, clock) as hub:
            match = Match.of(small_game("chain"), kinds=("human", "random"))
            live = await hub.create(stored_match(clock, match=match, apart=False), {"a" * 64: 1})
            if connected:
                hub.presence.connect(live, FakeListener(1))
            await take(hub, live, 1, 8)
            rooms.is_down = True
            await _until_idle(live)
            assert live.match.current.moves == (8,)
            rooms.is_down = False
            await (hub.refresh() if connected else live_match(hub))
            await _until_idle(live)
            assert len(live.match.current.moves) == 2

    asyncio.run(scenario())


def test_a_computer_that_waits_too_long_for_a_solver_guesses_and_says_so(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(computer_players, "SECONDS_TO_WAIT", 0.0)

    async def scenario() -> None:
        clock = FakeClock()
        workers = one_solver()
        async with hub_on(Rooms(engine, "here"), clock, workers) as hub:
            match = Match.of(game("chain", to=50), kinds=("human", "perfect"))
            live = await hub.create(stored_match(clock, match=match, apart=False), {"a" * 64: 1})
            listener = FakeListener(1)
            hub.presence.connect(live, listener)
            hard = asyncio.create_task(workers.run("", "explain", 60, code=HARD))
            await asyncio.sleep(0)
            await take(hub, live, 1, 8)
            await _until_idle(live)
            assert len(live.match.current.moves) == 2
            assert not hard.done()
            assert [told for told in listener.received if '"type":"notice"' in told]
            hard.cancel()

    asyncio.run(scenario())


def test_a_computer_does_not_think_about_a_match_that_has_become_too_long(engine: Engine) -> None:
    async def scenario() -> None:
        clock = FakeClock()
        async with hub_on(Rooms(engine, "here"), clock) as hub:
            match = Match.of(small_game("chain"), kinds=("human", "random"))
            live = await hub.create(stored_match(clock, match=match, apart=False), {"a" * 64: 1})
            almost = replace(live.match, version=MOST_STEPS - 1)
            live.match = almost
            await take(hub, live, 1, 8)
            assert live.thinking is None
            refused = await hub.submit(live, 1, Undo(), MOST_STEPS)
            assert refusal_reason(refused) == "This game has become too long. Start a new one."
            assert live.thinking is None

    asyncio.run(scenario())


def test_a_computers_moves_and_guesses_are_queued_under_its_opponents_address(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked, jobs = list[str](), list[tuple[str, bool]]()
    run = Background.run

    async def choose(_solvers: SolverPool, address: str, *_: Any, **__: Any) -> Any:
        asked.append(address)
        raise ServerBusy

    async def do(
        background: Background, job: Any, *, address: str, long: bool, computer: bool = False
    ) -> Any:
        jobs.append((address, computer))
        return await run(background, job, address=address, long=long, computer=computer)

    monkeypatch.setattr(SolverPool, "run", choose)
    monkeypatch.setattr(Background, "run", do)

    async def scenario() -> None:
        clock = FakeClock()
        async with hub_on(Rooms(engine, "here"), clock) as hub:
            board = game("antichain", from_=11, to=20)
            match = Match.of(board, kinds=("human", "random"), first=2)
            keys = {"a" * 64: 1, "b" * 64: 0}
            live = await hub.create(
                stored_match(clock, match=match, apart=False), keys, "192.0.2.1"
            )
            await _until_idle(live)
            await hub.authorize(ID, "b" * 64, "192.0.2.9")  # a spectator
            await hub.authorize(ID, "a" * 64, "192.0.2.2")
            await take(hub, live, 1, legal_move(live))
            await _until_idle(live)
            assert asked == ["192.0.2.1", "192.0.2.2"]
            created, *guesses = jobs
            assert created == ("192.0.2.1", False)
            assert guesses == [("192.0.2.1", True), ("192.0.2.2", True)]

    asyncio.run(scenario())


def test_a_move_that_is_due_when_a_match_is_loaded_is_queued_under_the_clients_address(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The client for whom the match is loaded may be a player or a spectator."""
    asked = list[str]()

    async def choose(_solvers: SolverPool, address: str, *_: Any, **__: Any) -> Any:
        asked.append(address)
        raise asyncio.CancelledError

    monkeypatch.setattr(SolverPool, "run", choose)

    async def scenario() -> None:
        clock, rooms = FakeClock(), Rooms(engine, "here")
        match = Match.of(small_game("chain"), kinds=("human", "random"), first=2)
        keys = {"a" * 64: 1, "b" * 64: 0}
        for name in ("m", "n"):
            rooms.create(stored_match(clock, name, match=match, apart=False), keys)
        async with hub_on(rooms, clock) as hub:
            await hub.authorize("m", "a" * 64, "192.0.2.1")
            await hub.authorize("n", "b" * 64, "192.0.2.9")
            while len(asked) < 2:
                await asyncio.sleep(0.001)
            assert asked == ["192.0.2.1", "192.0.2.9"]

    asyncio.run(scenario())
