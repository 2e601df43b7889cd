"""Presence, as seen from connections and HTTP calls, on a fake clock."""

import asyncio
from dataclasses import replace

import pytest
from sqlalchemy import Engine

from divisorduel.play.commands import Claim, Join, Take
from divisorduel.play.events import Forfeited
from divisorduel.store.rooms import Rooms
from divisorduel.web.live import match_cache
from divisorduel.web.live import presence as presences
from divisorduel.web.live.hub import CommandResult, Hub
from divisorduel.web.live.presence import LEASE, REFRESH_EVERY
from tests.web.live.hubs import (
    ID,
    SETTINGS,
    FakeClock,
    FakeListener,
    hashes,
    hub_on,
    live_match,
    pass_time,
    refusal_reason,
    run_on_one_hub,
    run_on_two_hubs,
    stored_match,
    wait_for_writes,
)

NOT_LONG_ENOUGH = (
    "Player 2 has not been away long enough. "
    "You can claim the win once they have been away for 120 seconds."
)
LONG = 2 * SETTINGS.claim_after


async def present(hub: Hub) -> tuple[bool, bool]:
    return hub.presence.of(await live_match(hub)).present


async def claim(hub: Hub) -> CommandResult:
    """Claim the win for Player 1."""
    live = await live_match(hub)
    return await hub.submit(live, 1, Claim(), live.match.version)


def test_a_player_is_present_while_connected_and_away_after_leaving(any_engine: Engine) -> None:
    async def scenario(hub: Hub, clock: FakeClock) -> None:
        live = await live_match(hub)
        listener = FakeListener(1)
        hub.presence.connect(live, listener)
        await pass_time(clock, 100, hub)
        assert await present(hub) == (True, False)
        hub.presence.disconnect(live, listener)
        clock.advance(7)
        assert hub.presence.of(live).away == (7.0, 107.0)

    run_on_one_hub(any_engine, scenario)


def test_a_player_who_is_connecting_counts_as_present(any_engine: Engine) -> None:
    async def scenario(hub: Hub, clock: FakeClock) -> None:
        live = await live_match(hub)
        clock.advance(5)
        assert hub.presence.of(live).away == (5.0, 5.0)
        assert hub.presence.of(live, connecting=2).away == (5.0, None)
        assert hub.presence.of(live, connecting=3).present == (True, True)

    run_on_one_hub(any_engine, scenario)


def test_spectators_are_counted_and_players_are_not(any_engine: Engine) -> None:
    async def scenario(hub: Hub, clock: FakeClock) -> None:
        live, ann = await live_match(hub), FakeListener(1)
        hub.presence.connect(live, ann)
        assert hub.presence.of(live).watchers == 0
        spectators = [FakeListener(0) for _ in range(3)]
        for number, spectator in enumerate(spectators, 1):
            hub.presence.connect(live, spectator)
            assert hub.presence.of(live).watchers == number
        await told_of_spectators(ann, 3)
        hub.presence.connect(live, FakeListener(2))
        hub.presence.connect(live, FakeListener(3))
        assert hub.presence.of(live).watchers == 3
        hub.presence.disconnect(live, spectators[1])
        hub.presence.disconnect(live, spectators[1])  # a second time changes nothing
        assert hub.presence.of(live).watchers == 2
        await told_of_spectators(ann, 2)
        hub.presence.disconnect(live, ann)
        assert hub.presence.of(live).watchers == 2

    run_on_one_hub(any_engine, scenario)


async def told_of_spectators(listener: FakeListener, number: int) -> None:
    """Wait until a listener is told how many spectators there are."""
    while f'"watchers":{number},' not in listener.received[-1]:
        await asyncio.sleep(0.01)


