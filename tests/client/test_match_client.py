"""A client follows a match of a real server, plays it, and survives lost connections."""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from dataclasses import replace
from random import Random
from typing import Any, TypeVar

import pytest

from divisorduel.client.client_error import ClientError
from divisorduel.client.http_api import Admission, create_match, enter
from divisorduel.client.match_client import (
    CommandDone,
    Connected,
    ConnectionLost,
    MatchAdvanced,
    MatchChanged,
    MatchClient,
    PresenceChanged,
    Refused,
    Update,
)
from divisorduel.client.match_link import MatchLink
from divisorduel.client.server_messages import Presence
from divisorduel.play.commands import Accept, CallOff, Forfeit, Rematch, Take, Undo
from divisorduel.play.match import Match as LocalMatch
from divisorduel.rules.catalogue import game
from divisorduel.terminal.remote_words import too_early
from tests.client.proxy import Proxy
from tests.web.clients import HERE, LINK, Client, Match, Server, joined_match, new_match, solo

T = TypeVar("T")
U = TypeVar("U", bound=Update)


def run(scenario: Coroutine[Any, Any, T]) -> T:
    async def limited() -> T:
        async with asyncio.timeout(60):
            return await scenario

    return asyncio.run(limited())


async def no_pause(_: float) -> None:
    await asyncio.sleep(0.01)


def client(url: str, match: Match, key: str | None, name: str | None = None) -> MatchClient:
    admission = enter(MatchLink(url, match.id, str(key)), name)
    return MatchClient(admission, rng=Random(1), sleep=no_pause)


async def hear(updates: AsyncIterator[Update], kind: type[U]) -> U:
    async for update in updates:
        if isinstance(update, kind):
            return update
    raise AssertionError


async def until(condition: Callable[[], bool]) -> None:
    while not condition():
        await asyncio.sleep(0.005)


def test_two_clients_play_a_match_to_its_end_and_a_spectator_sees_every_move(web: Server) -> None:
    links = create_match(web.url, game="chain", board={"to": 6}, players=[HERE, LINK])
    assert links.one is not None
    assert links.two is not None
    ann, bob, eve = (enter(links.one), enter(links.two, "Bob"), enter(links.watch))
    assert bob.link != links.two

    async def play(player: MatchClient) -> None:
        async with player:
            async for _ in player.updates():
                if player.is_my_turn:
                    legal = player.match.game.moves(player.match.current.position)
                    assert await player.send(Take(legal[0])) == CommandDone()
                elif player.match.over:
                    return

    async def watch(spectator: MatchClient) -> tuple[int, ...]:
        async with spectator:
            async for _ in spectator.updates():
                if spectator.match.over:
                    refused = await spectator.send(Rematch())
                    assert isinstance(refused, Refused)
                    assert refused.reason == "Spectators cannot play."
                    return spectator.match.current.moves
        raise AssertionError

    async def everyone() -> tuple[int, ...]:
        players = play(MatchClient(ann)), play(MatchClient(bob))
        *_, seen = await asyncio.gather(*players, watch(MatchClient(eve)))
        return seen

    assert run(everyone()) == (2, 4)


def test_a_client_has_the_same_match_as_the_server_after_every_kind_of_command(
    web: Server,
) -> None:
    async def scenario(match: Match) -> None:
        async with client(web.url, match, match.keys["1"]) as ann:
            updates = ann.updates()
            await hear(updates, Connected)
            assert ann.seats == (1,)
            assert await ann.send(Take(8)) == CommandDone()
            match.two.take(4)
            await until(lambda: ann.match.version == match.one.see()["version"])
            assert await ann.send(Undo()) == CommandDone()
            match.two.do("accept")
            await until(lambda: ann.match.current.moves == ())
            assert await ann.send(Forfeit()) == CommandDone()
            await until(lambda: len(ann.match.played) == 2)
            match.two.take(6)
            await until(lambda: ann.match.current.moves == (6,))
            match.two.do("forfeit")
            await until(lambda: ann.match.over)
            assert ann.match.score == (1, 1)
            match.two.do("rematch")
            await until(lambda: ann.match.offer is not None)
            assert await ann.send(Accept()) == CommandDone()
            assert ann.match.rounds == 4
            seen = match.one.see()
            assert (ann.match.version, list(ann.match.current.moves)) == (
                seen["version"],
                seen["turns"],
            )

    with joined_match(web.url, rounds=2) as match:
        run(scenario(match))


