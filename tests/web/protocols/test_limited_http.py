"""Requests that never end, that come slowly, or whose answers are not read, harm no one else."""

import json
import socket
from contextlib import suppress

import pytest

from divisorduel.web.schemas.problems import (
    MOST_BYTES,
    MOST_BYTES_OF_RECORD,
    MOST_HEAD,
    MOST_HEADERS,
    MOST_URL,
)
from tests.conftest import thorough_except
from tests.polling import wait_until
from tests.web.clients import Server, joined_match
from tests.web.conftest import Start
from tests.web.raw_client import (
    GET,
    HALF_A_BODY,
    HALF_A_HEAD,
    POST,
    RawClient,
    assert_nothing_failed,
    deaf_client,
    memory,
    open_connections,
    seconds_to_answer,
)

MEGABYTE = 1 << 20
SOON = 5.0
"""How long another client may wait during an attack. On a quiet machine it waits far less."""


# --- requests without an end

HEAD = b"GET / HTTP/1.1\r\nHost: localhost\r\n"
MOST_OF_A_RECORD = (
    POST.replace(b"/matches", b"/records")
    + f"Content-Length: {MOST_BYTES_OF_RECORD}\r\n\r\n".encode()
    + b" " * (MOST_BYTES_OF_RECORD - 1)
)
CHUNKED = POST + b"Transfer-Encoding: chunked\r\n\r\n"
ENDLESS = {
    "headers": (HEAD, b"a: b\r\n" * 10_000, 431, "headers-too-large"),
    "a header": (HEAD + b"a: ", b"b" * 65_536, 431, "headers-too-large"),
    "the name of a header": (HEAD, b"a" * 65_536, 431, "headers-too-large"),
    "a URL": (b"GET /", b"a" * 65_536, 414, "url-too-long"),
    "a query": (b"GET /?", b"a=b&" * 16_384, 414, "url-too-long"),
    "blank lines": (b"", b"\r\n" * 32_768, 431, "headers-too-large"),
    "a body": (CHUNKED, b"1000\r\n" + b" " * 4096 + b"\r\n", 413, "too-large"),
    "a body in small chunks": (CHUNKED, b"1\r\n \r\n" * 10_000, 413, "too-large"),
    "the extension of a chunk": (CHUNKED + b"1;", b"a" * 65_536, 413, "too-large"),
    "headers after a body": (CHUNKED + b"0\r\n", b"a: b\r\n" * 10_000, 431, "headers-too-large"),
    "a header after a body": (CHUNKED + b"0\r\na: ", b"b" * 65_536, 413, "too-large"),
}


@pytest.mark.parametrize(("begin", "more", "status", "code"), ENDLESS.values(), ids=ENDLESS)
def test_a_request_without_an_end_is_refused_and_takes_no_memory(
    server: Server, begin: bytes, more: bytes, status: int, code: str
) -> None:
    before = memory(server)
    for _ in range(4):
        with RawClient(server, begin) as client:
            sent = 0
            while client.send(more):
                sent += len(more)
                assert sent < 20 * MEGABYTE
            refused = client.answer()
            assert (refused.status, refused.problem["code"]) == (status, code)
            assert client.is_closed()
    assert memory(server) < before + 20 * MEGABYTE
    assert seconds_to_answer(server) < SOON


def test_requests_without_an_end_delay_no_one(server: Server) -> None:
    clients = [RawClient(server, HEAD + b"a: ") for _ in range(20)]
    for _ in range(10):
        for client in clients:
            client.send(b"b" * 3_000)
        assert seconds_to_answer(server) < SOON
    for client in clients:
        client.send(b"b" * 65_536)
        assert client.answer().status == 431
        client.socket.close()


def test_the_received_part_of_a_request_is_freed_when_its_client_leaves(server: Server) -> None:
    before, idle = memory(server), open_connections(server)
    for _ in range(80):
        for _ in range(10):  # more at once could fill what half-sent bodies may have together
            with RawClient(server, MOST_OF_A_RECORD):
                pass
        for _ in wait_until("their connections are gone"):
            if open_connections(server) <= idle:
                break
    assert memory(server) < before + 80 * MEGABYTE