def test_a_crowd_of_spectators_is_announced_in_one_message(engine: Engine) -> None:
    async def scenario(hub: Hub, clock: FakeClock) -> None:
        live, ann, bob = await live_match(hub), FakeListener(1), FakeListener(2)
        hub.presence.connect(live, ann)
        before = len(ann.received)
        crowd = [FakeListener(0) for _ in range(300)]
        for spectator in crowd:
            hub.presence.connect(live, spectator)
        await told_of_spectators(ann, 300)
        assert len(ann.received) == before + 1
        assert [len(spectator.received) for spectator in crowd] == [1] * 300
        hub.presence.connect(live, bob)  # a player is announced at once
        assert '"present":[true,true]' in ann.received[-1]
        for spectator in crowd[:100]:
            hub.presence.disconnect(live, spectator)
        hub.presence.disconnect(live, bob)  # the news of spectators comes with it
        assert '"present":[true,false]' in ann.received[-1]
        assert '"watchers":200,' in ann.received[-1]
        assert live.news is None
        assert len(ann.received) == before + 3

    run_on_one_hub(engine, scenario)


def test_an_http_call_makes_a_player_present_for_a_while(any_engine: Engine) -> None:
    async def scenario(hub: Hub, clock: FakeClock) -> None:
        live = await live_match(hub)
        hub.presence.touch(live, 2)
        await pass_time(clock, LEASE - 1, hub)
        assert await present(hub) == (False, True)
        await pass_time(clock, 2, hub)
        assert await present(hub) == (False, False)
        assert hub.presence.of(live).away[1] == 1.0

    run_on_one_hub(any_engine, scenario)


def test_a_player_who_called_and_then_left_stays_away(any_engine: Engine) -> None:
    async def scenario(hub: Hub, clock: FakeClock) -> None:
        live = await live_match(hub)
        hub.presence.touch(live, 2)
        listener = FakeListener(2)
        hub.presence.connect(live, listener)
        hub.presence.disconnect(live, listener)
        await pass_time(clock, SETTINGS.claim_after + 1, hub)
        assert (await claim(hub)).events == (Forfeited(2, away=True),)
        assert live.match.current.winner == 1

    run_on_one_hub(any_engine, scenario)


def test_a_game_cannot_be_claimed_while_the_opponent_is_present(any_engine: Engine) -> None:
    async def scenario(hub: Hub, clock: FakeClock) -> None:
        hub.presence.connect(await live_match(hub), FakeListener(2))
        await pass_time(clock, LONG, hub)
        assert refusal_reason(await claim(hub)) == NOT_LONG_ENOUGH

    run_on_one_hub(any_engine, scenario)


def test_a_game_cannot_be_claimed_from_a_player_at_the_same_screen(any_engine: Engine) -> None:
    async def scenario(hub: Hub, clock: FakeClock) -> None:
        live = await live_match(hub)
        live.match = replace(live.match, apart=False)
        await pass_time(clock, LONG, hub)
        refused = refusal_reason(await claim(hub))
        assert refused == "You can claim a win only against an opponent on another device."

    run_on_one_hub(any_engine, scenario)


