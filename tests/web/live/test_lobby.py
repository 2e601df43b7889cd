"""The list of open matches is up to date, and one address cannot hide the matches of others."""

import asyncio
from dataclasses import replace
from threading import Event
from typing import Any

import pytest
from sqlalchemy import Engine
from sqlalchemy.exc import OperationalError

from divisorduel.play.commands import CallOff, Join
from divisorduel.store.rooms import Rooms, StoredMatch
from divisorduel.web.live.hub import Hub
from divisorduel.web.live.lobby import LONGEST_LIST, PLACES, SECONDS_LISTED, fair_share
from tests.web.live.hubs import (
    ID,
    FakeClock,
    FakeListener,
    fail_to_read,
    hashes,
    hub_on,
    live_match,
    pass_time,
    refusal_reason,
    stored_match,
)


@pytest.mark.parametrize(
    ("counts", "share"),
    [
        ([], 1),
        ([1], 1),
        ([PLACES], PLACES),
        ([PLACES + 1], PLACES),
        ([1, 6_000], PLACES - 1),
        ([5, 5, 6_000], PLACES - 10),
        ([6_000, 6_000, 1], 19),
        ([1] * PLACES, 1),
        ([2] * PLACES, 1),
        ([3] * (PLACES + 1), 1),
    ],
)
def test_an_address_with_few_matches_lists_them_all(counts: list[int], share: int) -> None:
    assert fair_share({str(number): count for number, count in enumerate(counts)}) == share


async def host(hub: Hub, clock: FakeClock, name: str, address: str) -> None:
    """Create a listed match, a moment after the one before."""
    clock.advance(0.001)
    waiting = replace(stored_match(clock, name, joined=(True, False)), listed=True)
    await hub.create(waiting, hashes(name), address)


async def listed(hub: Hub, clock: FakeClock) -> list[str]:
    clock.advance(2)
    return [one.id for one in await hub.lobby.open_matches()]


def test_the_match_of_another_address_is_listed_however_many_newer_ones_there_are(
    engine: Engine,
) -> None:
    async def scenario() -> None:
        clock = FakeClock()
        async with hub_on(Rooms(engine, "here"), clock) as hub:
            await host(hub, clock, "theirs", "192.0.2.1")
            for number in range(LONGEST_LIST + 2):
                await host(hub, clock, f"m{number}", "192.0.2.2")
            shown = await listed(hub, clock)
            assert len(shown) == PLACES
            assert shown[-1] == "theirs"
            assert shown[0] == f"m{LONGEST_LIST + 1}"  # the newest

    asyncio.run(scenario())


def test_hosts_who_come_back_or_stay_connected_count_and_those_who_have_left_do_not(
    engine: Engine,
) -> None:
    async def scenario() -> None:
        clock = FakeClock()
        async with hub_on(Rooms(engine, "here"), clock) as hub:
            guest = FakeListener(1)
            await host(hub, clock, "theirs", "192.0.2.1")
            hub.presence.connect(await live_match(hub, "theirs"), guest)
            names = [f"m{number}" for number in range(LONGEST_LIST + 2)]
            for name in names:
                await host(hub, clock, name, "192.0.2.2")
            await pass_time(clock, 200, hub)
            assert await listed(hub, clock) == ["theirs"]
            for name in names:
                [hashed, *_] = hashes(name)
                found = await hub.authorize(name, hashed, "192.0.2.2")
                assert found is not None
                hub.presence.connect(found[0], FakeListener(1))
            await pass_time(clock, 200, hub)
            shown = await listed(hub, clock)
            assert len(shown) == PLACES
            assert "theirs" in shown
            await hub.submit(await live_match(hub, shown[0]), 2, Join("Bob"), 0)
            clock.advance(20)
            await hub.refresh()
            again = await listed(hub, clock)
            assert shown[0] not in again
            assert len(again) == PLACES

    asyncio.run(scenario())


