"""Whatever a server sends, a client ends with a sentence. It does not crash, hang or fill memory.

Real answers and messages are changed in one place at a time: every place, and every kind of value.
"""

import asyncio
import copy
import io
import json
import math
import threading
import tracemalloc
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from random import Random
from typing import Any
from unittest import mock

import pytest
from websockets.http11 import Request, Response
from websockets.sync.server import ServerConnection, serve

from divisorduel.client import http_api, match_client, server_messages
from divisorduel.client.client_error import ClientError
from divisorduel.client.http_api import enter
from divisorduel.client.match_client import Connected, MatchClient, NoticeReceived, Update
from divisorduel.play import commands, events
from divisorduel.play.decide import decide
from divisorduel.play.match import Match
from divisorduel.store.rooms import StoredMatch
from divisorduel.terminal.plain import remote_transcript
from divisorduel.terminal.plain.remote_loop import _RemoteLoop
from divisorduel.terminal.remote_words import too_early, with_presence
from divisorduel.terminal.terminal import Terminal
from divisorduel.web.schemas import views
from divisorduel.web.schemas.messages import StepMessage
from tests.conftest import Duel, examples, small_game

LINK = "http://127.0.0.1:9/#/match/abcdefghij/KEY"
MOST_BYTES = 50_000_000
"""The most memory that an answer of a few bytes may cost."""

VALUES: tuple[Any, ...] = (
    None, True, -1, 0, 1, 2, 3, 7, 2.0, -0.5, 1e308, math.nan, math.inf,
    10**9, -(10**9), 10**11, 2**63, 10**400, -(10**4000),
    "", "abc", "1", "9" * 50, "9" * 5000, "\x1b[2J\u202e", "\ud800", "of a newer server",
    [], {}, [None], [1, 2], ["a"], [[]], {"by": 9}, [-5, 10**11], [2] * 3000, {"type": {}},
)  # fmt: skip

Path = tuple[str | int, ...]


def sent_match(match: Match) -> dict[str, Any]:
    """Return the fields of a match as the server has them."""
    stored = StoredMatch("abcdefghij", match, "2026-11-15", hints=True, listed=False, created=0.0)
    return dict(views.match_fields(stored))


def plain(data: object) -> Any:
    """Return what a client reads of data that a server writes."""
    from pydantic_core import to_json

    return json.loads(to_json(data))


def conversation(key: str) -> dict[str, Any]:
    """Return what a server sends in a match: its answers, and then its messages."""
    first = Match.of(small_game(key), names=("Ann", "Bob"), rounds=3)
    waiting = replace(first, apart=True, joined=(True, False))
    presence = {"present": [True, False], "away": [None, 3.5], "watchers": 1, "claim_after": 120.0}
    told: dict[str, Any] = {
        "see": plain({"seats": [2], "match": sent_match(waiting), "presence": presence}),
        "board": plain(views.board_view(first.game, first.start)),
    }
    wanted: tuple[tuple[events.Seat, commands.Command | None], ...] = (
        (2, commands.Join("Bob")), (1, None), (2, None), (2, commands.Undo()),
        (1, commands.Accept()), (2, commands.Undo()), (1, commands.Decline()),
        (2, commands.Forfeit()), (1, commands.Claim()), (1, commands.Claim()),
        (1, commands.Rematch()), (2, commands.Accept()),
    )  # fmt: skip
    match, joined, steps = waiting, waiting, []
    for seat, command in wanted:
        if command is None:
            seat = match.current.to_move
            command = commands.Take(match.game.moves(match.current.position)[-1])
        decision = decide(match, seat, command)
        if decision.refusal is not None:
            continue
        caused = [views.event_view(event, after) for event, after in decision.applied]
        before, after = sent_match(match), sent_match(decision.match)
        step = json.loads(StepMessage.text(caused, before, after))
        steps.append({**step, "changes": {}})  # the client does not need them
        match = decision.match
        if isinstance(command, commands.Join):
            told["join"] = plain({"key": "OWNKEY", "seat": 2, "match": after})
            joined = match
            steps.clear()
    told["welcome"] = {"type": "welcome", **told["see"], "match": plain(sent_match(joined))}
    told |= {f"step {number}": step for number, step in enumerate(steps)}
    told["again"] = {"type": "welcome", **told["see"], "match": plain(sent_match(match))}
    told["presence"] = {"type": "presence", "presence": presence}
    told["done"] = {"type": "done", "id": 1, "version": 3}
    told["refused"] = {
        "type": "refused", "id": 1, "code": "stale-version", "reason": "Look.", "version": 3,
        "asks": True,
    }  # fmt: skip
    told["error"] = {"type": "error", "code": "invalid-message", "reason": "What?"}
    told["notice"] = {"type": "notice", "text": "Hello"}
    return told