def test_a_call_counts_before_it_is_written(
    any_engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scenario(hub: Hub, clock: FakeClock) -> None:
        await pass_time(clock, LONG, hub)
        monkeypatch.setattr(hub._writer, "add_presence", lambda *_: None)
        hub.presence.touch(await live_match(hub), 2)
        assert refusal_reason(await claim(hub)) == NOT_LONG_ENOUGH
        await hub.refresh()
        assert refusal_reason(await claim(hub)) == NOT_LONG_ENOUGH

    run_on_one_hub(any_engine, scenario)


# --- joining


@pytest.mark.both_databases
def test_a_player_who_has_just_joined_is_present_without_connecting(any_engine: Engine) -> None:
    async def scenario() -> None:
        clock = FakeClock()
        async with hub_on(Rooms(any_engine, "here"), clock) as hub:
            await hub.create(stored_match(clock, joined=(True, False)), hashes())
            live = await live_match(hub)
            host = FakeListener(1)
            hub.presence.connect(live, host)
            await pass_time(clock, LONG, hub)
            assert await present(hub) == (True, False)
            await hub.submit(live, 2, Join("Bob"), 0, new_key=("e" * 64, 2))
            assert '"type":"step"' in host.received[-2]
            assert '"present":[true,true]' in host.received[-1]
            assert "has not been away long enough" in refusal_reason(await claim(hub))
            await pass_time(clock, LEASE + SETTINGS.claim_after - 1, hub)
            assert "has not been away long enough" in refusal_reason(await claim(hub))
            await pass_time(clock, 2, hub)
            assert refusal_reason(await claim(hub)) == ""

    asyncio.run(scenario())


def test_a_listener_with_the_key_of_the_link_does_not_count_as_the_player_who_joined(
    any_engine: Engine,
) -> None:
    async def scenario() -> None:
        clock = FakeClock()
        async with hub_on(Rooms(any_engine, "here"), clock) as hub:
            await hub.create(stored_match(clock, joined=(True, False)), hashes())
            live = await live_match(hub)
            host, invited = FakeListener(1), FakeListener(2)
            hub.presence.connect(live, host)
            hub.presence.connect(live, invited)
            await hub.submit(live, 2, Join("Bob"), 0, new_key=("e" * 64, 2))
            assert (host.dismissed, invited.dismissed) == (False, True)
            told = list(invited.received)
            assert '"type":"step"' in told[-1]
            hub.presence.disconnect(live, invited)
            assert await present(hub) == (True, True)
            await hub.submit(live, 1, Take(8), 1)
            assert invited.received == told

    asyncio.run(scenario())


# --- while the server is down


@pytest.mark.both_databases
def test_absence_before_a_restart_does_not_count(any_engine: Engine) -> None:
    async def scenario() -> None:
        clock = FakeClock()
        async with hub_on(Rooms(any_engine, "here"), clock) as hub:
            await hub.create(stored_match(clock), hashes())
            live = await live_match(hub)
            for seat in (1, 2):
                hub.presence.connect(live, FakeListener(seat))
        clock.advance(LONG)  # the server is down
        async with hub_on(Rooms(any_engine, "here"), clock) as hub:
            assert hub.presence.of(await live_match(hub)).away == (0.0, 0.0)
            assert refusal_reason(await claim(hub)) == NOT_LONG_ENOUGH
            await pass_time(clock, SETTINGS.claim_after - 1, hub)
            assert refusal_reason(await claim(hub)) == NOT_LONG_ENOUGH
            await pass_time(clock, 1, hub)
            assert refusal_reason(await claim(hub)) == ""

    asyncio.run(scenario())


def test_time_while_the_server_is_suspended_does_not_count_as_absence(any_engine: Engine) -> None:
    async def scenario(hub: Hub, clock: FakeClock) -> None:
        await pass_time(clock, SETTINGS.claim_after - 1, hub)
        clock.advance(3 * REFRESH_EVERY)  # the machine was suspended or very busy
        await hub.refresh()
        assert refusal_reason(await claim(hub)) == NOT_LONG_ENOUGH
        await pass_time(clock, SETTINGS.claim_after, hub)
        assert refusal_reason(await claim(hub)) == ""

    run_on_one_hub(any_engine, scenario)


def test_time_without_notifications_does_not_count_as_absence(
    any_engine: Engine,
) -> None:
    async def scenario(hub: Hub, clock: FakeClock) -> None:
        await pass_time(clock, LONG, hub)
        await hub.resync_all()
        assert refusal_reason(await claim(hub)) == NOT_LONG_ENOUGH

    run_on_one_hub(any_engine, scenario)


# --- clocks that jump, machines that sleep


JUMPS = [125.0, 3600.0, -125.0, -3600.0, 5.0, -5.0]


async def leave(hub: Hub) -> None:
    """Let Player 2 come, and go."""
    live, listener = await live_match(hub), FakeListener(2)
    hub.presence.connect(live, listener)
    await wait_for_writes(hub)
    hub.presence.disconnect(live, listener)
    await wait_for_writes(hub)


async def refuses_until_claim_after(hub: Hub, clock: FakeClock) -> None:
    """Check that the game can be claimed in time, and not before."""
    assert refusal_reason(await claim(hub)) == NOT_LONG_ENOUGH
    await pass_time(clock, SETTINGS.claim_after - 1, hub)
    assert refusal_reason(await claim(hub)) == NOT_LONG_ENOUGH
    await pass_time(clock, LEASE + 1, hub)
    assert refusal_reason(await claim(hub)) == ""


@pytest.mark.parametrize("jump", JUMPS)
def test_a_game_cannot_be_claimed_at_once_even_if_the_clock_jumps(
    any_engine: Engine, jump: float
) -> None:
    async def scenario(hub: Hub, clock: FakeClock) -> None:
        await leave(hub)
        clock.advance(1)
        clock.jump(jump)
        await refuses_until_claim_after(hub, clock)

    run_on_one_hub(any_engine, scenario)


@pytest.mark.parametrize("jump", JUMPS)
def test_a_jump_of_the_clock_is_noticed_by_the_regular_tasks_too(
    any_engine: Engine, jump: float
) -> None:
    async def scenario(hub: Hub, clock: FakeClock) -> None:
        await leave(hub)
        await pass_time(clock, 50, hub)
        clock.jump(jump)
        await pass_time(clock, 10, hub)
        assert refusal_reason(await claim(hub)) == NOT_LONG_ENOUGH
        await pass_time(clock, SETTINGS.claim_after + LEASE, hub)
        assert refusal_reason(await claim(hub)) == ""

    run_on_one_hub(any_engine, scenario)


@pytest.mark.parametrize("jump", JUMPS)
def test_a_jump_of_the_clock_does_not_make_a_connected_player_absent(
    any_engine: Engine, jump: float
) -> None:
    async def scenario(hub: Hub, clock: FakeClock) -> None:
        hub.presence.connect(await live_match(hub), FakeListener(2))
        await wait_for_writes(hub)
        clock.jump(jump)
        assert await present(hub) == (False, True)
        await pass_time(clock, LONG, hub)
        assert await present(hub) == (False, True)
        assert refusal_reason(await claim(hub)) == NOT_LONG_ENOUGH

    run_on_one_hub(any_engine, scenario)


@pytest.mark.parametrize("jump", JUMPS)
def test_a_player_who_called_stays_present_for_a_while_even_if_the_clock_jumps(
    any_engine: Engine, jump: float
) -> None:
    async def scenario(hub: Hub, clock: FakeClock) -> None:
        hub.presence.touch(await live_match(hub), 2)
        clock.jump(jump)
        clock.advance(LEASE - 1)
        assert await present(hub) == (False, True)
        clock.advance(2)
        assert await present(hub) == (False, False)

    run_on_one_hub(any_engine, scenario)


@pytest.mark.parametrize("evicted", [True, False], ids=["evicted", "in memory"])
@pytest.mark.parametrize("jump", JUMPS)
def test_a_clock_that_was_set_back_does_not_block_claims(
    any_engine: Engine, monkeypatch: pytest.MonkeyPatch, jump: float, evicted: bool
) -> None:
    """The database says that the player is present until long after the new time of day."""
    monkeypatch.setattr(match_cache, "MOST_IDLE", 1 if evicted else 1000)

    async def scenario(hub: Hub, clock: FakeClock) -> None:
        hub.presence.touch(await live_match(hub), 2)
        await pass_time(clock, 1, hub)
        clock.jump(jump)
        await hub.create(stored_match(clock, "n"), hashes("n"))
        waited = 0
        while refusal_reason(await claim(hub)):
            await pass_time(clock, 10, hub)
            await hub.find("n")
            waited += 10
        assert SETTINGS.claim_after <= waited <= SETTINGS.claim_after + 2 * LEASE + 10

    run_on_one_hub(any_engine, scenario)


def test_clocks_that_drift_apart_slowly_do_not_block_claims(any_engine: Engine) -> None:
    async def scenario(hub: Hub, clock: FakeClock) -> None:
        await leave(hub)
        for _ in range(16):
            clock.jump(0.005)  # 500 parts in a million, the most that NTP corrects
            await pass_time(clock, 10, hub)
        assert refusal_reason(await claim(hub)) == ""

    run_on_one_hub(any_engine, scenario)


def test_time_in_which_the_server_was_held_up_is_not_absence_even_before_its_next_task(
    any_engine: Engine,
) -> None:
    async def scenario(hub: Hub, clock: FakeClock) -> None:
        await leave(hub)
        clock.advance(SETTINGS.claim_after + 5)  # the process was stopped, or the machine paused
        await refuses_until_claim_after(hub, clock)

    run_on_one_hub(any_engine, scenario)


def test_a_refresh_of_very_many_matches_does_not_count_as_a_pause(
    any_engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each batch of a long refresh shows that the server is awake."""
    monkeypatch.setattr(presences, "BATCH_SIZE", 1)

    async def scenario(hub: Hub, clock: FakeClock) -> None:
        await leave(hub)
        for number in range(6):
            stored = replace(stored_match(clock, f"n{number}", joined=(True, False)), listed=True)
            live = await hub.create(stored, hashes(f"n{number}"))
            hub.presence.connect(live, FakeListener(1))
        sleep = asyncio.sleep

        async def take_long(seconds: float) -> None:
            if seconds == presences.PAUSE:
                clock.advance(15)
            await sleep(0)

        with monkeypatch.context() as patch:
            patch.setattr(asyncio, "sleep", take_long)
            for _ in range(2):
                clock.advance(REFRESH_EVERY)
                await hub.refresh()
        assert refusal_reason(await claim(hub)) == ""

    run_on_one_hub(any_engine, scenario)


def test_a_call_counts_even_if_the_match_was_evicted_in_the_meantime(
    any_engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(match_cache, "MOST_IDLE", 1)

    async def scenario(hub: Hub, clock: FakeClock) -> None:
        await pass_time(clock, LONG, hub)
        hub.presence.touch(await live_match(hub), 2)
        await hub.create(stored_match(clock, "n"), hashes("n"))
        assert hub.matches.get(ID) is None
        assert await present(hub) == (False, True)
        assert refusal_reason(await claim(hub)) == NOT_LONG_ENOUGH

    run_on_one_hub(any_engine, scenario)


# --- two processes


def test_a_player_on_another_process_is_present_until_the_lease_ends(shared_engine: Engine) -> None:
    async def scenario(here: Hub, there: Hub, clock: FakeClock) -> None:
        there.presence.connect(await live_match(there), FakeListener(2))
        await wait_for_writes(there)
        watcher = FakeListener(0)
        mine = await live_match(here)
        here.presence.connect(mine, watcher)
        await here.resync([ID])
        assert await present(here) == (False, True)
        assert '"present":[false,true]' in watcher.received[-1]
        await pass_time(
            clock, LEASE + 1, here
        )  # the other process was killed, so it renews nothing
        assert await present(here) == (False, False)
        assert '"present":[false,false]' in watcher.received[-1]

    run_on_two_hubs(shared_engine, scenario)


def test_a_player_who_stays_on_another_process_stays_present(shared_engine: Engine) -> None:
    async def scenario(here: Hub, there: Hub, clock: FakeClock) -> None:
        there.presence.connect(await live_match(there), FakeListener(2))
        here.presence.connect(await live_match(here), FakeListener(1))
        await pass_time(clock, LONG, there, here)
        assert await present(here) == await present(there) == (True, True)
        assert refusal_reason(await claim(here)) == NOT_LONG_ENOUGH

    run_on_two_hubs(shared_engine, scenario)


def test_a_player_who_called_one_process_and_then_left_the_other_stays_away(
    shared_engine: Engine,
) -> None:
    async def scenario(here: Hub, there: Hub, clock: FakeClock) -> None:
        mine, live = await live_match(here), await live_match(there)
        here.presence.connect(mine, FakeListener(1))
        listener = FakeListener(2)
        there.presence.connect(live, listener)
        here.presence.touch(mine, 2)
        clock.advance(1)
        there.presence.disconnect(live, listener)
        await wait_for_writes(there)
        clock.advance(1)
        await here.refresh()
        await wait_for_writes(here)
        assert await present(here) == (True, False)
        clock.advance(1)
        await here.refresh()
        assert await present(here) == (True, False)

    run_on_two_hubs(shared_engine, scenario)


def test_a_call_to_one_process_counts_on_the_other(shared_engine: Engine) -> None:
    async def scenario(here: Hub, there: Hub, clock: FakeClock) -> None:
        mine, live = await live_match(here), await live_match(there)
        there.presence.connect(live, FakeListener(1))
        clock.advance(5)
        here.presence.touch(mine, 2)
        await here.refresh()
        await wait_for_writes(here)
        await there.refresh()
        assert await present(there) == (True, True)

    run_on_two_hubs(shared_engine, scenario)