LARGEST = {
    "URL": (b"GET /" + b"a" * (MOST_URL - 1) + b" HTTP/1.1\r\nHost: localhost\r\n\r\n", 404),
    "longer URL": (b"GET /" + b"a" * MOST_URL + b" HTTP/1.1\r\nHost: localhost\r\n\r\n", 414),
    "headers": (HEAD + b"a: b\r\n" * (MOST_HEADERS - 1) + b"\r\n", 200),
    "one header more": (HEAD + b"a: b\r\n" * MOST_HEADERS + b"\r\n", 431),
    "header": (HEAD + b"a: " + b"b" * 7_990 + b"\r\n\r\n", 200),
    "larger header": (HEAD + b"a: " + b"b" * 8_000 + b"\r\n\r\n", 431),
    "headers in all": (HEAD + (b"a: " + b"b" * 1_000 + b"\r\n") * 31 + b"\r\n", 200),
    "larger in all": (HEAD + (b"a: " + b"b" * 1_000 + b"\r\n") * 32 + b"\r\n", 431),
}


@pytest.mark.parametrize(("request_", "status"), LARGEST.values(), ids=LARGEST)
@pytest.mark.parametrize("at_once", [100_000, 100], ids=["at once", "in pieces"])
def test_a_request_is_refused_only_beyond_the_limits(
    server: Server, request_: bytes, status: int, at_once: int
) -> None:
    with RawClient(server) as client:
        client.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for at in range(0, len(request_), at_once):
            if not client.send(request_[at : at + at_once]):
                break
        assert client.answer().status == status


def test_a_large_body_after_small_headers_is_not_taken_for_headers(server: Server) -> None:
    body = b" " * (MOST_BYTES - 1) + b"1"
    with RawClient(server, POST + b"Content-Length: %d\r\n\r\n" % len(body) + body) as client:
        assert client.answer().problem["code"] == "invalid-request"
        client.socket.sendall(GET)
        assert client.answer().status == 200


def test_a_body_that_was_refused_may_still_be_sent(server: Server) -> None:
    length = MOST_BYTES + 100_000
    with RawClient(server, POST + b"Content-Length: %d\r\n\r\n" % length) as client:
        assert client.answer().problem["code"] == "too-large"
        client.socket.sendall(b" " * length + GET)
        assert client.answer().status == 200