def test_a_client_that_connects_late_knows_the_score_and_follows_an_undo_into_an_earlier_round(
    web: Server,
) -> None:
    async def scenario(match: Match) -> None:
        async with client(web.url, match, match.keys["watch"]) as late:
            await hear(late.updates(), Connected)
            assert late.match.score == (0, 1)
            assert [played.starter for played in late.match.played] == [1, 2]
            match.one.do("undo")
            await until(lambda: len(late.match.played) == 1)
            assert late.match.current.moves == (2,)
            match.one.take(4)

    here = {"who": "here", "name": "Bob"}
    with new_match(web.url, board={"to": 6}, rounds=2, players=[HERE, here]) as match:
        match.one.take(2)
        match.one.take(4)
        assert match.one.see()["round"] == 2
        run(scenario(match))


@pytest.mark.parametrize("held", ["questions", "answers"])
def test_a_move_is_neither_lost_nor_made_twice_if_the_connection_is_cut(
    web: Server, held: str
) -> None:
    async def scenario(match: Match, proxy: Proxy) -> None:
        async with client(proxy.url, match, match.keys["1"]) as ann:
            updates = ann.updates()
            await hear(updates, Connected)
            proxy.hold(held)
            sending = asyncio.create_task(ann.send(Take(8)))
            if held == "answers":
                await until(lambda: match.one.see()["turns"] == [8])
            else:
                await asyncio.sleep(0.05)
                assert match.one.see()["turns"] == []
            proxy.cut()
            answer = await sending
            assert answer == (CommandDone() if held == "questions" else MatchChanged())
            await hear(updates, ConnectionLost)
            again = await hear(updates, Connected)
            told = [event for event, _ in again.applied]
            assert [event.number for event in told] == ([8] if held == "answers" else [])  # type: ignore[union-attr]
            await until(lambda: ann.match.current.moves == (8,))
        assert match.one.see()["turns"] == [8]
        assert match.one.see()["version"] == 2  # joined, 8

    with joined_match(web.url) as match, Proxy(web.port) as proxy:
        run(scenario(match, proxy))


def test_a_client_that_reconnects_gets_every_event_that_it_missed(web: Server) -> None:
    async def scenario(match: Match, proxy: Proxy) -> None:
        async with client(proxy.url, match, match.keys["watch"]) as eve:
            updates = eve.updates()
            await hear(updates, Connected)
            proxy.refuse()
            proxy.cut()
            await hear(updates, ConnectionLost)
            assert not eve.is_connected
            match.one.take(8)
            match.two.take(4)
            match.one.do("forfeit")
            proxy.accept()
            again = await hear(updates, Connected)
            kinds = [type(event).__name__ for event, _ in again.applied]
            assert kinds == ["NumberTaken", "NumberTaken", "Forfeited"]
            assert again.match.over

    with joined_match(web.url) as match, Proxy(web.port) as proxy:
        run(scenario(match, proxy))


def test_the_delays_between_attempts_grow_and_are_randomised(web: Server) -> None:
    waits: list[float] = []

    async def scenario(match: Match, proxy: Proxy) -> None:
        done = asyncio.Event()

        async def sleep(seconds: float) -> None:
            waits.append(seconds)
            if len(waits) == 7:
                done.set()
                await asyncio.sleep(60)

        admission = enter(MatchLink(proxy.url, match.id, str(match.keys["1"])))
        async with MatchClient(admission, rng=Random(1), sleep=sleep) as ann:
            updates = ann.updates()
            await hear(updates, Connected)
            proxy.refuse()
            proxy.cut()
            await hear(updates, ConnectionLost)
            await done.wait()
            assert ann._updates.empty()  # the loss is reported once

    with joined_match(web.url) as match, Proxy(web.port) as proxy:
        run(scenario(match, proxy))
    rng = Random(1)
    usual = [0.3, 0.6, 1.2, 2.4, 4.8, 5.0, 5.0]
    assert waits == pytest.approx([wait * (0.5 + rng.random()) for wait in usual])


