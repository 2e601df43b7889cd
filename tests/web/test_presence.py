"""Who is there: connections, calls, and time, which the tests hand in."""

import asyncio
from collections.abc import Iterator
from dataclasses import replace

import pytest
from sqlalchemy import Engine

from divisorduel.play.commands import Take
from divisorduel.play.events import Forfeited
from divisorduel.play.room import Claim, Join
from divisorduel.store.database import open_database
from divisorduel.store.rooms import Rooms
from divisorduel.web.live import hub as hubs
from divisorduel.web.live.hub import Hub, Outcome
from divisorduel.web.live.presence import LEASE, ROUND
from tests.web.databases import NewDatabase
from tests.web.hubs import (
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
    settle,
)
from tests.web.postgres import Cluster

NOT_LONG_ENOUGH = (
    "Player 2 has not been away for long enough: a game can be claimed after 120 seconds."
)
LONG = 2 * SETTINGS.claim_after


@pytest.fixture
def engine(new_database: NewDatabase) -> Iterator[Engine]:
    """Open an empty database."""
    opened = open_database(new_database())
    yield opened
    opened.dispose()


async def present(hub: Hub) -> tuple[bool, bool]:
    one, two = hub.attendance.presence(await found(hub))["present"]
    return one, two


async def claim(hub: Hub) -> Outcome:
    """Claim the game for Player 1."""
    live = await found(hub)
    return await hub.submit(live, 1, Claim(), live.room.version)


def test_whoever_connects_is_there_and_whoever_leaves_is_away_from_then_on(engine: Engine) -> None:
    async def story(hub: Hub, clock: Clock) -> None:
        live = await found(hub)
        ear = Ear(1)
        hub.attendance.enter(live, ear)
        await live_through(clock, 100, hub)
        assert await present(hub) == (True, False)
        hub.attendance.leave(live, ear)
        clock.pass_by(7)
        assert hub.attendance.presence(live)["away"] == [7.0, 107.0]

    on_one(engine, story)


def test_whoever_is_entering_counts_as_there(engine: Engine) -> None:
    async def story(hub: Hub, clock: Clock) -> None:
        live = await found(hub)
        clock.pass_by(5)
        assert hub.attendance.presence(live)["away"] == [5.0, 5.0]
        assert hub.attendance.presence(live, entering=2)["away"] == [5.0, None]
        assert hub.attendance.presence(live, entering=3)["present"] == [True, True]

    on_one(engine, story)


def test_whoever_calls_without_a_connection_is_there_for_a_while(engine: Engine) -> None:
    async def story(hub: Hub, clock: Clock) -> None:
        live = await found(hub)
        hub.attendance.saw(live, 2)
        await live_through(clock, LEASE - 1, hub)
        assert await present(hub) == (False, True)
        await live_through(clock, 2, hub)
        assert await present(hub) == (False, False)
        assert hub.attendance.presence(live)["away"][1] == 1.0

    on_one(engine, story)


def test_whoever_called_and_then_left_is_away_and_stays_so(engine: Engine) -> None:
    async def story(hub: Hub, clock: Clock) -> None:
        live = await found(hub)
        hub.attendance.saw(live, 2)
        ear = Ear(2)
        hub.attendance.enter(live, ear)
        hub.attendance.leave(live, ear)
        await live_through(clock, SETTINGS.claim_after + 1, hub)
        assert (await claim(hub)).events == (Forfeited(2, reason="Player 2 stayed away."),)
        assert live.room.match.current.winner == 1

    on_one(engine, story)


def test_a_game_cannot_be_claimed_while_its_player_is_there(engine: Engine) -> None:
    async def story(hub: Hub, clock: Clock) -> None:
        hub.attendance.enter(await found(hub), Ear(2))
        await live_through(clock, LONG, hub)
        assert (await claim(hub)).refused == NOT_LONG_ENOUGH

    on_one(engine, story)


