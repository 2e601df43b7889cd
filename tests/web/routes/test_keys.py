"""Keys: what every call answers to every kind of key, and where keys never appear."""

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import httpx
import pytest
from websockets.exceptions import ConnectionClosed

from attack.campaigns.keys.expectations import CALLS
from tests.web.clients import HERE, NO_TLS, Client, Json, Match, Server, Socket, new_match

KINDS = (
    "missing", "wrong", "another match's", "the link's", "the watcher's", "the other seat's", "own",
)  # fmt: skip


class Expected(NamedTuple):
    """The status for each kind of key, in the order of `KINDS`, and a body if one is sent."""

    statuses: tuple[int, ...]
    body: Json | None = None


SEEN_BY_ALL = Expected((401, 403, 403, 403, 200, 200, 200))
FOR_THE_PLAYER_TO_MOVE = (401, 403, 403, 403, 403, 409, 200)

EXPECTED = {
    "GET /api/matches/{id}": SEEN_BY_ALL,
    "GET /api/matches/{id}/board": SEEN_BY_ALL,
    "GET /api/matches/{id}/record": SEEN_BY_ALL,
    "GET /api/matches/{id}/rounds/{number}": SEEN_BY_ALL,
    "GET /api/matches/{id}/rounds/{number}/review": SEEN_BY_ALL,
    "GET /api/matches/{id}/why": Expected(FOR_THE_PLAYER_TO_MOVE),
    "POST /api/matches/{id}/hint": Expected(FOR_THE_PLAYER_TO_MOVE, {"step": 1}),
    "POST /api/matches/{id}/commands": Expected(
        FOR_THE_PLAYER_TO_MOVE, {"version": 2, "command": {"type": "take", "number": 8}}
    ),
    # A player who has already joined keeps the seat.
    "POST /api/matches/{id}/join": Expected((401, 403, 403, 403, 403, 200, 200), {"name": "Eve"}),
}
"""What is expected of every call that takes a key, when it is Player 1's turn in round 2."""

OPEN_TO_ALL = {call for call, access in CALLS.items() if access == "anyone"}


@pytest.fixture(scope="module")
def other_match(server: Server) -> Iterator[Match]:
    """Create an unrelated match."""
    with new_match(server.url) as match:
        yield match


@pytest.fixture
def match(server: Server) -> Iterator[Match]:
    """Play a match against Bob up to the second round, where it is Ann's turn."""
    with new_match(server.url, first="2", rounds=2) as match:
        match.join()
        match.one.do("forfeit")
        assert match.one.see()["version"] == 2
        yield match


def key_of(kind: str, match: Match, other_match: Match) -> str | None:
    return {
        "missing": None,
        "wrong": "x" * 24,
        "another match's": other_match.keys["1"],
        "the link's": match.invited.key,
        "the watcher's": match.keys["watch"],
        "the other seat's": match.keys["2"],
        "own": match.keys["1"],
    }[kind]


def calls_of(server: Server) -> dict[str, bool]:
    """Return every call the server describes, and whether it takes a key."""
    described = httpx.get(f"{server.url}/openapi.json", verify=NO_TLS).json()
    return {
        f"{method.upper()} {path}": bool(about.get("security"))
        for path, methods in described["paths"].items()
        for method, about in methods.items()
    }


def test_every_call_is_covered(server: Server) -> None:
    calls = calls_of(server)
    assert {call for call, takes_key in calls.items() if takes_key} == set(EXPECTED)
    assert {call for call, takes_key in calls.items() if not takes_key} == OPEN_TO_ALL


@pytest.mark.parametrize("call", EXPECTED)
def test_each_kind_of_key_opens_what_it_should_and_nothing_else(
    server: Server, match: Match, other_match: Match, call: str
) -> None:
    method, path = call.split()
    path = path.format(id=match.id, number=1).removeprefix("/api")
    expected = EXPECTED[call]
    before = match.watch.see()
    for kind, status in zip(KINDS, expected.statuses, strict=True):
        if kind == "own":
            assert match.watch.see() == before
        with Client(server.url, key_of(kind, match, other_match)) as client:
            client.call(method, path, status, json=expected.body)


def test_a_wrong_key_does_not_reveal_whether_a_match_exists(server: Server, match: Match) -> None:
    reason = match.one.get("/matches/aaaaaaaaaa", 403)["reason"]
    with Client(server.url, "x" * 24) as client:
        assert client.get(f"/matches/{match.id}", 403)["reason"] == reason