@pytest.mark.both_databases
def test_a_listed_match_stays_in_the_list_while_its_host_is_present(any_engine: Engine) -> None:
    async def scenario() -> None:
        clock = FakeClock()
        async with hub_on(Rooms(any_engine, "here"), clock) as hub:
            waiting = replace(stored_match(clock, joined=(True, False)), listed=True)
            live = await hub.create(waiting, hashes())
            host = FakeListener(1)
            hub.presence.connect(live, host)
            await pass_time(clock, 200, hub)
            assert [one.id for one in await hub.lobby.open_matches()] == [ID]
            hub.presence.disconnect(live, host)
            await pass_time(clock, 100, hub)
            assert await hub.lobby.open_matches() == []

    asyncio.run(scenario())


def test_the_list_is_read_once_a_second_however_many_clients_ask(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scenario() -> None:
        clock, rooms = FakeClock(), Rooms(engine, "here")
        read, reads = rooms.waiting, list[int]()

        def count(*given: Any) -> list[StoredMatch]:
            reads.append(1)
            return read(*given)

        monkeypatch.setattr(rooms, "waiting", count)
        async with hub_on(rooms, clock) as hub:
            assert await asyncio.gather(*(hub.lobby.open_matches() for _ in range(50))) == [[]] * 50
            clock.advance(SECONDS_LISTED / 2)
            assert await hub.lobby.open_matches() == []
            assert len(reads) == 1
            clock.advance(SECONDS_LISTED)
            await hub.lobby.open_matches()
            assert len(reads) == 2

    asyncio.run(scenario())


def test_a_list_is_read_at_most_twice_for_all_that_changes_while_it_is_being_read(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scenario() -> None:
        clock, rooms = FakeClock(), Rooms(engine, "here")
        read, may_end, reads = rooms.waiting, Event(), list[int]()

        def wait(*given: Any) -> list[StoredMatch]:
            reads.append(1)
            assert may_end.wait(30)
            return read(*given)

        monkeypatch.setattr(rooms, "waiting", wait)
        async with hub_on(rooms, clock) as hub:
            lists = [asyncio.create_task(hub.lobby.open_matches())]
            while not reads:
                await asyncio.sleep(0.001)
            for number in range(20):
                await host(hub, clock, f"m{number}", "192.0.2.1")
                lists.append(asyncio.create_task(hub.lobby.open_matches()))
                await asyncio.sleep(0)
            may_end.set()
            found = await asyncio.gather(*lists)
            assert {len(one) for one in found[1:]} == {20}
            assert len(reads) == 2

    asyncio.run(asyncio.wait_for(scenario(), 60))


def test_the_list_shows_at_once_what_has_changed_here(engine: Engine) -> None:
    async def scenario() -> None:
        clock = FakeClock()
        async with hub_on(Rooms(engine, "here"), clock) as hub:
            assert await hub.lobby.open_matches() == []
            for name in ("m", "n"):
                waiting = replace(stored_match(clock, name, joined=(True, False)), listed=True)
                await hub.create(waiting, hashes(name))
            assert {one.id for one in await hub.lobby.open_matches()} == {"m", "n"}
            outcome = await hub.submit(await live_match(hub, "m"), 2, Join("Bob"), 0)
            assert refusal_reason(outcome) == ""
            assert {one.id for one in await hub.lobby.open_matches()} == {"n"}
            assert (
                refusal_reason(await hub.submit(await live_match(hub, "n"), 1, CallOff(), 0)) == ""
            )
            assert await hub.lobby.open_matches() == []

    asyncio.run(scenario())


def test_a_list_that_could_not_be_read_is_read_again(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scenario() -> None:
        rooms = Rooms(engine, "here")
        async with hub_on(rooms, FakeClock()) as hub:
            with monkeypatch.context() as patch:
                patch.setattr(rooms, "waiting", fail_to_read)
                with pytest.raises(OperationalError):
                    await hub.lobby.open_matches()
            assert await hub.lobby.open_matches() == []

    asyncio.run(scenario())
