"""WebSockets that cannot be opened, flood the server or are not read harm no one else."""

import json
import socket
from contextlib import ExitStack, suppress
from pathlib import Path

import pytest

from tests.conftest import thorough_except
from tests.polling import wait_until
from tests.web.clients import Match, Server, Socket, joined_match, new_match
from tests.web.custom_server import custom_server
from tests.web.raw_client import (
    GET,
    OTHER_ADDRESS,
    RawClient,
    assert_nothing_failed,
    deaf_client,
    frame,
    memory,
    open_connections,
    seconds_to_answer,
    upgrade,
)

MEGABYTE = 1 << 20
SOON = 5.0
"""How long another client may wait during an attack. On a quiet machine it waits far less."""


@pytest.mark.thorough
def test_the_connection_of_a_spectator_who_does_not_read_is_given_up(impatient: Server) -> None:
    players = [{"who": "here", "name": "Ann"}, {"who": "here", "name": "Bob"}]
    with (
        new_match(impatient.url, board={"to": 1000}, players=players) as match,
        match.one.listen() as ann,
    ):
        idle = open_connections(impatient)
        hello = json.dumps({"type": "hello", "key": match.keys["watch"]}).encode()
        with deaf_client(impatient, upgrade(f"/api/matches/{match.id}/live")) as client:
            client.socket.recv(1)
            client.socket.sendall(frame(1, hello))
            while ann.presence["watchers"] != 1:
                ann.hear("presence")
            while ann.presence["watchers"]:
                last = ann.ask("take", number=2), ann.ask("undo", ann.match["version"] + 1)
                assert ann.answer(last[0])["type"] == ann.answer(last[1])["type"] == "done"
            for _ in wait_until("the connection is gone"):
                if open_connections(impatient) <= idle:
                    break


FLOODS = {
    "pings": (b"", frame(9) * 1_000, 4429),
    "messages": (b"", frame(1, b"x") * 1_000, 4429),
    "fragments": (frame(1, last=False), frame(0, last=False) * 1_000, 1009),
}


@pytest.mark.parametrize("what", thorough_except(FLOODS, "pings"))
@pytest.mark.thorough
def test_websockets_that_flood_the_server_delay_no_one(tmp_path: Path, what: str) -> None:
    begin, more, _ = FLOODS[what]
    with (
        custom_server(tmp_path) as server,
        joined_match(server.url) as match,
        match.one.listen() as ann,
        ExitStack() as stack,
    ):
        before = memory(server)
        hello = frame(1, json.dumps({"type": "hello", "key": match.keys["watch"]}).encode())
        sent = upgrade(f"/api/matches/{match.id}/live")
        flooding = {stack.enter_context(RawClient(server, sent, OTHER_ADDRESS)) for _ in range(10)}
        for client in flooding:
            assert client.answer().status == 101
            client.socket.sendall(hello + begin)
            client.socket.settimeout(0.1)
        for _ in range(20):
            for client in list(flooding):
                try:
                    client.socket.sendall(more)
                    client.socket.recv(65_536)
                except TimeoutError:
                    continue
                except ConnectionError:
                    flooding.remove(client)
            assert seconds_to_answer(server, "127.0.0.1") < SOON
        assert ann.do("take", number=8)["type"] == "done"
        assert memory(server) < before + 30 * MEGABYTE
        assert_nothing_failed(server)


def cpu_seconds(server: Server) -> float:
    """Return how long the event loop of a server has computed."""
    process = server.process.pid
    return int(Path(f"/proc/{process}/task/{process}/schedstat").read_text().split()[0]) / 1e9


