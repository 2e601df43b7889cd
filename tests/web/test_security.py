"""The server survives hostile input: it answers with a reason or disconnects."""

import asyncio
import json
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import httpx
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect

from divisorduel import ServerSettings, application
from divisorduel.web.schemas.problems import MOST_BYTES, MOST_BYTES_OF_RECORD
from divisorduel.web.security import HEADERS
from tests.polling import wait_until
from tests.web.clients import HERE, LINK, Client, Match, Server, Socket, joined_match, new_match
from tests.web.conftest import Start

VALID = {"game": "chain", "players": [HERE, LINK]}


@pytest.fixture
def match(web: Server) -> Iterator[Match]:
    """Start a match of Ann and Bob, and check afterwards that the server has not failed."""
    with joined_match(web.url) as match:
        yield match
        assert match.one.see()["state"] == "playing"
    assert b"Exception in ASGI application" not in web.log.read_bytes()


BODIES = {
    "an empty body": b"",
    "not JSON": b"{",
    "half of a valid body": json.dumps(VALID).encode()[:-5],
    "a list": b"[]",
    "a number": b"7",
    "null": b"null",
    "deeply nested": b"[" * 29_000,
    "deeply nested and complete": b'{"game":' * 3_000 + b"1" + b"}" * 3_000,
    "a huge number": b'{"game": "chain", "board": {"to": ' + b"9" * 29_000 + b"}}",
    "a huge float": b'{"game": "chain", "board": {"to": 1e999999}}',
    "not a number": b'{"game": "chain", "board": {"to": NaN}}',
    "not UTF-8": b'{"game": "\xff\xfe"}',
    "half a character": b'{"game": "\\ud800", "players": []}',
    "half a character as a name": b'{"\\ud800": 1}',
    "half a character as an extra name": json.dumps({**VALID, "\ud800": 1}).encode(),
    "zero bytes": b'{"game": "\\u0000", "players": []}',
    "bytes": bytes(range(256)),
    "many names": json.dumps({str(n): n for n in range(2_000)}).encode(),
}


def test_a_body_announced_as_too_long_is_refused_before_it_is_sent(web: Server) -> None:
    host, port = web.url.removeprefix("http://").rstrip("/").split(":")
    head = f"POST /api/matches HTTP/1.1\r\nhost: {host}\r\ncontent-length: {MOST_BYTES + 1}\r\n\r\n"
    with socket.create_connection((host, int(port)), 30) as raw:
        raw.sendall(head.encode())
        assert raw.recv(100).startswith(b"HTTP/1.1 413 ")


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES)
def test_a_body_that_cannot_be_understood_is_refused_with_a_reason(
    web: Server, match: Match, body: bytes
) -> None:
    sent = {"content-type": "application/json", "authorization": f"Bearer {match.keys['1']}"}
    paths = ["", f"/{match.id}/join", f"/{match.id}/commands", f"/{match.id}/hint"]
    with Client(web.url) as client:
        for path in (*(f"/matches{path}" for path in paths), "/records"):
            answer = client.http.post(f"/api{path}", content=body, headers=sent)
            assert answer.status_code in (400, 422), path
            assert answer.json()["reason"]


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (b"{", "Expecting property name enclosed in double quotes at character 2"),
        (b'{"game": chain}', "Expecting value at character 10"),
        (b"[1, 2", "Expecting ',' delimiter at character 6"),
    ],
)
def test_a_body_that_is_not_json_is_refused_with_the_position_of_the_mistake(
    web: Server, body: bytes, reason: str
) -> None:
    with Client(web.url) as client:
        sent = {"content-type": "application/json"}
        answer = client.http.post("/api/matches", content=body, headers=sent)
    assert answer.status_code == 422
    assert answer.json() == {
        "code": "invalid-json",
        "reason": f"The body is not valid JSON: {reason}.",
    }