@pytest.mark.parametrize("header", ["", "Bearer", "Basic {}", "{}", "Token {}"])
def test_a_key_is_accepted_only_as_a_bearer_token(
    server: Server, match: Match, header: str
) -> None:
    with Client(server.url) as client:
        sent = {"authorization": header.format(match.keys["1"])}
        answer = client.http.get(f"/api/matches/{match.id}", headers=sent)
    assert answer.status_code == 401
    assert answer.headers["www-authenticate"] == "Bearer"


def test_a_key_in_the_url_opens_nothing(server: Server, match: Match) -> None:
    key = match.keys["1"]
    with Client(server.url) as client:
        for query in (f"key={key}", f"token={key}", f"authorization=Bearer%20{key}"):
            client.get(f"/matches/{match.id}?{query}", 401)


@pytest.mark.parametrize("kind", ["missing", "wrong", "another match's", "the link's"])
def test_a_wrong_key_opens_no_websocket(
    server: Server, match: Match, other_match: Match, kind: str
) -> None:
    key = key_of(kind, match, other_match)
    with Socket(server.url, match.id, None, hello=False) as socket:
        socket.send(type="hello", **({} if key is None else {"key": key}))
        assert socket.closed_with() == 4403
        assert socket.told == []


def test_a_websocket_plays_only_for_the_seat_of_its_key(server: Server, match: Match) -> None:
    with match.watch.listen() as watcher, match.two.listen() as bob, match.one.listen() as ann:
        seats = [guest.welcome["seats"] for guest in (watcher, bob, ann)]
        assert seats == [[], [2], [1]]
        refusals = [guest.do("take", number=8)["reason"] for guest in (watcher, bob)]
        assert refusals == ["Spectators cannot play.", "It is not your turn."]
        assert ann.do("take", number=8)["type"] == "done"


def test_one_key_opens_both_seats_of_friends_at_one_screen(server: Server) -> None:
    with new_match(server.url, players=[HERE, {"who": "here", "name": "Bob"}]) as match:
        assert match.keys["1"] == match.keys["2"]
        assert match.one.get(match.one.at)["seats"] == [1, 2]
        match.one.take(8)
        assert match.one.take(4)["match"]["turns"] == [8, 4]


@pytest.mark.parametrize("way", ["the list", "the link"])
def test_a_listener_with_the_key_to_a_free_seat_is_dismissed_when_a_player_takes_it(
    server: Server, way: str
) -> None:
    with new_match(server.url, listed=True) as match, match.one.listen() as ann:
        with match.invited.listen() as old:
            key = match.invited.key if way == "the link" else None
            with Client(server.url, key) as bob:
                joined = bob.post(f"{match.one.at}/join", name="Bob")
            assert old.closed_with() == 1013
            assert old.match["joined"] == [True, True]
        assert joined["key"] != match.invited.key
        match.invited.get(match.invited.at, 403)
        match.invited.post(f"{match.invited.at}/join", 403, name="Eve")
        assert ann.do("take", version=1, number=8)["type"] == "done"
        with Client(server.url, joined["key"]) as bob:
            command = {"type": "take", "number": 4}
            bob.post(f"{match.one.at}/commands", version=2, command=command)


@pytest.mark.both_databases
def test_a_command_with_a_key_that_has_become_invalid_is_not_carried_out(server: Server) -> None:
    with new_match(server.url, first="2") as match:
        with match.invited.listen() as old:
            for _ in range(50):  # for the next version, before the player joins
                old.ask("take", 1, number=8)
            match.join()
            with suppress(ConnectionClosed):
                for version in range(3):
                    old.ask("take", version, number=8)
            assert old.closed_with() == 1013
        assert match.one.see()["turns"] == []
        match.two.take(8)


def bytes_of(server: Server, folder: Path) -> Iterator[bytes]:
    yield server.log.read_bytes()
    for file in folder.rglob("*"):
        if file.is_file():
            yield file.read_bytes()


@pytest.mark.both_databases
def test_keys_appear_neither_in_the_database_nor_in_the_log(
    server: Server, match: Match, request: pytest.FixtureRequest
) -> None:
    keys = {key for key in (*match.keys.values(), match.invited.key) if key}
    with Client(server.url, match.keys["1"]) as client:
        client.http.get(f"/api/matches/{match.id}?key={match.keys['1']}")
        client.http.get(f"/{match.keys['1']}")
        client.http.post(f"/api/matches/{match.id}/commands", content=b"{")
    with match.one.listen() as ann:
        ann.raw.send('{"type": "nonsense"}')
        ann.hear("error")
    if server.database.startswith("sqlite"):
        folder = Path(server.database.removeprefix("sqlite:///")).parent
    else:
        folder = request.getfixturevalue("postgres").folder
    found = list(bytes_of(server, folder))
    assert any(match.id.encode() in data for data in found)
    assert len(keys) == 4
    assert not [key for key in keys for data in found if key.encode() in data]