def test_nobody_claims_a_game_from_somebody_at_the_same_screen(engine: Engine) -> None:
    async def story(hub: Hub, clock: Clock) -> None:
        live = await found(hub)
        live.opened = replace(live.opened, room=replace(live.room, apart=False))
        await live_through(clock, LONG, hub)
        assert (await claim(hub)).refused == "There is nobody to wait for."

    on_one(engine, story)


def test_whoever_called_is_there_though_that_is_not_written_down_yet(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def story(hub: Hub, clock: Clock) -> None:
        await live_through(clock, LONG, hub)
        monkeypatch.setattr(hub._writer, "note", lambda *_: None)
        hub.attendance.saw(await found(hub), 2)
        assert (await claim(hub)).refused == NOT_LONG_ENOUGH
        await hub.look_around()
        assert (await claim(hub)).refused == NOT_LONG_ENOUGH

    on_one(engine, story)


# --- joining


@pytest.mark.both_databases
def test_whoever_has_just_joined_is_not_away_though_they_never_connect(engine: Engine) -> None:
    async def tell() -> None:
        clock = Clock()
        async with hub_on(Rooms(engine), clock) as hub:
            await hub.create(opened(clock, joined=(True, False)), hashes())
            live = await found(hub)
            host = Ear(1)
            hub.attendance.enter(live, host)
            await live_through(clock, LONG, hub)
            assert await present(hub) == (True, False)
            await hub.submit(live, 2, Join("Bob"), 0, new_key=("e" * 64, 2))
            assert '"type":"step"' in host.told[-2]
            assert '"present":[true,true]' in host.told[-1]
            assert "has not been away for long enough" in (await claim(hub)).refused
            await live_through(clock, LEASE + SETTINGS.claim_after - 1, hub)
            assert "has not been away for long enough" in (await claim(hub)).refused
            await live_through(clock, 2, hub)
            assert (await claim(hub)).refused == ""

    asyncio.run(tell())


def test_whoever_listened_with_the_key_of_the_link_says_nothing_of_who_joined(
    engine: Engine,
) -> None:
    async def tell() -> None:
        clock = Clock()
        async with hub_on(Rooms(engine), clock) as hub:
            await hub.create(opened(clock, joined=(True, False)), hashes())
            live = await found(hub)
            host, invited = Ear(1), Ear(2)
            hub.attendance.enter(live, host)
            hub.attendance.enter(live, invited)
            await hub.submit(live, 2, Join("Bob"), 0, new_key=("e" * 64, 2))
            assert (host.dismissed, invited.dismissed) == (False, True)
            told = list(invited.told)
            assert '"type":"step"' in told[-1]
            hub.attendance.leave(live, invited)
            assert await present(hub) == (True, True)
            await hub.submit(live, 1, Take(8), 1)
            assert invited.told == told

    asyncio.run(tell())


# --- time in which the server was not there


@pytest.mark.both_databases
def test_after_a_restart_nobody_is_blamed_for_the_time_before(engine: Engine) -> None:
    async def tell() -> None:
        clock = Clock()
        async with hub_on(Rooms(engine), clock) as hub:
            await hub.create(opened(clock), hashes())
            live = await found(hub)
            for seat in (1, 2):
                hub.attendance.enter(live, Ear(seat))
        clock.pass_by(LONG)  # the server is down
        async with hub_on(Rooms(engine), clock) as hub:
            assert hub.attendance.presence(await found(hub))["away"] == [0.0, 0.0]
            assert (await claim(hub)).refused == NOT_LONG_ENOUGH
            await live_through(clock, SETTINGS.claim_after - 1, hub)
            assert (await claim(hub)).refused == NOT_LONG_ENOUGH
            await live_through(clock, 1, hub)
            assert (await claim(hub)).refused == ""

    asyncio.run(tell())


def test_time_in_which_the_server_slept_is_nobodys_absence(engine: Engine) -> None:
    async def story(hub: Hub, clock: Clock) -> None:
        await live_through(clock, SETTINGS.claim_after - 1, hub)
        clock.pass_by(3 * ROUND)  # its machine was closed, or very busy
        await hub.look_around()
        assert (await claim(hub)).refused == NOT_LONG_ENOUGH
        await live_through(clock, SETTINGS.claim_after, hub)
        assert (await claim(hub)).refused == ""

    on_one(engine, story)


def test_time_in_which_the_other_processes_could_not_be_heard_is_nobodys_absence(
    engine: Engine,
) -> None:
    async def story(hub: Hub, clock: Clock) -> None:
        await live_through(clock, LONG, hub)
        await hub.heard_nothing()
        assert (await claim(hub)).refused == NOT_LONG_ENOUGH

    on_one(engine, story)


def test_whoever_called_counts_as_there_though_the_match_was_put_away_meanwhile(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hubs, "MOST_IDLE", 1)

    async def story(hub: Hub, clock: Clock) -> None:
        await live_through(clock, LONG, hub)
        hub.attendance.saw(await found(hub), 2)
        await hub.create(opened(clock, "n"), hashes("n"))
        assert ID not in hub._live
        assert await present(hub) == (False, True)
        assert (await claim(hub)).refused == NOT_LONG_ENOUGH

    on_one(engine, story)


# --- two processes


@pytest.fixture
def shared(postgres: Cluster) -> Iterator[Engine]:
    """Open an empty database that several processes can share."""
    opened = open_database(postgres.new_database())
    yield opened
    opened.dispose()


def test_whoever_is_at_another_process_is_there_until_their_lease_ends(shared: Engine) -> None:
    async def story(here: Hub, there: Hub, clock: Clock) -> None:
        there.attendance.enter(await found(there), Ear(2))
        await settle(there)
        watcher = Ear(0)
        mine = await found(here)
        here.attendance.enter(mine, watcher)
        await here.heard([ID])
        assert await present(here) == (False, True)
        assert '"present":[false,true]' in watcher.told[-1]
        await live_through(clock, LEASE + 1, here)  # the other was killed: it renews nothing
        assert await present(here) == (False, False)
        assert '"present":[false,false]' in watcher.told[-1]

    on_two(shared, story)


def test_whoever_stays_at_another_process_stays_there(shared: Engine) -> None:
    async def story(here: Hub, there: Hub, clock: Clock) -> None:
        there.attendance.enter(await found(there), Ear(2))
        here.attendance.enter(await found(here), Ear(1))
        await live_through(clock, LONG, there, here)
        assert await present(here) == await present(there) == (True, True)
        assert (await claim(here)).refused == NOT_LONG_ENOUGH

    on_two(shared, story)


def test_whoever_called_here_and_then_left_there_is_away_and_stays_so(shared: Engine) -> None:
    async def story(here: Hub, there: Hub, clock: Clock) -> None:
        mine, live = await found(here), await found(there)
        here.attendance.enter(mine, Ear(1))
        ear = Ear(2)
        there.attendance.enter(live, ear)
        here.attendance.saw(mine, 2)
        clock.pass_by(1)
        there.attendance.leave(live, ear)
        await settle(there)
        clock.pass_by(1)
        await here.look_around()
        await settle(here)
        assert await present(here) == (True, False)
        clock.pass_by(1)
        await here.look_around()
        assert await present(here) == (True, False)

    on_two(shared, story)


def test_a_call_here_counts_at_the_other_process(shared: Engine) -> None:
    async def story(here: Hub, there: Hub, clock: Clock) -> None:
        mine, live = await found(here), await found(there)
        there.attendance.enter(live, Ear(1))
        clock.pass_by(5)
        here.attendance.saw(mine, 2)
        await here.look_around()
        await settle(here)
        await there.look_around()
        assert await present(there) == (True, True)

    on_two(shared, story)