def test_an_unexpected_error_is_answered_like_any_other(tmp_path: Path) -> None:
    app = application(ServerSettings(database=f"sqlite:///{tmp_path / 'matches.sqlite'}"))

    async def fail() -> None:
        raise ZeroDivisionError("secret")

    app.add_api_route("/api/failing", fail)

    async def ask() -> httpx.Response:
        transport = httpx.ASGITransport(app, raise_app_exceptions=False)
        async with (
            app.router.lifespan_context(app),
            httpx.AsyncClient(transport=transport, base_url="http://localhost") as client,
        ):
            return await client.get("/api/failing")

    answer = asyncio.run(ask())
    assert answer.status_code == 500
    assert answer.json() == {
        "code": "internal-error",
        "reason": "Something went wrong on the server. Try again in a moment.",
    }
    assert {name: answer.headers.get(name) for name in HEADERS} == HEADERS


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded"])
def test_a_form_on_another_site_cannot_create_a_match(web: Server, kind: str) -> None:
    body = json.dumps(VALID).encode()
    with Client(web.url) as client:
        answer = client.http.post("/api/matches", content=body, headers={"content-type": kind})
    assert answer.status_code == 422


def test_a_body_that_is_too_long_is_refused_however_it_is_sent(web: Server, match: Match) -> None:
    def chunks() -> Iterator[bytes]:
        for _ in range(MOST_BYTES // 10_000 + 1):
            yield b" " * 10_000

    with Client(web.url) as client:
        for body in (b" " * (MOST_BYTES + 1), chunks()):
            sent = {"content-type": "application/json"}
            answer = client.http.post("/api/matches", content=body, headers=sent)
            assert answer.status_code == 413
            assert answer.json()["reason"] == "The request is too large. Send at most 30,000 bytes."


def test_a_record_that_is_too_long_is_refused(web: Server) -> None:
    with Client(web.url) as client:
        client.post("/records", 422, record="x" * 200_001)
        client.post("/records", 413, record="x" * MOST_BYTES_OF_RECORD)


WRONG_HOSTS = [
    "evil.example",
    "evil.example:80",
    "127.0.0.1.evil",
    "[",
    "",
    "@",
    "evil.example@localhost",
    "localhost:1@evil.example",
    "localhost/evil",
    "localhost?evil",
    "127.0.0.1:80#x",
    "localhost:80:80",
    "localhost:x",
    "localhost, evil.example",
    "[127.0.0.1]",
    "::1",
]


@pytest.mark.parametrize("host", WRONG_HOSTS)
def test_a_call_to_another_host_name_is_refused(web: Server, host: str) -> None:
    with Client(web.url) as client:
        answer = client.http.get("/api/games", headers={"host": host})
    assert answer.status_code == 421
    assert answer.json() == {
        "code": "wrong-host",
        "reason": "This server can be reached only as localhost or 127.0.0.1. Use one of them.",
    }


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1:1", "[::1]:8721", "LOCALHOST", "[::1]"])
def test_the_server_answers_to_the_names_of_this_machine(web: Server, host: str) -> None:
    with Client(web.url) as client:
        assert client.http.get("/api/games", headers={"host": host}).status_code == 200


def test_every_answer_has_the_security_headers(web: Server, match: Match) -> None:
    with Client(web.url) as client:
        answers = [
            client.http.get("/"),
            client.http.get("/docs"),
            client.http.get("/openapi.json"),
            client.http.get("/asyncapi.json"),
            client.http.get("/static/index.html"),
            client.http.get("/static/nothing.js"),
            client.http.get("/nothing"),
            client.http.get("/api/games"),
            client.http.get(f"/api/matches/{match.id}"),
            client.http.delete("/api/games"),
            client.http.post("/api/matches", json={}),
            client.http.post("/api/matches", json=VALID),
            client.http.post("/api/matches", content=b" " * (MOST_BYTES + 1)),
            client.http.get("/", headers={"host": "evil.example"}),
        ]
    statuses = [200, 200, 200, 200, 200, 404, 404, 200, 401, 405, 422, 201, 413, 421]
    assert [answer.status_code for answer in answers] == statuses
    for answer in answers:
        assert {name: answer.headers.get(name) for name in HEADERS} == HEADERS, answer.url
        assert "server" not in answer.headers
        if "/api/" in str(answer.url) and answer.status_code not in (413, 421):
            assert answer.headers["cache-control"] == "no-store"
        if answer.status_code >= 400:
            assert set(answer.json()) == {"code", "reason"}
            assert all(answer.json().values())


@pytest.mark.parametrize("path", ["/", "/docs", "/static/index.html"])
def test_a_page_answers_head_requests(web: Server, path: str) -> None:
    with Client(web.url) as client:
        head, whole = client.http.head(path), client.http.get(path)
    assert (head.status_code, head.content) == (200, b"")
    assert head.headers["content-length"] == whole.headers["content-length"]
    assert head.headers["content-security-policy"] == HEADERS["content-security-policy"]


def test_the_content_security_policy_allows_nothing_from_other_sites() -> None:
    policy = dict(
        part.strip().split(" ", 1) for part in HEADERS["content-security-policy"].split(";")
    )
    assert policy["default-src"] == policy["frame-ancestors"] == policy["base-uri"] == "'none'"
    assert set(policy.values()) == {"'none'", "'self'"}


@pytest.mark.parametrize(
    "path", ["/static/../api.py", "/static/%2e%2e/api.py", "/static//etc/passwd"]
)
def test_only_the_files_of_the_page_are_served(web: Server, path: str) -> None:
    with socket.create_connection(("127.0.0.1", web.port), timeout=30) as line:
        line.sendall(
            f"GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode()
        )
        answer = b"".join(iter(lambda: line.recv(65536), b""))
    assert answer.startswith(b"HTTP/1.1 404 ")


# --- WebSockets


def live(web: Server, match_id: str) -> str:
    return f"ws://127.0.0.1:{web.port}/api/matches/{match_id}/live"


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "http://[", "https://127.0.0.1"])
def test_a_page_on_another_site_cannot_connect(web: Server, match: Match, origin: str) -> None:
    with (
        pytest.raises(InvalidStatus) as error,
        connect(live(web, match.id), additional_headers={"Origin": origin}),
    ):
        pass
    assert error.value.response.status_code == 403