def test_fragments_on_many_websockets_at_once_are_parsed_a_few_at_a_time(tmp_path: Path) -> None:
    with custom_server(tmp_path) as server, new_match(server.url) as match, ExitStack() as stack:
        hello = frame(1, json.dumps({"type": "hello", "key": match.keys["watch"]}).encode())
        sent = upgrade(f"/api/matches/{match.id}/live")
        crowd = [stack.enter_context(RawClient(server, sent, OTHER_ADDRESS)) for _ in range(200)]
        for client in crowd:
            assert client.answer().status == 101
            client.socket.sendall(hello + frame(1, b"x", last=False))
        seconds_to_answer(server, "127.0.0.1")
        before, used = memory(server), cpu_seconds(server)
        for client in crowd:
            client.socket.settimeout(0)
            with suppress(BlockingIOError, ConnectionError):
                client.socket.send(frame(0, last=False) * 5_000)
        seconds_to_answer(server, "127.0.0.1")
        assert cpu_seconds(server) < used + 0.7  # a second and a half if all is parsed at once
        assert memory(server) < before + 30 * MEGABYTE


@pytest.mark.thorough
def test_a_websocket_that_floods_the_server_is_closed(tmp_path: Path) -> None:
    with custom_server(tmp_path) as server, joined_match(server.url) as match:
        for what in ("fragments", "pings"):  # the pings use up the frames of the address
            begin, more, code = FLOODS[what]
            with Socket(server.url, match.id, match.keys["watch"]) as flooding:
                with suppress(ConnectionError):
                    flooding.raw.socket.sendall(begin + more * 15)
                assert flooding.closed_with() in (code, 1006)  # it may break before that is read


HANDSHAKES = {
    "no key": (upgrade("/").replace(b"Sec-WebSocket-Key", b"X-Key"), 400, "invalid-handshake"),
    "another version": (upgrade("/").replace(b": 13", b": 12"), 400, "invalid-handshake"),
    "another method": (upgrade("/").replace(b"GET", b"PUT"), 405, "invalid-handshake"),
    "another page": (upgrade("/nothing"), 403, "connection-refused"),
    "another site": (upgrade("/", "Origin: http://evil.example"), 403, "connection-refused"),
    "another name": (upgrade("/").replace(b"localhost", b"evil.example"), 421, "wrong-host"),
    "no match": (upgrade("/api/matches/x/live"), 403, "connection-refused"),
    "bytes in the URL": (upgrade("/\xff"), 400, "invalid-http"),
    "many headers": (upgrade("/", *["a: b"] * 200), 431, "headers-too-large"),
    "a body": (upgrade("/", "Content-Length: 1"), 400, "invalid-handshake"),
    "a body in chunks": (upgrade("/", "Transfer-Encoding: chunked"), 400, "invalid-handshake"),
}


@pytest.mark.parametrize(("sent", "status", "code"), HANDSHAKES.values(), ids=HANDSHAKES)
def test_a_websocket_that_cannot_be_opened_is_refused_with_a_reason(
    server: Server, sent: bytes, status: int, code: str
) -> None:
    with RawClient(server, sent) as client:
        refused = client.answer()
        assert (refused.status, refused.problem["code"]) == (status, code)
        assert client.is_closed()


def test_a_page_on_another_site_is_told_why_it_cannot_connect(server: Server, match: Match) -> None:
    sent = upgrade(f"/api/matches/{match.id}/live", "Origin: http://evil.example")
    with RawClient(server, sent) as client:
        assert client.answer().problem == {
            "code": "connection-refused",
            "reason": "Only pages from this server may connect.",
        }


@pytest.mark.parametrize(
    "sent", [b"\xff\xff", frame(9, last=False), frame(8), frame(0), b"\x81\x05hello"], ids=repr
)
def test_frames_that_come_before_the_handshake_is_answered_harm_nothing(
    server: Server, match: Match, sent: bytes
) -> None:
    for _ in range(20):
        with RawClient(server) as client:
            client.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            client.socket.sendall(upgrade(f"/api/matches/{match.id}/live"))
            client.socket.sendall(sent)
    assert_nothing_failed(server)


def test_a_websocket_after_an_unanswered_request_is_refused(server: Server, match: Match) -> None:
    with RawClient(server, GET + upgrade(f"/api/matches/{match.id}/live")) as client:
        assert client.is_closed() or client.answer().status == 200
    assert_nothing_failed(server)