def test_pipelined_requests_are_answered_in_order(server: Server) -> None:
    paths = ["/api/games", "/nothing", "/api/options", "/asyncapi.json"]
    sent = "".join(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n" for path in paths)
    with RawClient(server, sent.encode()) as client:
        answers = [client.answer() for _ in paths]
    assert [answer.status for answer in answers] == [200, 404, 200, 200]
    assert "asyncapi" in json.loads(answers[3].body)


def test_too_many_pipelined_requests_take_no_memory(server: Server) -> None:
    before = memory(server)
    clients = [RawClient(server) for _ in range(10)]
    for client in clients:
        client.send(GET * 5_000)
    for client in clients:
        with client:
            answered = 0
            with suppress(ConnectionError):
                while client.socket.recv(1_000):
                    answered += 1
        assert answered < 1_000
    assert memory(server) < before + 30 * MEGABYTE
    assert seconds_to_answer(server) < SOON


# --- requests that come slowly


@pytest.mark.parametrize(
    "sent",
    thorough_except(
        [b"G", HALF_A_HEAD, HALF_A_BODY, CHUNKED, CHUNKED + b"5\r\n12", GET + HALF_A_HEAD],
        HALF_A_BODY,
    ),
    ids=[
        "a letter",
        "half a head",
        "half a body",
        "no chunk",
        "half a chunk",
        "half a second head",
    ],
)
def test_a_request_that_is_not_completed_in_time_is_refused(impatient: Server, sent: bytes) -> None:
    with RawClient(impatient, sent) as client:
        if sent.startswith(GET):
            assert client.answer().status == 200
        refused = client.answer()
        assert refused.status == 408
        assert refused.problem == {
            "code": "request-too-slow",
            "reason": "The request took too long to arrive. Send it again.",
        }
        assert client.is_closed()


@pytest.mark.parametrize("sent", [b"", GET], ids=["no request", "one request"])
@pytest.mark.thorough
def test_an_idle_connection_is_closed_without_an_answer(impatient: Server, sent: bytes) -> None:
    with RawClient(impatient, sent) as client:
        if sent:
            assert client.answer().status == 200
        assert client.is_closed()


@pytest.mark.parametrize(
    ("begin", "bit"),
    [(HEAD, b"a: b\r\n"), (CHUNKED, b"1\r\n \r\n"), (b"", b"\r\n"), (GET, b"\r\n")],
    ids=["headers", "body", "blank lines", "blank lines after a request"],
)
@pytest.mark.thorough
def test_a_request_that_trickles_in_is_refused(impatient: Server, begin: bytes, bit: bytes) -> None:
    with RawClient(impatient, begin) as client:
        if begin == GET:
            assert client.answer().status == 200
        client.socket.settimeout(0.1)
        refused = None
        for _ in wait_until("it is refused"):
            client.send(bit)
            try:
                refused = client.answer()
                break
            except TimeoutError:
                continue
        assert refused is not None
        assert refused.status == 408


@pytest.mark.thorough
def test_slow_requests_and_idle_connections_do_not_end_a_game(impatient: Server) -> None:
    with joined_match(impatient.url) as match, match.one.listen() as ann:
        for _ in range(2):  # each takes longer than any deadline
            with RawClient(impatient, HALF_A_BODY) as client:
                assert client.answer().status == 408
        assert ann.do("take", number=8)["type"] == "done"


@pytest.mark.thorough
def test_an_answer_arrives_even_if_it_takes_longer_than_the_deadlines(impatient: Server) -> None:
    with joined_match(impatient.url, game="antichain", board={"to": 1000}, hints=True) as match:
        why = match.one.http.get(f"/api{match.one.at}/why")  # it takes five seconds to give up
        assert why.json()["code"] == "unproven"


# --- answers that are not read


@pytest.mark.thorough
def test_a_client_that_does_not_read_its_answers_is_disconnected(impatient: Server) -> None:
    before = memory(impatient)
    idle = open_connections(impatient)
    asked = b"GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n" * 8
    clients = [deaf_client(impatient, asked) for _ in range(20)]
    for _ in wait_until("their connections are gone"):
        if open_connections(impatient) <= idle:
            break
    assert memory(impatient) < before + 40 * MEGABYTE
    for client in clients:
        client.socket.close()


# --- what is not HTTP

INVALID = {
    "TLS": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(64),
    "words": b"Hello, are you there?\r\n\r\n",
    "a header without a colon": b"GET / HTTP/1.1\r\nHost\r\n\r\n",
    "another version": b"GET / HTTP/7.0\r\n\r\n",
    "HTTP/2": b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    "two lengths": POST + b"Content-Length: 1\r\nContent-Length: 2\r\n\r\n12",
    "length and chunks": CHUNKED.replace(b"\r\n\r\n", b"\r\nContent-Length: 1\r\n\r\n"),
    "a negative length": POST + b"Content-Length: -1\r\n\r\n",
    "a chunk without a length": CHUNKED + b"x\r\n",
    "bytes in the path": b"GET /\xff HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "two hosts": b"GET / HTTP/1.1\r\nHost: localhost\r\nhost: example.org\r\n\r\n",
    "a host twice": b"GET / HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\n\r\n",
    "no path": b"GET http://localhost HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "a tunnel": b"CONNECT example.org:443 HTTP/1.1\r\nHost: localhost\r\n\r\n",
}


@pytest.mark.parametrize("sent", INVALID.values(), ids=INVALID)
def test_what_is_not_http_is_refused_with_a_reason(server: Server, sent: bytes) -> None:
    with RawClient(server, sent) as client:
        refused = client.answer()
        assert refused.status == 400
        assert refused.problem["code"] == "invalid-http"
        assert refused.headers["connection"] == "close"
        assert "date" in refused.headers
        assert client.is_closed()


def test_an_upgrade_to_another_protocol_is_ignored(server: Server) -> None:
    sent = GET.replace(b"\r\n\r\n", b"\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n")
    with RawClient(server, sent) as client:
        assert client.answer().status == 200
    assert_nothing_failed(server)


# --- too many


@pytest.mark.thorough
def test_one_address_may_not_send_more_requests_than_the_limit(start: Start) -> None:
    server = start("--requests-a-minute", "50")
    with RawClient(server) as client:
        client.socket.sendall(GET)
        answered = 0
        while (refused := client.answer()).status == 200:
            answered += 1
            client.socket.sendall(GET)
        assert 50 <= answered < 200  # one more for each second that this takes
        assert refused.status == 429
        assert refused.headers["retry-after"] == "10"
        assert refused.problem == {
            "code": "too-many-requests",
            "reason": "Too many requests from your address. Wait a minute.",
        }
        assert client.is_closed()
    assert seconds_to_answer(server) < SOON


def test_the_head_of_a_request_may_be_as_large_as_browsers_make_it() -> None:
    assert MOST_HEAD >= 4 * 8_000  # the same as nginx