def paths(data: Any, at: Path = ()) -> Iterator[Path]:
    """Yield the path to every value in plain data, but only to some values of a long list."""
    yield at
    match data:
        case dict():
            for name, value in data.items():
                yield from paths(value, (*at, name))
        case list():
            for index, value in enumerate(data[:2]):
                yield from paths(value, (*at, index))


def changed(data: Any, path: Path, value: object) -> Any:
    """Return plain data with another value in one place; without it if the value is Ellipsis."""
    if not path:
        return value
    data = copy.deepcopy(data)
    place = data
    for step in path[:-1]:
        place = place[step]
    if value is ...:
        del place[path[-1]]
    else:
        place[path[-1]] = value
    return data


class FakeSocket:
    """Takes what a client sends."""

    async def send(self, text: str) -> None:
        assert json.loads(text)["type"] in ("sync", "command")


def follow(told: dict[str, Any]) -> list[Update]:
    """Let a client enter a match, follow it, and show it. Raises `ClientError`."""
    updates = list[Update]()

    def call(_: str, path: str, **__: object) -> Any:
        return told[{"board": "board", "join": "join"}.get(path.rpartition("/")[2], "see")]

    async def receive(client: MatchClient) -> None:
        for name, message in told.items():
            if name in ("see", "board", "join"):
                continue
            await client._receive(json.dumps(message), FakeSocket())  # type: ignore[arg-type]
            while not client._updates.empty():
                update = client._updates.get_nowait()
                assert not isinstance(update, Exception)
                updates.append(update)
                shown._tell(update)

    with mock.patch.object(http_api, "_call", call):
        client = MatchClient(enter(LINK, "Bob"))
    out = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
    shown = _RemoteLoop(Terminal(io.StringIO(), out, out, {}), client, None)
    asyncio.run(receive(client))
    for word in ("moves", "history", "board", "score", "link", "rules"):
        shown._show(remote_transcript.answer(word, client.match, client.seats, client.link))
    too_early(client.claim_in)
    with_presence(client.match, client.presence, client.seats)
    out.flush()
    return updates


@pytest.mark.parametrize("key", ["chain", "descent", "evens"])
def test_an_honest_server_is_followed_to_the_end(key: str) -> None:
    updates = follow(conversation(key))
    assert len([update for update in updates if isinstance(update, Connected)]) == 2
    assert updates[-1] == NoticeReceived("Hello")


@pytest.mark.parametrize("key", ["chain", "descent"])
def test_no_change_to_what_a_server_sends_makes_a_client_fail(key: str) -> None:
    told = conversation(key)
    cases = [
        (name, path, value)
        for name, data in told.items()
        for path in paths(data)
        for value in (*VALUES, *([...] if path else []))
    ]
    chosen = Random(1).sample(cases, examples(1_000))
    refused = 0
    for name, path, value in chosen:
        try:
            follow({**told, name: changed(told[name], path, value)})
        except ClientError as error:
            refused += error.code in ("not-a-server", "game-unknown")
        except Exception as error:
            raise AssertionError(f"{name} {path} {value!r:.40}") from error
    assert refused > len(chosen) // 4


