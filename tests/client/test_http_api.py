"""The calls of a client end in time with a sentence, whatever answers them."""

import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

import pytest

from divisorduel.client import http_api
from divisorduel.client.client_error import ClientError
from divisorduel.client.http_api import create_match, enter

OK = b"HTTP/1.1 200 OK\r\n"


@contextmanager
def serving(answer: Callable[[], Iterator[bytes]]) -> Iterator[str]:
    """Answer every connection with the same bytes; return the address."""
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def serve(connection: socket.socket) -> None:
            with suppress(OSError), connection:
                connection.recv(65_536)
                for part in answer():
                    connection.sendall(part)

        def accept() -> None:
            with suppress(OSError):
                while True:
                    connection, _ = listening.accept()
                    threading.Thread(target=serve, args=(connection,), daemon=True).start()

        threading.Thread(target=accept, daemon=True).start()
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
        listening.shutdown(socket.SHUT_RDWR)


def trickle(start: bytes, part: bytes) -> Callable[[], Iterator[bytes]]:
    """Return an answer that begins at once and never ends."""

    def answer() -> Iterator[bytes]:
        yield start
        while True:
            time.sleep(0.02)
            yield part

    return answer


@pytest.mark.parametrize(
    ("start", "part"),
    [
        (OK + b"content-length: 100000\r\n\r\n", b" "),
        (OK + b"transfer-encoding: chunked\r\n\r\n", b"1\r\n \r\n"),
        (OK + b"transfer-encoding: chunked\r\n\r\n0\r\n", b"x: y\r\n"),
        (OK, b"x"),
        (OK, b"x: y\r\n"),
        (b"HTTP/1.1 403 No\r\ncontent-length: 100000\r\n\r\n", b" "),
        (b"", b"HTTP/1.1 100 Continue\r\n\r\n"),
        (b"", b"H"),
        (b"", b""),
    ],
)
def test_a_call_ends_in_time_even_if_the_answer_never_does(
    start: bytes, part: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(http_api, "SECONDS_TO_WAIT", 0.2)
    with serving(trickle(start, part)) as url, pytest.raises(ClientError) as refused:
        create_match(url)
    assert refused.value.code in ("unreachable", "not-a-server")


def answering(head: bytes, content: bytes = b"") -> Callable[[], Iterator[bytes]]:
    """Return a whole answer."""
    length = f"content-length: {len(content)}\r\nconnection: close\r\n\r\n".encode()
    return lambda: iter([head + length + content])


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (answering(OK, b"[" * 100_000), "is not a Divisor Duel server"),
        (answering(OK, b"9" * 5_000), "is not a Divisor Duel server"),
        (answering(OK, b"\xff"), "is not a Divisor Duel server"),
        (answering(OK, b"{}"), "is not a Divisor Duel server"),
        (answering(OK, b'{"id": {}, "keys": {"1": 5, "2": null}}'), "is not a Divisor Duel server"),
        (answering(OK, b'{"id": "a", "keys": [1]}'), "is not a Divisor Duel server"),
        (answering(b"HTTP/1.1 403 No\r\n", b"[]"), "is not a Divisor Duel server"),
        (answering(b"HTTP/1.1 403 No\r\n", b'{"code": 5}'), "is not a Divisor Duel server"),
        (
            answering(b"HTTP/1.1 403 No\r\n", b'{"code": "x", "reason": "%s"}' % (b"x" * 20_000)),
            "is not a Divisor Duel server",
        ),
        (answering(b"HTTP/1.1 302 Gone\r\nlocation: http://[::1\r\n"), "redirects to http://[::1."),
        (answering(b"HTTP/1.1 302 Gone\r\n"), "redirects to another address."),
        (answering(b"HTTP/1.1 abc\r\n"), "cannot be reached"),
        (lambda: iter([b"SSH-2.0-OpenSSH\r\n"]), "cannot be reached"),
    ],
)
def test_an_answer_that_makes_no_sense_is_reported(
    answer: Callable[[], Iterator[bytes]], said: str
) -> None:
    with serving(answer) as url:
        with pytest.raises(ClientError) as refused:
            create_match(url)
        assert said in str(refused.value)
        assert len(str(refused.value)) < 400
        with pytest.raises(ClientError):
            enter(f"{url}/#/match/abcdefghij/KEY")


@pytest.mark.parametrize("host", ["a..b", f"{'x' * 70}.example", "\u0221"])
def test_a_host_that_cannot_exist_is_reported(host: str) -> None:
    with pytest.raises(ClientError, match="Check the address"):
        enter(f"http://{host}/#/match/abcdefghij/KEY")
