"""Presence: connections, HTTP calls, and a clock that the tests set."""

import asyncio
from collections.abc import Iterator
from dataclasses import replace

import pytest
from sqlalchemy import Engine

from divisorduel.play.commands import Claim, Join, Take
from divisorduel.play.events import Forfeited
from divisorduel.store.database import open_database
from divisorduel.store.rooms import Rooms
from divisorduel.web.live import hub as hubs
from divisorduel.web.live.hub import CommandResult, Hub
from divisorduel.web.live.presence import LEASE, REFRESH_EVERY
from tests.web.databases import NewDatabase
from tests.web.live.hubs import (
    ID,
    SETTINGS,
    Clock,
    Ear,
    found,
    hashes,
    hub_on,
    live_through,
    on_one,
    on_two,
    opened,
    said,
    settle,
)
from tests.web.postgres import Cluster

NOT_LONG_ENOUGH = (
    "Player 2 has not been away long enough. You can claim the game after 120 seconds."
)
LONG = 2 * SETTINGS.claim_after


@pytest.fixture
def engine(new_database: NewDatabase) -> Iterator[Engine]:
    """Open an empty database."""
    opened = open_database(new_database())
    yield opened
    opened.dispose()


async def present(hub: Hub) -> tuple[bool, bool]:
    return hub.presence.of(await found(hub)).present


async def claim(hub: Hub) -> CommandResult:
    """Claim the game for Player 1."""
    live = await found(hub)
    return await hub.submit(live, 1, Claim(), live.match.version)


def test_a_player_is_present_while_connected_and_away_after_leaving(engine: Engine) -> None:
    async def story(hub: Hub, clock: Clock) -> None:
        live = await found(hub)
        ear = Ear(1)
        hub.presence.connect(live, ear)
        await live_through(clock, 100, hub)
        assert await present(hub) == (True, False)
        hub.presence.disconnect(live, ear)
        clock.pass_by(7)
        assert hub.presence.of(live).away == (7.0, 107.0)

    on_one(engine, story)


def test_a_player_who_is_connecting_counts_as_present(engine: Engine) -> None:
    async def story(hub: Hub, clock: Clock) -> None:
        live = await found(hub)
        clock.pass_by(5)
        assert hub.presence.of(live).away == (5.0, 5.0)
        assert hub.presence.of(live, connecting=2).away == (5.0, None)
        assert hub.presence.of(live, connecting=3).present == (True, True)

    on_one(engine, story)


def test_an_http_call_makes_a_player_present_for_a_while(engine: Engine) -> None:
    async def story(hub: Hub, clock: Clock) -> None:
        live = await found(hub)
        hub.presence.touch(live, 2)
        await live_through(clock, LEASE - 1, hub)
        assert await present(hub) == (False, True)
        await live_through(clock, 2, hub)
        assert await present(hub) == (False, False)
        assert hub.presence.of(live).away[1] == 1.0

    on_one(engine, story)


def test_a_player_who_called_and_then_left_stays_away(engine: Engine) -> None:
    async def story(hub: Hub, clock: Clock) -> None:
        live = await found(hub)
        hub.presence.touch(live, 2)
        ear = Ear(2)
        hub.presence.connect(live, ear)
        hub.presence.disconnect(live, ear)
        await live_through(clock, SETTINGS.claim_after + 1, hub)
        assert (await claim(hub)).events == (Forfeited(2, away=True),)
        assert live.match.current.winner == 1

    on_one(engine, story)


def test_a_game_cannot_be_claimed_while_the_opponent_is_present(engine: Engine) -> None:
    async def story(hub: Hub, clock: Clock) -> None:
        hub.presence.connect(await found(hub), Ear(2))
        await live_through(clock, LONG, hub)
        assert said(await claim(hub)) == NOT_LONG_ENOUGH

    on_one(engine, story)


def test_a_game_cannot_be_claimed_from_a_player_at_the_same_screen(engine: Engine) -> None:
    async def story(hub: Hub, clock: Clock) -> None:
        live = await found(hub)
        live.stored = replace(live.stored, match=replace(live.match, apart=False))
        await live_through(clock, LONG, hub)
        refused = said(await claim(hub))
        assert refused == "You can claim a game only from an opponent on another device."

    on_one(engine, story)