@pytest.mark.parametrize(
    ("name", "path", "value"),
    [
        ("see", ("match", "round"), 10**9),
        ("join", ("match", "round"), 10**9),
        ("welcome", ("match", "round"), 10**9),
        ("join", ("match", "results"), [1] * 300_000),
        ("join", ("match", "playable"), [10**11]),
        ("join", ("match", "playable"), ["x"] * 300_000),
        ("join", ("match", "turns"), [{}] * 300_000),
        ("see", ("match", "game", "board"), "2-10000000"),
        ("see", ("seats",), [1, 2] * 300_000),
        ("step 0", ("events",), [{"type": "rounds-added", "rounds": 1}] * 20_000),
        ("step 0", ("events", 0), {"type": "rounds-added", "rounds": 10**9}),
        ("notice", ("text",), "x" * 1_000_000),
    ],
)
def test_a_client_uses_little_memory(name: str, path: Path, value: object) -> None:
    told = conversation("chain")
    hostile = {**told, name: changed(told[name], path, value)}
    follow(told)
    tracemalloc.start()
    try:
        with suppress(ClientError):
            follow(hostile)
        assert tracemalloc.get_traced_memory()[1] < MOST_BYTES
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("code", ["chain 2-8 2-9 -", "chain 2-8 -5 -", "evens 2-8 2-8 -", "", "x"])
def test_a_start_that_is_not_on_the_board_is_refused(code: str) -> None:
    told = conversation("chain")
    elsewhere = changed(told["join"], ("match", "playable"), [])
    with pytest.raises(ClientError, match="is not a Divisor Duel server"):
        follow({**told, "join": elsewhere, "board": {**told["board"], "code": code}})


@pytest.mark.parametrize(
    "event",
    [
        {"type": "round-began", "starter": 9},
        {"type": "number-taken", "number": "abc"},
        {"type": "number-taken", "number": 2.5},
        {"type": "number-taken"},
        {"type": "offered", "kind": "all", "by": 1},
        {"type": "offered", "kind": {}, "by": 1},
        {"type": "forfeited", "by": 5},
        {"type": "forfeited", "by": 1, "wrong_number": [1]},
        {"type": "forfeited", "by": 1, "wrong_number": 10**4000},
        {"type": "forfeited", "by": 1, "wrong_number": -(10**4000)},
        {"type": "joined", "seat": 7, "name": "Eve"},
        {"type": "closed", "why": "bored"},
        {"type": "declined", "by": None},
    ],
)
def test_an_event_with_a_wrong_value_is_refused(event: dict[str, Any]) -> None:
    told = conversation("chain")
    with pytest.raises(ClientError, match="is not a Divisor Duel server"):
        follow({**told, "step 0": changed(told["step 0"], ("events", 0), event)})


@pytest.mark.parametrize("sign", [1, -1])
def test_a_match_that_was_lost_by_a_number_of_4000_digits_is_refused(sign: int) -> None:
    sent = conversation("descent")["see"]["match"]
    forfeit = {"by": 1, "wrong_number": sign * 10**4000, "away": False, "fault": ""}
    found = server_messages.parse(server_messages.SentMatch, {**sent, "forfeit": None})
    assert found.forfeit is None
    with pytest.raises(ValueError, match="too many digits"):
        server_messages.parse(server_messages.SentMatch, {**sent, "forfeit": forfeit})


def test_a_flood_of_messages_that_no_one_reads_does_not_fill_the_memory() -> None:
    told = conversation("chain")

    async def flood(client: MatchClient) -> None:
        for number in range(match_client.MOST_UNREAD + 100):
            told["notice"]["text"] = str(number)
            await client._receive(json.dumps(told["notice"]), FakeSocket())  # type: ignore[arg-type]

    with mock.patch.object(http_api, "_call", return_value=told["join"] | told["see"]):
        client = MatchClient(enter(LINK, "Bob"))
    asyncio.run(flood(client))
    assert client._updates.qsize() == match_client.MOST_UNREAD
    assert client._updates.get_nowait() == NoticeReceived("100")


def test_duel_join_ends_with_one_sentence(duel: Duel) -> None:
    told = conversation("chain")
    see = {**told["see"], "match": told["join"]["match"]}
    wrong = changed(told["step 0"], ("events", 0, "number"), "abc")

    def answer(connection: ServerConnection, request: Request) -> Response | None:
        if request.path.endswith("/live"):
            return None
        return connection.respond(200, json.dumps(see))

    def talk(connection: ServerConnection) -> None:
        connection.recv()
        for message in ({"type": "welcome", **see}, wrong):
            connection.send(json.dumps(message))
        for _ in connection:
            pass

    with serve(talk, "127.0.0.1", 0, process_request=answer) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        url = f"http://127.0.0.1:{server.socket.getsockname()[1]}"
        done = duel.run("join", f"{url}/#/match/abcdefghij/KEY")
        server.shutdown()
    assert done.returncode == 1
    assert "You are Bob, playing against Ann." in done.stdout
    assert done.stderr == (
        f"Error: {url} is not a Divisor Duel server, or it runs a different version. "
        "Check the address.\n"
    )
