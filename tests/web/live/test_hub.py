"""The hub holds every match in memory only once, and keeps up with other processes."""

import asyncio
import gc
from collections.abc import Iterator
from dataclasses import replace

import pytest
from sqlalchemy import Engine
from sqlalchemy.exc import OperationalError

from divisorduel import Match, game
from divisorduel.play.commands import CallOff, Join, Take, Undo
from divisorduel.play.events import Seat
from divisorduel.store.database import open_database
from divisorduel.store.rooms import Presence, Rooms, Step
from divisorduel.web.live import hub as hubs
from divisorduel.web.live.hub import MOST_STEPS, STALE, Hub
from divisorduel.web.live.live_match import LiveMatch
from tests.conftest import small_game
from tests.web.databases import NewDatabase, sqlite_in
from tests.web.live.hubs import (
    ID,
    FakeClock,
    FakeListener,
    hashes,
    hub_on,
    live_match,
    pass_time,
    refusal_text,
    run_on_two_hubs,
    stored_match,
)
from tests.web.postgres import Cluster

HARD = "antichain 2-1001 2-1001 -"


@pytest.fixture
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    """Open an empty SQLite database."""
    opened = open_database(sqlite_in(tmp_path_factory.mktemp("hub")))
    yield opened
    opened.dispose()


@pytest.fixture
def either(new_database: NewDatabase) -> Iterator[Engine]:
    """Open an empty database of each kind."""
    opened = open_database(new_database())
    yield opened
    opened.dispose()


@pytest.fixture
def shared(postgres: Cluster) -> Iterator[Engine]:
    """Open an empty database that several processes can share."""
    opened = open_database(postgres.new_database())
    yield opened
    opened.dispose()


async def take(hub: Hub, live: LiveMatch, seat: Seat, number: int) -> None:
    outcome = await hub.submit(live, seat, Take(number), live.match.version)
    assert refusal_text(outcome) == ""


# --- the cache


def test_a_match_in_use_is_never_loaded_twice_even_if_the_cache_overflows(
    either: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hubs, "MOST_IDLE", 3)

    async def scenario() -> None:
        clock = FakeClock()
        async with hub_on(Rooms(either), clock) as hub:
            await hub.create(stored_match(clock), hashes())
            before = await live_match(hub)
            ann = FakeListener(1)
            hub.presence.connect(before, ann)
            for number in range(20):
                name = f"n{number}"
                await hub.create(stored_match(clock, name), hashes(name))
            again = await asyncio.gather(*(hub.find(f"n{number}") for number in range(20)))
            assert len(hub._recent) == 3
            bob = FakeListener(2)
            for after in await asyncio.gather(*(live_match(hub) for _ in range(5))):
                assert after is before
            hub.presence.connect(await live_match(hub), bob)
            await take(hub, before, 1, 8)
            await take(hub, await live_match(hub), 2, 4)
            for listener in (ann, bob):
                assert [told for told in listener.received if '"added":{"turns":[4]}' in told]
            assert await asyncio.gather(*(hub.find(f"n{number}") for number in range(20))) == again

    asyncio.run(scenario())


def test_an_idle_match_is_evicted_and_loaded_again_on_request(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hubs, "MOST_IDLE", 1)

    async def scenario() -> None:
        clock = FakeClock()
        async with hub_on(Rooms(engine), clock) as hub:
            for name in (ID, "n"):
                await hub.create(stored_match(clock, name), hashes(name))
                await take(hub, await live_match(hub, name), 1, 8)
            gc.collect()
            assert list(hub._live) == ["n"]
            twice = await asyncio.gather(live_match(hub), live_match(hub))
            assert twice[0] is twice[1]
            assert twice[0].match.current.moves == (8,)

    asyncio.run(scenario())


@pytest.mark.both_databases
def test_a_listed_match_stays_in_the_list_while_its_host_is_present(either: Engine) -> None:
    async def scenario() -> None:
        clock = FakeClock()
        async with hub_on(Rooms(either), clock) as hub:
            waiting = replace(stored_match(clock, joined=(True, False)), listed=True)
            live = await hub.create(waiting, hashes())
            host = FakeListener(1)
            hub.presence.connect(live, host)
            await pass_time(clock, 200, hub)
            assert [one.id for one in await hub.waiting()] == [ID]
            hub.presence.disconnect(live, host)
            await pass_time(clock, 100, hub)
            assert await hub.waiting() == []

    asyncio.run(scenario())


# --- keys that were replaced


def test_a_command_with_the_key_of_the_link_is_refused_once_a_player_joins(
    either: Engine,
) -> None:
    async def scenario() -> None:
        clock = FakeClock()
        async with hub_on(Rooms(either), clock) as hub:
            match = Match.of(small_game("chain"), first=2)
            live = await hub.create(
                stored_match(clock, match=match, joined=(True, False)), hashes()
            )
            joining = hub.submit(live, 2, Join("Bob"), 0, new_key=("e" * 64, 2))
            # These are sent with the key of the link, for the next version.
            early = [hub.submit(live, 2, Take(8), 1), hub.submit(live, 2, CallOff(), 1)]
            joined, *others = await asyncio.gather(joining, *early)
            assert refusal_text(joined) == ""
            assert [other.refusal for other in others] == [STALE, STALE]
            assert (live.match.version, live.match.current.moves) == (1, ())
            await take(hub, live, 2, 8)

    asyncio.run(scenario())