def test_a_wrong_number_that_loses_needs_to_be_confirmed(web: Server) -> None:
    async def scenario(match: Match) -> None:
        async with client(web.url, match, match.keys["1"]) as ann:
            await hear(ann.updates(), Connected)
            refused = await ann.send(Take(7))
            assert isinstance(refused, Refused)
            assert refused.asks
            assert refused.reason == "7 does not divide 16."
            assert await ann.send(Take(10**40), sure=True) == CommandDone()
            assert ann.match.current.winner == 2

    with joined_match(web.url, game="descent", board={"number": 16}) as match:
        run(scenario(match))


def test_a_client_knows_who_is_there_and_that_a_match_was_called_off(web: Server) -> None:
    async def scenario(match: Match) -> None:
        async with client(web.url, match, match.keys["1"]) as ann:
            updates = ann.updates()
            await hear(updates, Connected)
            async with client(web.url, match, match.keys["watch"]):
                while (await hear(updates, PresenceChanged)).presence.watchers == 0:
                    pass
            assert await ann.send(CallOff()) == CommandDone()
            advanced = await hear(updates, MatchAdvanced)
            assert advanced.applied[-1][1].state == "off"

    with new_match(web.url) as match:
        run(scenario(match))


def test_a_client_knows_when_it_may_claim_the_win() -> None:
    clock, apart = [1000.0], replace(LocalMatch.of(game("chain")), apart=True)
    admission = Admission(MatchLink("http://x", "a", "KEY"), apart, (1,), hints=True)
    ann = MatchClient(admission, clock=lambda: clock[0])
    assert ann.claim_in is None
    clock[0] += 5
    ann.note_presence(Presence((True, False), (None, 30.0), 0, claim_after=120))
    waits = [ann.claim_in]
    for seconds in (89.5, 0.5, 10):
        clock[0] += seconds
        waits.append(ann.claim_in)
    assert waits == [90, 0.5, 0, 0]
    assert [*map(too_early, waits)] == [
        "You can claim the win in 90 seconds.",
        "You can claim the win in 1 second.",
        "",
        "",
    ]
    ann.note_presence(Presence((True, True), (None, None), 0, claim_after=120))
    assert ann.claim_in is None


def test_a_computer_player_is_an_opponent_like_any_other(web: Server) -> None:
    async def scenario(match: Match) -> None:
        async with client(web.url, match, match.keys["1"]) as ann:
            await hear(ann.updates(), Connected)
            await ann.send(Take(6))
            await until(lambda: len(ann.match.current.moves) == 2)

    with solo(web.url) as match:
        run(scenario(match))


def test_a_match_from_an_unusual_position_begins_there(web: Server) -> None:
    record = (
        '[Game "chain"]\n[Board "2-8"]\n[Start "chain 2-8 2-4,6-8 -"]\n'
        '[Player1 "Ann"]\n[Player2 "Bob"]\n\n1. 8 *\n'
    )
    with Client(web.url) as anyone:
        match = Match(web.url, anyone.post("/records", 201, record=record))
    admission = enter(MatchLink(web.url, match.id, str(match.keys["1"])))
    assert admission.match.start.numbers == (2, 3, 4, 6, 7, 8)

    async def scenario() -> None:
        async with MatchClient(admission) as ann:
            await hear(ann.updates(), Connected)
            assert ann.match.current.moves == (8,)
            assert ann.seats == (1, 2)

    run(scenario())


def test_a_seat_taken_in_the_meantime_and_an_invalid_key_are_reported(web: Server) -> None:
    with joined_match(web.url) as match:
        with pytest.raises(ClientError, match="This link is no longer valid"):
            enter(MatchLink(web.url, match.id, str(match.invited.key)))
        admission = enter(MatchLink(web.url, match.id, str(match.keys["1"])))
        wrong = MatchLink(web.url, match.id, "x" * 24)

        async def scenario() -> None:
            async with MatchClient(replace(admission, link=wrong)) as ann:
                with pytest.raises(ClientError, match="no longer valid"):
                    await hear(ann.updates(), Connected)

        run(scenario())
