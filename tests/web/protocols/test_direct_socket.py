"""WebSocket frames of every shape, sent byte by byte to a real server."""

import json
import os
import socket
import struct
from collections.abc import Iterator

import pytest
from websockets.frames import Frame, Opcode

from divisorduel.web.protocols.direct_socket import _whole_frame, text_frame
from tests.web.clients import Json, Match, Server, joined_match

KEY = "dGhlIHNhbXBsZSBub25jZQ=="
PING = b'{"type":"ping"}'
PONG = b'{"type":"pong"}'


def frame(content: bytes, opcode: Opcode = Opcode.TEXT, *, fin: bool = True) -> bytes:
    """Return a frame as a client sends it."""
    return Frame(opcode, content, fin=fin).serialize(mask=True)


class Wire:
    """A WebSocket connection of which the test writes every byte."""

    def __init__(self, server: Server, match: Match) -> None:
        self.socket = socket.create_connection(("127.0.0.1", server.port), timeout=30)
        request = (
            f"GET /api/matches/{match.id}/live HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n"
            f"Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: {KEY}\r\n"
            "Sec-WebSocket-Version: 13\r\n\r\n"
        )
        self.socket.sendall(request.encode())
        self._read = b""
        head = self._until(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 101")
        self.send(frame(json.dumps({"type": "hello", "key": match.keys["1"]}).encode()))
        assert self.hear("welcome")

    def send(self, *chunks: bytes) -> None:
        """Send bytes, each chunk on its own."""
        for chunk in chunks:
            self.socket.sendall(chunk)

    def frame(self) -> tuple[int, bytes]:
        """Return the opcode and the content of the next frame."""
        first, size = self._take(2)
        if size == 126:
            [size] = struct.unpack("!H", self._take(2))
        elif size == 127:
            [size] = struct.unpack("!Q", self._take(8))
        return first & 0x0F, self._take(size)

    def hear(self, kind: str) -> Json:
        """Return the next message of a type."""
        while True:
            opcode, content = self.frame()
            if opcode == Opcode.TEXT and json.loads(content)["type"] == kind:
                message: Json = json.loads(content)
                return message

    def closed_with(self) -> int:
        """Return the code with which the server closes the connection."""
        while True:
            opcode, content = self.frame()
            if opcode == Opcode.CLOSE:
                return int.from_bytes(content[:2])

    def _until(self, mark: bytes) -> bytes:
        while mark not in self._read:
            self._receive()
        head, _, self._read = self._read.partition(mark)
        return head

    def _take(self, size: int) -> bytes:
        while len(self._read) < size:
            self._receive()
        taken, self._read = self._read[:size], self._read[size:]
        return taken

    def _receive(self) -> None:
        data = self.socket.recv(1 << 16)
        assert data, "the server has closed the connection"
        self._read += data


@pytest.fixture
def wire(web: Server) -> Iterator[Wire]:
    """Connect as the first player of a match."""
    with joined_match(web.url) as match:
        wire = Wire(web, match)
        yield wire
        wire.socket.close()


def test_a_message_is_read_however_its_frames_are_cut_into_chunks(wire: Wire) -> None:
    whole = frame(PING)
    wire.send(whole, whole + whole, whole)
    wire.send(*(bytes([byte]) for byte in whole))
    wire.send(whole[:3], whole[3:] + whole[:7], whole[7:])
    for _ in range(7):
        assert wire.hear("pong")


def test_fragments_are_put_together_with_a_ping_between_them(wire: Wire) -> None:
    wire.send(frame(PING[:5], fin=False) + frame(b"are you there?", Opcode.PING))
    assert wire.frame()[0] in (Opcode.TEXT, Opcode.PONG)
    wire.send(frame(PING[5:], Opcode.CONT))
    assert wire.hear("pong")


def test_control_frames_are_answered_between_messages(wire: Wire) -> None:
    wire.send(frame(PING) + frame(b"1", Opcode.PING) + frame(PING))
    heard = [wire.frame() for _ in range(4)]  # the first is about presence
    assert (Opcode.PONG, b"1") in heard
    assert heard.count((Opcode.TEXT, PONG)) == 2


def test_a_long_message_is_read_and_an_oversized_one_ends_the_connection(wire: Wire) -> None:
    wire.send(frame(PING[:-1] + b" " * 900 + b"}"))
    assert wire.hear("pong")
    wire.send(frame(PING[:-1] + b" " * 15_000 + b"}"))
    assert "more than 1,000 characters" in wire.hear("error")["reason"]
    wire.send(frame(PING[:-1] + b" " * 25_000 + b"}"))
    assert wire.closed_with() == 1009


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (frame(b"\xff\xfe"), 1007),
        (frame(b"\x00\x01", Opcode.BINARY), 4403),
        (Frame(Opcode.TEXT, PING).serialize(mask=False), 1002),
        (bytes([0xC1]) + frame(PING)[1:], 1002),  # a reserved bit
        (bytes([0x83]) + frame(PING)[1:], 1002),  # an opcode that does not exist
        (frame(PING, Opcode.CONT), 1002),
        (frame(struct.pack("!H", 1000), Opcode.CLOSE), 1000),
    ],
    ids=["utf-8", "binary", "unmasked", "reserved bit", "opcode", "continuation", "close"],
)
@pytest.mark.parametrize("before", [b"", frame(PING)], ids=["alone", "after a message"])
def test_a_frame_that_is_not_allowed_ends_the_connection_with_its_code(
    wire: Wire, before: bytes, data: bytes, code: int
) -> None:
    wire.send(before + data)
    assert wire.closed_with() == code


def test_a_client_that_misses_a_step_can_ask_for_the_whole_match(wire: Wire) -> None:
    wire.send(frame(b'{"type":"sync"}'))
    assert wire.hear("welcome")["match"]["version"] == 1


def test_messages_wait_for_the_answer_to_a_command_and_none_is_lost(wire: Wire) -> None:
    take = {"type": "command", "id": 1, "version": 1, "command": {"type": "take", "number": 8}}
    wire.send(frame(json.dumps(take).encode()) + frame(PING) * 60)
    assert wire.hear("done")["version"] == 2
    for _ in range(60):
        assert wire.hear("pong")


@pytest.mark.parametrize("size", [0, 1, 125, 126, 127, 65_535, 65_536, 100_000])
def test_a_frame_is_what_the_library_would_write(size: int) -> None:
    text = "é" * (size // 2) + "x" * (size % 2)
    assert text_frame(text) == Frame(Opcode.TEXT, text.encode()).serialize(mask=False)


@pytest.mark.parametrize("size", [0, 1, 125, 126, 127, 20_000])
def test_only_a_whole_frame_has_an_end(size: int) -> None:
    content = os.urandom(size)
    data = b"?" + frame(content)
    payload, end = _whole_frame(data, 1)
    assert (end - payload, end) == (size, len(data))
    for cut in {1, 2, 5, 6, 7, len(data) // 2, len(data) - 1}:
        if cut < len(data):
            assert _whole_frame(data[:cut], 1) == (0, 0)
