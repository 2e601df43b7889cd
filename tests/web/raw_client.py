"""A client that sends bytes as they are, and what Linux knows about the process of a server."""

import json
import select
import socket
import struct
import time
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple, Self

from divisorduel.web.security import HEADERS
from tests.web.clients import Client, Server

GET = b"GET /api/games HTTP/1.1\r\nHost: localhost\r\n\r\n"
HALF_A_HEAD = b"GET /api/games HTTP/1.1\r\nHost: localhost\r\nAccept: "
POST = b"POST /api/matches HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
HALF_A_BODY = POST + b'Content-Length: 100\r\n\r\n{"game": '
OTHER_ADDRESS = "127.0.0.2"
"""Another address of this machine, for a client that is not the attacker."""


class Answer(NamedTuple):
    """An answer of the server."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def problem(self) -> dict[str, Any]:
        """The problem that it describes, after checking what every such answer must have."""
        assert self.headers["content-type"] == "application/json"
        assert {name: self.headers.get(name) for name in HEADERS} == HEADERS
        described: dict[str, Any] = json.loads(self.body)
        assert described["reason"].endswith(".")
        return described


class RawClient:
    """A connection over which anything can be sent."""

    def __init__(self, server: Server, sent: bytes = b"", address: str = "127.0.0.1") -> None:
        self.socket = socket.create_connection(
            ("127.0.0.1", server.port), timeout=30, source_address=(address, 0)
        )
        self.socket.sendall(sent)
        self._received = b""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, _: BaseException | None, __: TracebackType | None
    ) -> None:
        self.socket.close()

    def send(self, data: bytes) -> bool:
        """Send bytes; return False if the server has closed the connection or has answered."""
        if select.select([self.socket], [], [], 0)[0]:
            return False
        try:
            self.socket.sendall(data)
        except ConnectionError:
            return False
        return True

    def answer(self) -> Answer:
        """Read the next answer."""
        while b"\r\n\r\n" not in self._received:
            self._read()
        head, _, self._received = self._received.partition(b"\r\n\r\n")
        first, *lines = head.decode("latin-1").split("\r\n")
        headers = dict(line.lower().split(": ", 1) for line in lines)
        length = int(headers.get("content-length", "0"))
        while len(self._received) < length:
            self._read()
        body, self._received = self._received[:length], self._received[length:]
        shown = dict(line.split(": ", 1) for line in lines)
        return Answer(int(first.split()[1]), shown, body)

    def _read(self) -> None:
        piece = self.socket.recv(65536)
        assert piece, f"The connection was closed after {self._received!r}."
        self._received += piece

    def is_closed(self) -> bool:
        """Wait until the server closes the connection, and return True; it sends nothing else."""
        try:
            return not self._received and self.socket.recv(1000) == b""
        except ConnectionError:
            return True


def frame(opcode: int, payload: bytes = b"", *, last: bool = True) -> bytes:
    """Return a WebSocket frame of a client."""
    first = (0x80 if last else 0) | opcode
    return struct.pack("!BB", first, 0x80 | len(payload)) + bytes(4) + payload


def upgrade(path: str, *more: str) -> bytes:
    """Return the request that opens a WebSocket."""
    lines = [
        f"GET {path} HTTP/1.1",
        "Host: localhost",
        "Connection: Upgrade",
        "Upgrade: websocket",
        "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
        *more,
    ]
    return "\r\n".join([*lines, "", ""]).encode("latin-1")


def memory(server: Server) -> int:
    """Return how many bytes of memory the process uses."""
    [line] = [
        line
        for line in Path(f"/proc/{server.process.pid}/status").read_text().splitlines()
        if line.startswith("VmRSS:")
    ]
    return int(line.split()[1]) * 1024


def open_connections(server: Server) -> int:
    """Return how many sockets the process has open."""
    found = 0
    for file in Path(f"/proc/{server.process.pid}/fd").iterdir():
        with suppress(OSError):  # it has just been closed
            found += str(file.readlink()).startswith("socket:")
    return found


def seconds_to_answer(server: Server, address: str = OTHER_ADDRESS) -> float:
    """Return how long another client waits for an answer."""
    started = time.monotonic()
    with RawClient(server, GET, address) as client:
        assert client.answer().status == 200
    return time.monotonic() - started


def assert_nothing_failed(server: Server) -> None:
    """Check that the server still works and has logged no error."""
    with Client(server.url) as client:
        client.get("/games")
    printed = server.log.read_text()
    assert "Traceback" not in printed
    assert "Exception" not in printed


def deaf_client(server: Server, sent: bytes) -> RawClient:
    """Connect as a client that asks, but does not read."""
    client = RawClient(server)
    client.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    client.socket.sendall(sent)
    return client
