"""Connections of attackers: bytes as they are, from any address of this machine."""

import asyncio
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from typing import NamedTuple

CHUNK = 64_000
SECONDS_TO_CONNECT = 20.0
HANDSHAKE = (
    "GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
    "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n{more}\r\n"
)
MASK = b"\x12\x34\x56\x78"


class RawConnection(NamedTuple):
    """An open connection."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter

    async def send(self, data: bytes) -> bool:
        """Send bytes; tell whether the server still takes them."""
        try:
            self.writer.write(data)
            await self.writer.drain()
        except OSError:
            return False
        return not self.writer.is_closing() and not self.reader.at_eof()

    async def is_closed(self, seconds: float) -> bool:
        """Read until the server closes the connection; tell whether it does in time."""
        try:
            async with asyncio.timeout(seconds):
                while await self.reader.read(CHUNK):
                    pass
        except TimeoutError:
            return False
        except OSError:
            pass
        return True


async def connect(port: int, address: str = "127.0.0.2", buffer: int = 0) -> RawConnection:
    """Connect from an address. Raises `OSError`, even if it only takes too long."""
    raw = socket.socket()
    raw.setblocking(False)  # noqa: FBT003
    if buffer:
        raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
    try:
        raw.bind((address, 0))
        async with asyncio.timeout(SECONDS_TO_CONNECT):
            await asyncio.get_running_loop().sock_connect(raw, ("127.0.0.1", port))
            return RawConnection(*await asyncio.open_connection(sock=raw, limit=CHUNK))
    except BaseException:
        raw.close()
        raise


@asynccontextmanager
async def connection_to(
    port: int, address: str = "127.0.0.2", buffer: int = 0
) -> AsyncIterator[RawConnection]:
    """Connect, and close the connection at the end without waiting for the server."""
    line = await connect(port, address, buffer)
    try:
        yield line
    finally:
        with suppress(OSError):
            line.writer.transport.abort()


async def open_many(
    port: int, count: int, opening: bytes, address_of: Callable[[int], str]
) -> list[RawConnection]:
    """Open connections and send the beginning of a request on each; return those that opened."""
    lines = []
    for number in range(count):
        try:
            line = await connect(port, address_of(number))
        except OSError:  # the server takes no more
            continue
        await line.send(opening)
        lines.append(line)
    return lines


def spread(number: int) -> str:
    """Return one of two hundred addresses of attackers."""
    return f"127.0.1.{number % 200 + 1}"


def alone(_: int) -> str:
    """Return the address of an attacker who has only one."""
    return "127.0.0.2"


# --- WebSockets


def frame(
    opcode: int,
    payload: bytes = b"",
    *,
    final: bool = True,
    reserved: int = 0,
    masked: bool = True,
    length: int | None = None,
) -> bytes:
    """Return a frame, right or wrong; `length` is what it claims to hold."""
    size = len(payload) if length is None else length
    head = bytes([(0x80 if final else 0) | reserved | opcode])
    bit = 0x80 if masked else 0
    if size < 126:
        head += bytes([bit | size])
    elif size < 1 << 16:
        head += bytes([bit | 126]) + size.to_bytes(2, "big")
    else:
        head += bytes([bit | 127]) + size.to_bytes(8, "big")
    if not masked:
        return head + payload
    whole = (MASK * (len(payload) // 4 + 1))[: len(payload)]
    mixed = int.from_bytes(payload, "big") ^ int.from_bytes(whole, "big")
    return head + MASK + mixed.to_bytes(len(payload), "big")


TEXT, BINARY, CONTINUED, CLOSE, PING = 1, 2, 0, 8, 9


@asynccontextmanager
async def websocket(
    port: int, path: str, hello: str = "", *, more: str = "", buffer: int = 0
) -> AsyncIterator[RawConnection]:
    """Open a WebSocket and say hello. Raises `OSError` if the server refuses it."""
    async with connection_to(port, buffer=buffer) as line:
        await line.send(HANDSHAKE.format(path=path, more=more).encode())
        try:
            async with asyncio.timeout(SECONDS_TO_CONNECT):
                head = await line.reader.readuntil(b"\r\n\r\n")
        except (asyncio.IncompleteReadError, TimeoutError) as error:
            raise ConnectionError("no handshake") from error
        if b" 101 " not in head.split(b"\r\n")[0]:
            raise ConnectionError(head.split(b"\r\n")[0].decode())
        if hello:
            await line.send(frame(TEXT, hello.encode()))
        yield line


def raise_file_limit(wanted: int) -> int:
    """Raise the limit of open files of this process up to a number; return the new limit."""
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = wanted if hard == resource.RLIM_INFINITY else min(hard, wanted)
    if soft < most:
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
    return max(soft, most)
