"""The hub holds every match in memory only once, and keeps up with other processes."""

import asyncio
import gc
from dataclasses import replace
from threading import Event, current_thread
from typing import Any, NoReturn

import pytest
from sqlalchemy import Engine
from sqlalchemy.exc import OperationalError

from divisorduel import Match, game
from divisorduel.play.commands import CallOff, Join, Take, Undo
from divisorduel.play.decide import STALE, Decision, begin
from divisorduel.play.events import NumberTaken
from divisorduel.store import schema as tables
from divisorduel.store.rooms import Rooms, Step, StoredMatch, UnreadableMatch, record_of
from divisorduel.web.live import hub as hubs
from divisorduel.web.live.hub import (
    MOST_STEPS,
    STEPS_AT_A_TIME,
    Hub,
)
from divisorduel.web.live.live_match import LiveMatch
from tests.conftest import small_game
from tests.web.live.hubs import (
    ID,
    SETTINGS,
    FakeClock,
    FakeListener,
    hashes,
    hub_on,
    live_match,
    refusal_reason,
    run_on_one_hub,
    run_on_two_hubs,
    steps_of,
    stored_match,
    take,
)


def test_moves_do_not_wait_for_the_record_of_a_new_match(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    writers = list[str]()

    def write(stored: StoredMatch) -> str:
        writers.append(current_thread().name)
        return record_of(stored)

    monkeypatch.setattr(hubs, "record_of", write)

    async def scenario() -> None:
        clock = FakeClock()
        async with hub_on(Rooms(engine, "here"), clock) as hub:
            await hub.create(stored_match(clock), hashes())
            match = begin(Match.of(game("descent", number=7), rounds=2)).match
            await hub.create(stored_match(clock, "n", match=match), hashes("n"))
            assert [name.split("_")[0] for name in writers] == ["short", "long"]
            assert (await live_match(hub, "n")).match.state == "over"

    asyncio.run(scenario())


# --- matches that cannot be read


def damage(engine: Engine, match_id: str) -> None:
    """Break the steps of a match, or its beginning if it has none."""
    with engine.begin() as connection:
        broken = tables.steps.update().where(tables.steps.c.match_id == match_id)
        if not connection.execute(broken.values(events="[{")).rowcount:
            broken = tables.matches.update().where(tables.matches.c.id == match_id)
            connection.execute(broken.values(base="nonsense"))


async def create_and_forget(hub: Hub, clock: FakeClock, *names: str) -> None:
    """Create matches that must be loaded again."""
    for name in names:
        await hub.create(stored_match(clock, name), hashes(name))
        hub.matches._drop(name)
    gc.collect()


@pytest.mark.both_databases
@pytest.mark.thorough
def test_matches_that_cannot_be_read_do_not_keep_others_from_expiring(
    any_engine: Engine, caplog: pytest.LogCaptureFixture
) -> None:
    async def scenario() -> None:
        clock, rooms = FakeClock(), Rooms(any_engine, "here")
        async with hub_on(rooms, clock) as hub:
            await create_and_forget(hub, clock, "m", "n", "o", "p")
            rooms.write([Step("m", 1, (NumberTaken(8),), clock())], [])
            damage(any_engine, "m")
            damage(any_engine, "o")
            clock.advance(SETTINGS.expire_after + 1)
            for _ in range(3):
                await hub.close_expired()
            assert [(await live_match(hub, name)).match.state for name in "np"] == ["expired"] * 2
            assert rooms.unfinished_before(clock(), 10) == []
            for name in "mo":
                with pytest.raises(UnreadableMatch):
                    await hub.authorize(name, next(iter(hashes(name))))

    asyncio.run(scenario())
    told = [record.getMessage() for record in caplog.records]
    assert told == [f"Match {name} cannot be read. It is set aside." for name in "mo"]


def test_an_error_while_a_match_is_closed_does_not_keep_others_from_expiring(
    engine: Engine, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def scenario() -> None:
        clock = FakeClock()
        async with hub_on(Rooms(engine, "here"), clock) as hub:
            for name in ("m", "n"):
                await hub.create(stored_match(clock, name), hashes(name))
                clock.advance(1)
            clock.advance(SETTINGS.expire_after + 1)
            find = hub.find

            async def fail(match_id: str) -> LiveMatch | None:
                if match_id == "m":
                    raise ZeroDivisionError
                return await find(match_id)

            monkeypatch.setattr(hub, "find", fail)
            await hub.close_expired()
            assert (await live_match(hub, "n")).match.state == "expired"

    asyncio.run(scenario())
    assert [record.getMessage() for record in caplog.records] == ["Match m could not be closed."]


def test_a_match_that_another_process_made_unreadable_does_not_stop_notifications(
    shared_engine: Engine,
) -> None:
    async def scenario() -> None:
        clock = FakeClock()
        async with (
            hub_on(Rooms(shared_engine, "here"), clock) as here,
            hub_on(Rooms(shared_engine, "there"), clock) as there,
        ):
            ears = {}
            for name in ("m", "n"):
                await here.create(stored_match(clock, name), hashes(name))
                ears[name] = FakeListener(1)
                here.presence.connect(await live_match(here, name), ears[name])
                await take(there, await live_match(there, name), 1, 8)
            damage(shared_engine, "m")
            await here.resync(["m", "n"])
            assert '"number":8' in ears["n"].received[-1]
            assert (ears["m"].dismissed, ears["n"].dismissed) == (True, False)
            with pytest.raises(UnreadableMatch):
                await here.find("m")

    asyncio.run(scenario())


# --- keys that were replaced


def test_a_command_with_the_key_of_the_link_is_refused_once_a_player_joins(
    any_engine: Engine,
) -> None:
    async def scenario() -> None:
        clock = FakeClock()
        async with hub_on(Rooms(any_engine, "here"), clock) as hub:
            match = Match.of(small_game("chain"), first=2)
            live = await hub.create(
                stored_match(clock, match=match, joined=(True, False)), hashes()
            )
            joining = hub.submit(live, 2, Join("Bob"), 0, new_key=("e" * 64, 2))
            # These are sent with the key of the link, for the next version.
            early = [hub.submit(live, 2, Take(8), 1), hub.submit(live, 2, CallOff(), 1)]
            joined, *others = await asyncio.gather(joining, *early)
            assert refusal_reason(joined) == ""
            assert [other.refusal for other in others] == [STALE, STALE]
            assert (live.match.version, live.match.current.moves) == (1, ())
            await take(hub, live, 2, 8)

    asyncio.run(scenario())


def test_a_key_that_is_replaced_while_it_is_looked_up_is_invalid(
    any_engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scenario() -> None:
        clock, rooms = FakeClock(), Rooms(any_engine, "here")
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


# --- moves without a task


def start_move(
    hub: Hub, live: LiveMatch, number: int, version: int = 0, *, sure: bool = False
) -> "tuple[asyncio.Future[tuple[Decision | Exception, str | None]] | None, FakeListener]":
    """Start a move of Player 1. Return its outcome and its author, or None if it did not start."""
    made: asyncio.Future[tuple[Decision | Exception, str | None]] = asyncio.Future()
    author = FakeListener(1)
    live.add(author)
    started = hub.start_move(
        live, 1, Take(number), version, author, lambda *told: made.set_result(told), sure=sure
    )
    return made if started else None, author


def test_a_move_is_on_disk_when_the_others_are_told_and_its_author_gets_the_same_step(
    any_engine: Engine,
) -> None:
    async def scenario(hub: Hub, _: FakeClock) -> None:
        live, watcher = await live_match(hub), FakeListener(0)
        live.add(watcher)
        on_disk = list[object]()
        watcher.tell = lambda message: on_disk.append(  # type: ignore[method-assign]
            (message, Rooms(any_engine, "here").steps_after(ID, 0))
        )
        made, author = start_move(hub, live, 8)
        assert made is not None
        assert live.match.version == 0
        outcome, step = await made
        assert isinstance(outcome, Decision)
        assert (outcome.match, outcome.match.version) == (live.match, 1)
        assert on_disk == [(step, [(NumberTaken(8),)])]
        assert author.received == []
        await take(hub, live, 2, 4)  # the match is free again

    run_on_one_hub(any_engine, scenario)


def test_a_move_that_is_refused_or_must_wait_is_not_started(engine: Engine) -> None:
    async def scenario(hub: Hub, _: FakeClock) -> None:
        live = await live_match(hub)
        assert start_move(hub, live, 999)[0] is None  # it is not on the board
        assert start_move(hub, live, 8, version=1)[0] is None
        async with live.lock:
            assert start_move(hub, live, 8)[0] is None
        live.match = replace(live.match, version=MOST_STEPS)
        assert start_move(hub, live, 8, MOST_STEPS)[0] is None
        assert not live.lock.is_held
        live.match = replace(live.match, version=0)
        assert Rooms(engine, "here").steps_after(ID, 0) == []
        await take(hub, live, 1, 8)

    run_on_one_hub(engine, scenario)


def test_a_rule_book_that_fails_leaves_the_match_unlocked(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> NoReturn:
        raise ZeroDivisionError

    async def scenario(hub: Hub, _: FakeClock) -> None:
        live = await live_match(hub)
        with monkeypatch.context() as patched:
            patched.setattr(hubs, "decide", fail)
            assert start_move(hub, live, 8)[0] is None
        assert not live.lock.is_held

    run_on_one_hub(engine, scenario)


def test_a_move_that_came_too_late_is_refused_and_the_match_catches_up(engine: Engine) -> None:
    async def scenario(hub: Hub, clock: FakeClock) -> None:
        live = await live_match(hub)
        Rooms(engine, "here").write([Step(ID, 1, (NumberTaken(8),), clock())], [])
        made, author = start_move(hub, live, 6)
        assert made is not None
        outcome, step = await made
        assert isinstance(outcome, Decision)
        assert (outcome.refusal, step) == (STALE, None)
        assert live.match.current.moves == (8,)
        assert '"number":8' in author.received[-1]
        await take(hub, live, 2, 4)

    run_on_one_hub(engine, scenario)


def test_a_move_that_cannot_be_written_changes_nothing(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    full = OperationalError("INSERT", None, Exception("disk full"))

    def fail(*_: object) -> NoReturn:
        raise full

    async def scenario(hub: Hub, _: FakeClock) -> None:
        live = await live_match(hub)
        with monkeypatch.context() as patched:
            patched.setattr(hub._rooms, "write", fail)
            made, author = start_move(hub, live, 8)
            assert made is not None
            assert await made == (full, None)
        assert (live.match.version, author.received) == (0, [])
        await take(hub, live, 1, 8)

    run_on_one_hub(engine, scenario)


# --- two processes


def test_a_command_whose_step_came_too_late_is_refused_and_the_match_catches_up(
    engine: Engine,
) -> None:
    async def scenario() -> None:
        clock, rooms = FakeClock(), Rooms(engine, "here")
        async with hub_on(rooms, clock) as hub:
            live = await hub.create(stored_match(clock), hashes())
            listener = FakeListener(1)
            hub.presence.connect(live, listener)
            # Another process was faster, by three steps.
            numbers = [(NumberTaken(8),), (NumberTaken(4),), (NumberTaken(2),)]
            rooms.write([Step(ID, n, events, clock()) for n, events in enumerate(numbers, 1)], [])
            outcome = await hub.submit(live, 1, Take(6), 0)
            assert outcome.refusal == STALE
            assert (live.match.version, live.match.current.moves) == (3, (8, 4, 2))
            told = [message for message in listener.received if '"type":"step"' in message]
            assert [
                f'"number":{number}' in message
                for number, message in zip((8, 4, 2), told, strict=True)
            ]
            assert rooms.steps_after(ID, 0) == numbers
            await take(hub, live, 2, 6)

    asyncio.run(scenario())


def test_a_match_that_is_far_behind_catches_up_without_holding_up_others(
    shared_engine: Engine,
) -> None:
    async def scenario(here: Hub, there: Hub, clock: FakeClock) -> None:
        mine = await live_match(here)
        Rooms(shared_engine, "here").write(steps_of(ID, 6 * STEPS_AT_A_TIME), [])
        turns = 0

        async def count_turns() -> None:
            nonlocal turns
            while mine.match.version < 6 * STEPS_AT_A_TIME:
                turns += mine.match.version > 0
                await asyncio.sleep(0)

        other = asyncio.create_task(count_turns())
        assert (await live_match(here)).match.version == 6 * STEPS_AT_A_TIME
        await other
        assert turns >= 5

    run_on_two_hubs(shared_engine, scenario)


def test_a_command_for_a_version_that_one_process_has_just_acknowledged_is_accepted_by_the_other(
    shared_engine: Engine,
) -> None:
    async def scenario(here: Hub, there: Hub, clock: FakeClock) -> None:
        lives = await live_match(here), await live_match(there)
        for turn in range(30):  # without notifications, each must read the database
            hub, live = (here, there)[turn % 2], lives[turn % 2]
            command = Take(8) if turn % 2 == 0 else Undo()
            outcome = await hub.submit(live, 1, command, turn)
            assert refusal_reason(outcome) == ""
            other = (there, here)[turn % 2]
            assert (await live_match(other)).match == live.match

    async def run() -> None:
        clock = FakeClock()
        async with (
            hub_on(Rooms(shared_engine, "here"), clock) as here,
            hub_on(Rooms(shared_engine, "there"), clock) as there,
        ):
            await here.create(stored_match(clock, apart=False), hashes())
            await scenario(here, there, clock)

    asyncio.run(run())


def test_a_listener_whose_key_another_process_replaced_is_dismissed(
    shared_engine: Engine,
) -> None:
    async def scenario() -> None:
        clock = FakeClock()
        async with (
            hub_on(Rooms(shared_engine, "here"), clock) as here,
            hub_on(Rooms(shared_engine, "there"), clock) as there,
        ):
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


def test_a_crowd_that_asks_for_a_match_does_not_delay_its_players(
    shared_engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    reads = list[int]()

    async def scenario(hub: Hub, clock: FakeClock) -> None:
        live, rooms = await live_match(hub), hub._rooms
        read = rooms.steps_after
        may_read = Event()

        def note(match_id: str, version: int) -> Any:
            reads.append(version)
            assert may_read.wait(60)
            return read(match_id, version)

        monkeypatch.setattr(rooms, "steps_after", note)
        crowd = [asyncio.create_task(live_match(hub)) for _ in range(200)]
        while not reads:
            await asyncio.sleep(0.001)
        crowd += [asyncio.create_task(live_match(hub)) for _ in range(200)]
        await asyncio.sleep(0)
        move = asyncio.create_task(take(hub, live, 1, 8))
        may_read.set()
        await move
        assert len(reads) <= 2
        assert {found is live for found in await asyncio.gather(*crowd)} == {True}

    run_on_one_hub(shared_engine, scenario)


def test_a_match_without_listeners_catches_up_on_request(
    shared_engine: Engine,
) -> None:
    async def scenario(here: Hub, there: Hub, clock: FakeClock) -> None:
        mine, theirs = await live_match(here), await live_match(there)
        await take(here, mine, 1, 8)
        await there.resync([ID])
        assert theirs.match.version == 0
        assert (await live_match(there)).match.current.moves == (8,)

    run_on_two_hubs(shared_engine, scenario)