def test_a_call_counts_before_it_is_written(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def story(hub: Hub, clock: Clock) -> None:
        await live_through(clock, LONG, hub)
        monkeypatch.setattr(hub._writer, "add_presence", lambda *_: None)
        hub.presence.touch(await found(hub), 2)
        assert said(await claim(hub)) == NOT_LONG_ENOUGH
        await hub.refresh()
        assert said(await claim(hub)) == NOT_LONG_ENOUGH

    on_one(engine, story)


# --- joining


@pytest.mark.both_databases
def test_a_player_who_has_just_joined_is_present_without_connecting(engine: Engine) -> None:
    async def tell() -> None:
        clock = Clock()
        async with hub_on(Rooms(engine), clock) as hub:
            await hub.create(opened(clock, joined=(True, False)), hashes())
            live = await found(hub)
            host = Ear(1)
            hub.presence.connect(live, host)
            await live_through(clock, LONG, hub)
            assert await present(hub) == (True, False)
            await hub.submit(live, 2, Join("Bob"), 0, new_key=("e" * 64, 2))
            assert '"type":"step"' in host.told[-2]
            assert '"present":[true,true]' in host.told[-1]
            assert "has not been away long enough" in said(await claim(hub))
            await live_through(clock, LEASE + SETTINGS.claim_after - 1, hub)
            assert "has not been away long enough" in said(await claim(hub))
            await live_through(clock, 2, hub)
            assert said(await claim(hub)) == ""

    asyncio.run(tell())


def test_a_listener_with_the_key_of_the_link_does_not_count_as_the_player_who_joined(
    engine: Engine,
) -> None:
    async def tell() -> None:
        clock = Clock()
        async with hub_on(Rooms(engine), clock) as hub:
            await hub.create(opened(clock, joined=(True, False)), hashes())
            live = await found(hub)
            host, invited = Ear(1), Ear(2)
            hub.presence.connect(live, host)
            hub.presence.connect(live, invited)
            await hub.submit(live, 2, Join("Bob"), 0, new_key=("e" * 64, 2))
            assert (host.dismissed, invited.dismissed) == (False, True)
            told = list(invited.told)
            assert '"type":"step"' in told[-1]
            hub.presence.disconnect(live, invited)
            assert await present(hub) == (True, True)
            await hub.submit(live, 1, Take(8), 1)
            assert invited.told == told

    asyncio.run(tell())


# --- time in which the server was not there


@pytest.mark.both_databases
def test_absence_before_a_restart_does_not_count(engine: Engine) -> None:
    async def tell() -> None:
        clock = Clock()
        async with hub_on(Rooms(engine), clock) as hub:
            await hub.create(opened(clock), hashes())
            live = await found(hub)
            for seat in (1, 2):
                hub.presence.connect(live, Ear(seat))
        clock.pass_by(LONG)  # the server is down
        async with hub_on(Rooms(engine), clock) as hub:
            assert hub.presence.of(await found(hub)).away == (0.0, 0.0)
            assert said(await claim(hub)) == NOT_LONG_ENOUGH
            await live_through(clock, SETTINGS.claim_after - 1, hub)
            assert said(await claim(hub)) == NOT_LONG_ENOUGH
            await live_through(clock, 1, hub)
            assert said(await claim(hub)) == ""

    asyncio.run(tell())


def test_time_while_the_server_is_suspended_does_not_count_as_absence(engine: Engine) -> None:
    async def story(hub: Hub, clock: Clock) -> None:
        await live_through(clock, SETTINGS.claim_after - 1, hub)
        clock.pass_by(3 * REFRESH_EVERY)  # its machine was closed, or very busy
        await hub.refresh()
        assert said(await claim(hub)) == NOT_LONG_ENOUGH
        await live_through(clock, SETTINGS.claim_after, hub)
        assert said(await claim(hub)) == ""

    on_one(engine, story)


def test_time_without_notifications_does_not_count_as_absence(
    engine: Engine,
) -> None:
    async def story(hub: Hub, clock: Clock) -> None:
        await live_through(clock, LONG, hub)
        await hub.resync_all()
        assert said(await claim(hub)) == NOT_LONG_ENOUGH

    on_one(engine, story)


def test_a_call_counts_even_if_the_match_was_evicted(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hubs, "MOST_IDLE", 1)

    async def story(hub: Hub, clock: Clock) -> None:
        await live_through(clock, LONG, hub)
        hub.presence.touch(await found(hub), 2)
        await hub.create(opened(clock, "n"), hashes("n"))
        assert ID not in hub._live
        assert await present(hub) == (False, True)
        assert said(await claim(hub)) == NOT_LONG_ENOUGH

    on_one(engine, story)


# --- two processes


@pytest.fixture
def shared(postgres: Cluster) -> Iterator[Engine]:
    """Open an empty database that several processes can share."""
    opened = open_database(postgres.new_database())
    yield opened
    opened.dispose()


def test_a_player_on_another_process_is_present_until_the_lease_ends(shared: Engine) -> None:
    async def story(here: Hub, there: Hub, clock: Clock) -> None:
        there.presence.connect(await found(there), Ear(2))
        await settle(there)
        watcher = Ear(0)
        mine = await found(here)
        here.presence.connect(mine, watcher)
        await here.resync([ID])
        assert await present(here) == (False, True)
        assert '"present":[false,true]' in watcher.told[-1]
        await live_through(clock, LEASE + 1, here)  # the other was killed: it renews nothing
        assert await present(here) == (False, False)
        assert '"present":[false,false]' in watcher.told[-1]

    on_two(shared, story)


def test_a_player_who_stays_on_another_process_stays_present(shared: Engine) -> None:
    async def story(here: Hub, there: Hub, clock: Clock) -> None:
        there.presence.connect(await found(there), Ear(2))
        here.presence.connect(await found(here), Ear(1))
        await live_through(clock, LONG, there, here)
        assert await present(here) == await present(there) == (True, True)
        assert said(await claim(here)) == NOT_LONG_ENOUGH

    on_two(shared, story)


def test_a_player_who_called_one_process_and_then_left_the_other_stays_away(
    shared: Engine,
) -> None:
    async def story(here: Hub, there: Hub, clock: Clock) -> None:
        mine, live = await found(here), await found(there)
        here.presence.connect(mine, Ear(1))
        ear = Ear(2)
        there.presence.connect(live, ear)
        here.presence.touch(mine, 2)
        clock.pass_by(1)
        there.presence.disconnect(live, ear)
        await settle(there)
        clock.pass_by(1)
        await here.refresh()
        await settle(here)
        assert await present(here) == (True, False)
        clock.pass_by(1)
        await here.refresh()
        assert await present(here) == (True, False)

    on_two(shared, story)


def test_a_call_to_one_process_counts_on_the_other(shared: Engine) -> None:
    async def story(here: Hub, there: Hub, clock: Clock) -> None:
        mine, live = await found(here), await found(there)
        there.presence.connect(live, Ear(1))
        clock.pass_by(5)
        here.presence.touch(mine, 2)
        await here.refresh()
        await settle(here)
        await there.refresh()
        assert await present(there) == (True, True)

    on_two(shared, story)
