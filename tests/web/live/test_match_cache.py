"""Matches are held in memory once, and loaded in the queue of the client who asks for them."""

import asyncio
import gc
from collections.abc import Callable
from sys import getsizeof
from threading import Event
from typing import Any

import pytest
from sqlalchemy import Engine

from divisorduel import Match, game
from divisorduel.play.events import NumberTaken, RoundBegan, RoundsAdded
from divisorduel.store.rooms import Rooms, Step, StoredMatch
from divisorduel.web.live import match_cache
from divisorduel.web.live.hub import Hub
from divisorduel.web.live.match_cache import LONG_MATCH, size_of
from divisorduel.web.solving.fair_queue import JobGroup
from tests.web.live.hubs import (
    ID,
    FakeClock,
    FakeListener,
    fail_to_read,
    hashes,
    hub_on,
    live_match,
    steps_of,
    stored_match,
    take,
)


def test_a_match_in_use_is_never_loaded_twice_even_if_the_cache_overflows(
    any_engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(match_cache, "MOST_IDLE", 3)

    async def scenario() -> None:
        clock = FakeClock()
        async with hub_on(Rooms(any_engine, "here"), clock) as hub:
            await hub.create(stored_match(clock), hashes())
            before = await live_match(hub)
            ann = FakeListener(1)
            hub.presence.connect(before, ann)
            for number in range(20):
                name = f"n{number}"
                await hub.create(stored_match(clock, name), hashes(name))
            again = await asyncio.gather(*(hub.find(f"n{number}") for number in range(20)))
            assert len(hub.matches._recent) == 3
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


@pytest.mark.thorough
def test_an_idle_match_is_evicted_and_loaded_again_on_request(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(match_cache, "MOST_IDLE", 1)

    async def scenario() -> None:
        clock = FakeClock()
        async with hub_on(Rooms(engine, "here"), clock) as hub:
            for name in (ID, "n"):
                await hub.create(stored_match(clock, name), hashes(name))
                await take(hub, await live_match(hub, name), 1, 8)
            gc.collect()
            assert [live.id for live in hub.matches.all()] == ["n"]
            twice = await asyncio.gather(live_match(hub), live_match(hub))
            assert twice[0] is twice[1]
            assert twice[0].match.current.moves == (8,)

    asyncio.run(scenario())


def test_large_matches_leave_room_for_fewer(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scenario() -> None:
        clock, size = FakeClock(), 0
        async with hub_on(Rooms(engine, "here"), clock) as hub:
            for name in "abcd":
                await hub.create(stored_match(clock, name), hashes(name))
                await take(hub, await live_match(hub, name), 1, 8)
                await take(hub, await live_match(hub, name), 2, 4)
                size = size_of((await live_match(hub, name)).match)
                monkeypatch.setattr(match_cache, "MOST_IDLE_BYTES", 2.5 * size)
            gc.collect()
            assert [live.id for live in hub.matches.all()] == ["c", "d"]
            assert hub.matches._bytes == 2 * size
            assert (await live_match(hub, "a")).match.current.moves == (8, 4)

    asyncio.run(scenario())


def test_the_size_of_a_match_grows_with_its_moves_its_rounds_and_its_numbers() -> None:
    small, large = Match.of(game("chain", to=50)), Match.of(game("chain", to=50_000))
    longer = small.after(NumberTaken(8)).after(NumberTaken(4))
    again = small.after(NumberTaken(47)).after(RoundsAdded(1)).after(RoundBegan(1))
    assert size_of(small) < size_of(longer) < size_of(again) < size_of(large)
    assert size_of(large) > getsizeof(large.start.playable)


class SlowToLoad(Rooms):
    """Rooms that load long matches only when the test says so."""

    def __init__(self, engine: Engine) -> None:
        super().__init__(engine, "here")
        self.may_load = Event()
        self.loading: list[str] = []

    def open(self, match_id: str) -> StoredMatch | None:
        if match_id.startswith("long"):
            self.loading.append(match_id)
            assert self.may_load.wait(60)
        return super().open(match_id)


@pytest.mark.thorough
def test_no_one_waits_for_long_matches_that_others_load(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(match_cache, "MOST_IDLE", 1)

    async def scenario() -> None:
        clock, rooms = FakeClock(), SlowToLoad(engine)
        async with hub_on(rooms, clock) as hub:
            for number in range(12):
                name = f"long{number}"
                await hub.create(stored_match(clock, name, apart=False), hashes(name))
                rooms.write(steps_of(name, LONG_MATCH + 1), [])
            for name in ("short", "other"):
                await hub.create(stored_match(clock, name, apart=False), hashes(name))
                rooms.write(steps_of(name, LONG_MATCH), [])
            used = await live_match(hub, "other")
            gc.collect()
            loading = [
                asyncio.create_task(hub.authorize(f"long{n}", next(iter(hashes(f"long{n}")))))
                for n in range(12)
            ]
            while not rooms.loading:
                await asyncio.sleep(0.001)
            short = await hub.authorize("short", next(iter(hashes("short"))))
            assert short is not None
            assert short[0].match.version == LONG_MATCH
            assert await hub.authorize("other", list(hashes("other"))[1]) == (used, 2)
            assert not any(task.done() for task in loading)
            rooms.may_load.set()
            for opens in await asyncio.gather(*loading):
                assert opens is not None
                assert opens[0].match.version == LONG_MATCH + 1

    asyncio.run(asyncio.wait_for(scenario(), 60))


def test_a_match_that_continues_a_long_record_counts_as_long(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(match_cache, "LONG_RECORD", 10)
    monkeypatch.setattr(match_cache, "MOST_IDLE", 0)
    lanes = list[bool]()

    async def scenario() -> None:
        clock = FakeClock()
        async with hub_on(Rooms(engine, "here"), clock) as hub:
            await hub.create(stored_match(clock), hashes())
            gc.collect()
            run = hub._background.run

            async def note(job: Callable[[], Any], *, address: str, long: bool) -> Any:
                lanes.append(long)
                return await run(job, address=address, long=long)

            monkeypatch.setattr(hub._background, "run", note)
            await live_match(hub)
            assert lanes == [False, True]

    asyncio.run(scenario())


def test_a_wrong_key_loads_no_match(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(match_cache, "MOST_IDLE", 0)

    async def scenario() -> None:
        clock, rooms = FakeClock(), Rooms(engine, "here")
        async with hub_on(rooms, clock) as hub:
            await hub.create(stored_match(clock), hashes())
            gc.collect()
            with monkeypatch.context() as patch:
                patch.setattr(rooms, "open", fail_to_read)
                assert await hub.authorize(ID, "e" * 64) is None
                assert await hub.authorize("unknown", "e" * 64) is None
            assert await hub.authorize(ID, next(iter(hashes()))) is not None

    asyncio.run(scenario())


# --- queues


async def load_long_matches(hub: Hub, rooms: SlowToLoad, clock: FakeClock) -> list[Any]:
    """Create six long matches, and begin to load five of them for spectators at one address."""
    for number in range(6):
        name = f"long{number}"
        await hub.create(stored_match(clock, name), {**hashes(name), spectator(name): 0})
        rooms.write(steps_of(name, LONG_MATCH + 1), [])
    gc.collect()
    names = [f"long{number}" for number in range(5)]
    loading = [
        asyncio.create_task(hub.authorize(name, spectator(name), "192.0.2.1")) for name in names
    ]
    while not rooms.loading:
        await asyncio.sleep(0.001)
    return loading


def spectator(name: str) -> str:
    """Return the hash of a spectator's key."""
    return f"{name}w".ljust(64, "-")


@pytest.mark.parametrize("name", ["long5", "long4"])
def test_a_spectator_does_not_wait_for_the_matches_that_another_address_loads(
    engine: Engine, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setattr(match_cache, "MOST_IDLE", 0)

    async def scenario() -> None:
        clock, rooms = FakeClock(), SlowToLoad(engine)
        async with hub_on(rooms, clock) as hub:
            loading = await load_long_matches(hub, rooms, clock)
            mine = asyncio.create_task(hub.authorize(name, spectator(name), "192.0.2.2"))
            waiting = hub._background._long.queue._groups
            while JobGroup("192.0.2.2", for_people=True) not in waiting:
                await asyncio.sleep(0.001)
            rooms.may_load.set()
            found = await mine
            assert found is not None
            assert name in rooms.loading[:3]
            others = await asyncio.gather(*loading)
            assert all(others)
            if name == "long4":
                assert others[4] == found

    asyncio.run(asyncio.wait_for(scenario(), 60))


def test_a_match_that_is_being_loaded_does_not_delay_news_of_other_matches(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(match_cache, "MOST_IDLE", 0)

    async def scenario() -> None:
        clock, rooms = FakeClock(), SlowToLoad(engine)
        async with hub_on(rooms, clock) as hub:
            loading = await load_long_matches(hub, rooms, clock)
            await hub.create(stored_match(clock), hashes())
            live = await live_match(hub)
            ann = FakeListener(1)
            hub.presence.connect(live, ann)
            rooms.write([Step(ID, 1, (NumberTaken(8),), clock())], [])
            await hub.resync(["long0", ID])
            assert live.match.current.moves == (8,)
            assert not any(task.done() for task in loading)
            rooms.may_load.set()
            assert all(await asyncio.gather(*loading))

    asyncio.run(asyncio.wait_for(scenario(), 60))


def test_a_busy_match_does_not_delay_news_of_other_matches(engine: Engine) -> None:
    async def scenario() -> None:
        clock, rooms = FakeClock(), Rooms(engine, "here")
        async with hub_on(rooms, clock) as hub:
            for name in ("busy", ID):
                await hub.create(stored_match(clock, name), hashes(name))
                hub.presence.connect(await live_match(hub, name), FakeListener(1))
                rooms.write([Step(name, 1, (NumberTaken(8),), clock())], [])
            busy, other = hub.matches.get("busy"), hub.matches.get(ID)
            assert busy is not None
            assert other is not None
            async with busy.lock:
                await hub.resync(["busy", ID])
                assert other.match.current.moves == (8,)
                assert busy.match.current.moves == ()
            while not busy.match.current.moves:
                await asyncio.sleep(0.01)

    asyncio.run(asyncio.wait_for(scenario(), 60))