def test_a_page_on_this_server_can_connect(web: Server, match: Match) -> None:
    with connect(live(web, match.id), additional_headers={"Origin": web.url}) as line:
        line.send(json.dumps({"type": "hello", "key": match.keys["1"]}))
        assert json.loads(line.recv(30))["type"] == "welcome"


@pytest.mark.parametrize("host", ["evil.example", "["])
def test_no_websocket_opens_for_another_host_name(web: Server, match: Match, host: str) -> None:
    ask = (
        f"GET /api/matches/{match.id}/live HTTP/1.1\r\nHost: {host}\r\nConnection: Upgrade\r\n"
        "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    )
    with socket.create_connection(("127.0.0.1", web.port), timeout=30) as line:
        line.sendall(ask.encode())
        assert line.recv(1000).startswith(b"HTTP/1.1 421 ")


@pytest.mark.parametrize("match_id", ["x", "%00%00", "a" * 11, "AAAAAAAAAA", "..%2f..", "%ff"])
def test_no_websocket_opens_for_an_impossible_match_id(
    web: Server, match: Match, match_id: str
) -> None:
    with pytest.raises(InvalidStatus), connect(live(web, match_id)):
        pass


INVALID_HELLOS = {
    "not JSON": "{",
    "not an object": "[]",
    "no type": "{}",
    "another type": '{"type": "command"}',
    "no key": '{"type": "hello"}',
    "a key that is not text": '{"type": "hello", "key": 7}',
    "a long key": json.dumps({"type": "hello", "key": "x" * 101}),
    "an extra field": '{"type": "hello", "key": "x", "seat": 1}',
    "half a character": '{"type": "hello", "key": "\\ud800"}',
    "deeply nested": "[" * 15_000,
    "bytes": b"\x00\xff",
}


@pytest.mark.parametrize("said", INVALID_HELLOS.values(), ids=INVALID_HELLOS)
def test_a_client_that_does_not_say_hello_is_disconnected(
    web: Server, match: Match, said: str | bytes
) -> None:
    with Socket(web.url, match.id, None, hello=False) as line:
        line.raw.send(said)
        assert line.closed_with() == 4403


INVALID_MESSAGES = {
    "not JSON": "{",
    "not an object": "7",
    "no type": "{}",
    "an unknown type": '{"type": "teleport"}',
    "hello again": '{"type": "hello", "key": "x"}',
    "no command": '{"type": "command", "id": 1, "version": 1}',
    "no version": '{"type": "command", "id": 1, "command": {"type": "undo"}}',
    "an unknown command": (
        '{"type": "command", "id": 1, "version": 1, "command": {"type": "teleport"}}'
    ),
    "no number": '{"type": "command", "id": 1, "version": 1, "command": {"type": "take"}}',
    "a huge number": (
        '{"type": "command", "id": 1, "version": 1, "command": {"type": "take", "number": '
        + "9" * 10_000
        + "}}"
    ),
    "a text for a number": (
        '{"type": "command", "id": 1, "version": 1, "command": {"type": "take", "number": "8"}}'
    ),
    "half a character": '{"type": "\\ud800"}',
    "deeply nested": "[" * 15_000,
    "an empty text": "",
}


@pytest.mark.parametrize("said", INVALID_MESSAGES.values(), ids=INVALID_MESSAGES)
def test_an_invalid_message_gets_an_error_and_the_game_continues(match: Match, said: str) -> None:
    with match.one.listen() as ann:
        ann.raw.send(said)
        assert ann.hear("error")["reason"].startswith("Not a valid message: ")
        assert ann.do("take", number=8)["type"] == "done"
        ann.send(type="ping")
        assert ann.hear("pong") == {"type": "pong"}


def test_only_a_client_that_sends_binary_oversized_or_invalid_text_is_disconnected(
    match: Match,
) -> None:
    with match.two.listen() as bob:
        with match.one.listen() as ann:
            ann.raw.send(b"\x00")
            assert ann.closed_with() == 4403
        with match.one.listen() as ann:
            ann.raw.send("x" * 20_001)
            assert ann.closed_with() == 1009
        with match.one.listen() as ann:
            ann.raw.send(b"\xff\xfe", text=True)
            assert ann.closed_with() == 1007
        match.one.take(8)
        assert bob.hear("step")["match"]["turns"] == [8]


@pytest.mark.thorough
def test_one_address_may_not_open_more_connections_than_the_limit(start: Start) -> None:
    server = start("--connections-a-minute", "2")
    with joined_match(server.url) as match:  # joining counts as the first connection
        with match.one.listen() as ann:
            assert ann.do("take", number=8)["type"] == "done"
        with Socket(server.url, match.id, None, hello=False) as late:
            assert late.closed_with() == 4429


@contextmanager
def unread_connection(web: Server, match: Match, key: str | None) -> Iterator[ClientConnection]:
    """Connect as a client that does not read."""
    small = socket.socket()
    small.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    small.connect(("127.0.0.1", web.port))
    with connect(live(web, match.id), sock=small, max_queue=1, close_timeout=1) as line:
        line.send(json.dumps({"type": "hello", "key": key}))
        yield line


@pytest.fixture
def friends(web: Server) -> Iterator[Match]:
    """Start a match at one screen, on a board so large that messages are long."""
    players = [HERE, {"who": "here", "name": "Bob"}]
    with new_match(web.url, board={"to": 1000}, players=players) as match:
        yield match
    assert b"Exception in ASGI application" not in web.log.read_bytes()


@pytest.mark.thorough
def test_a_client_that_does_not_read_is_disconnected_and_delays_no_one(
    web: Server, friends: Match
) -> None:
    with (
        unread_connection(web, friends, friends.keys["watch"]) as line,
        friends.one.listen() as ann,
    ):
        while ann.presence["watchers"] != 1:
            ann.hear("presence")
        steps = 0
        while ann.presence["watchers"]:  # until the spectator who reads nothing is disconnected
            last = ann.ask("take", number=2), ann.ask("undo", ann.match["version"] + 1)
            assert ann.answer(last[0])["type"] == ann.answer(last[1])["type"] == "done"
            steps += 2
            assert steps < 1000
        heard = 0
        with suppress(ConnectionClosed):
            while line.recv(30):
                heard += 1
        assert 0 < heard < steps
        assert ann.do("take", number=2)["type"] == "done"


@pytest.mark.thorough
def test_a_player_who_does_not_read_is_disconnected_and_the_match_stays_intact(
    web: Server, friends: Match
) -> None:
    with (
        unread_connection(web, friends, friends.keys["1"]) as line,
        friends.watch.listen() as watcher,
    ):
        with suppress(ConnectionClosed):
            for version in range(1_000):
                command = {"type": "undo"} if version % 2 else {"type": "take", "number": 2}
                said = {"type": "command", "id": 1, "version": version, "command": command}
                line.send(json.dumps(said))
        for _ in wait_until("the player is disconnected"):
            if not friends.watch.get(friends.watch.at)["presence"]["present"][0]:
                break
        seen = friends.watch.see()
        assert 0 < seen["version"] < 1_000
        # The last step that was written was also broadcast, so a command for it is accepted.
        done = friends.one.do("forfeit", version=seen["version"])
        while watcher.match["version"] < seen["version"] + 1:
            watcher.next()
        steps = [told["version"] for told in watcher.told if told["type"] == "step"]
        assert steps == list(range(1, done["match"]["version"] + 1))