def test_a_key_that_is_replaced_while_it_is_looked_up_is_invalid(
    either: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scenario() -> None:
        clock, rooms = FakeClock(), Rooms(either)
        async with hub_on(rooms, clock) as hub:
            live = await hub.create(stored_match(clock, joined=(True, False)), hashes())
            key = list(hashes())[1]
            assert await hub.authorize(ID, key) == (live, 2)
            look_up, loop = rooms.seats_of, asyncio.get_running_loop()

            def look_up_slowly(match_id: str, hashed: str) -> int | None:
                seats = look_up(match_id, hashed)
                if not live.match.joined[1]:
                    joining = hub.submit(live, 2, Join("Bob"), 0, new_key=("e" * 64, 2))
                    asyncio.run_coroutine_threadsafe(joining, loop).result(30)
                return seats

            monkeypatch.setattr(rooms, "seats_of", look_up_slowly)
            assert await hub.authorize(ID, key) is None
            assert await hub.authorize(ID, "e" * 64) == (live, 2)

    asyncio.run(scenario())


# --- computer players


class UnreliableRooms(Rooms):
    """Rooms whose database can be down for a while."""

    is_down = False

    def write(self, taken: list[Step], seen: list[Presence]) -> list[bool]:  # type: ignore[override]  # as the writer calls it
        if self.is_down:
            raise OperationalError("", {}, Exception("down"))
        return super().write(taken, seen)


async def _until_idle(live: LiveMatch) -> None:
    while live.thinking is not None:
        await asyncio.sleep(0.01)


@pytest.mark.parametrize("connected", [True, False], ids=["connected", "calling"])
def test_a_computers_move_that_could_not_be_saved_is_made_later(
    engine: Engine, connected: bool
) -> None:
    async def scenario() -> None:
        clock, rooms = FakeClock(), UnreliableRooms(engine)
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
    monkeypatch.setattr(hubs, "SECONDS_TO_WAIT", 0.0)

    async def scenario() -> None:
        clock = FakeClock()
        async with hub_on(Rooms(engine), clock) as hub:
            match = Match.of(game("chain", to=50), kinds=("human", "perfect"))
            live = await hub.create(stored_match(clock, match=match, apart=False), {"a" * 64: 1})
            listener = FakeListener(1)
            hub.presence.connect(live, listener)
            hard = asyncio.create_task(hub._solvers.run("", "explain", 60, code=HARD))
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
        async with hub_on(Rooms(engine), clock) as hub:
            match = Match.of(small_game("chain"), kinds=("human", "random"))
            live = await hub.create(stored_match(clock, match=match, apart=False), {"a" * 64: 1})
            almost = replace(live.match, version=MOST_STEPS - 1)
            live.stored = replace(live.stored, match=almost)
            await take(hub, live, 1, 8)
            assert live.thinking is None
            refused = await hub.submit(live, 1, Undo(), MOST_STEPS)
            assert refusal_text(refused) == "This game has become too long. Start a new one."
            assert live.thinking is None

    asyncio.run(scenario())


# --- two processes


def test_a_version_acknowledged_by_one_process_is_accepted_by_the_other(
    shared: Engine,
) -> None:
    async def scenario(here: Hub, there: Hub, clock: FakeClock) -> None:
        lives = await live_match(here), await live_match(there)
        for turn in range(30):  # without notifications, each must read the database
            hub, live = (here, there)[turn % 2], lives[turn % 2]
            command = Take(8) if turn % 2 == 0 else Undo()
            outcome = await hub.submit(live, 1, command, turn)
            assert refusal_text(outcome) == ""
            other = (there, here)[turn % 2]
            assert (await live_match(other)).match == live.match

    async def run() -> None:
        clock = FakeClock()
        async with hub_on(Rooms(shared), clock) as here, hub_on(Rooms(shared), clock) as there:
            await here.create(stored_match(clock, apart=False), hashes())
            await scenario(here, there, clock)

    asyncio.run(run())


def test_a_listener_whose_key_another_process_replaced_is_dismissed(
    shared: Engine,
) -> None:
    async def scenario() -> None:
        clock = FakeClock()
        async with hub_on(Rooms(shared), clock) as here, hub_on(Rooms(shared), clock) as there:
            await here.create(stored_match(clock, joined=(True, False)), hashes())
            mine, theirs = await live_match(here), await live_match(there)
            invited = FakeListener(2)
            here.presence.connect(mine, invited)
            await there.submit(theirs, 2, Join("Bob"), 0, new_key=("e" * 64, 2))
            await here.resync([ID])
            assert invited.dismissed
            assert await here.authorize(ID, list(hashes())[1]) is None
            assert await here.authorize(ID, "e" * 64) == (mine, 2)

    asyncio.run(scenario())


def test_a_match_without_listeners_catches_up_on_request(
    shared: Engine,
) -> None:
    async def scenario(here: Hub, there: Hub, clock: FakeClock) -> None:
        mine, theirs = await live_match(here), await live_match(there)
        await take(here, mine, 1, 8)
        await there.resync([ID])
        assert theirs.match.version == 0
        assert (await live_match(there)).match.current.moves == (8,)

    run_on_two_hubs(shared, scenario)
