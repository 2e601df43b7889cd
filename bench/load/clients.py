"""A light WebSocket and HTTP client, so that the driver costs little and the same for all."""

import asyncio
import json
from collections.abc import Callable
from time import perf_counter
from typing import Any, cast

from websockets.client import ClientProtocol
from websockets.extensions.permessage_deflate import ClientPerMessageDeflateFactory
from websockets.frames import Frame, Opcode
from websockets.http11 import Response
from websockets.uri import parse_uri


class WireError(Exception):
    """A connection that was refused or lost, or an answer that is not a success."""


class Wire(asyncio.Protocol):
    """A WebSocket that hands every text to a listener as soon as it arrives.

    It offers compression, as browsers do; the server decides.
    """

    def __init__(self, url: str, hear: Callable[[str], None], lost: Callable[[str], None]) -> None:
        self._protocol = ClientProtocol(
            parse_uri(url), extensions=[ClientPerMessageDeflateFactory()], max_size=None
        )
        self._hear, self._lost = hear, lost
        self._transport: asyncio.Transport
        self._opened: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._leaving = False

    async def open(self) -> None:
        """Connect, and return when texts may be sent. Raises `WireError`."""
        loop, uri = asyncio.get_running_loop(), self._protocol.uri
        try:
            await loop.create_connection(lambda: self, uri.host, uri.port)
        except OSError as error:
            raise WireError(f"{uri.host}:{uri.port} cannot be reached: {error}") from None
        await self._opened

    def send(self, text: str) -> None:
        """Send a text."""
        self._protocol.send_text(text.encode())
        self._flush()

    def close(self) -> None:
        """Hang up; nobody is told."""
        self._leaving = True
        self._transport.close()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Ask for a WebSocket."""
        self._transport = cast("asyncio.Transport", transport)
        self._protocol.send_request(self._protocol.connect())
        self._flush()

    def data_received(self, data: bytes) -> None:
        """Read what has come, answer pings, and hand on the texts."""
        self._protocol.receive_data(data)
        for event in self._protocol.events_received():
            if isinstance(event, Frame):
                if event.opcode is Opcode.TEXT:
                    self._hear(bytes(event.data).decode())
            elif isinstance(event, Response) and not self._opened.done():
                self._answered()
        self._flush()

    def connection_lost(self, exc: Exception | None) -> None:
        """Tell whoever waits for something."""
        if not self._opened.done():
            self._opened.set_exception(WireError("the connection was lost while it was made"))
        elif not self._leaving:
            close = self._protocol.close_rcvd
            self._lost(f"the connection was lost ({close or exc or 'without a word'})")

    def _answered(self) -> None:
        if self._protocol.handshake_exc is None:
            self._opened.set_result(None)
        else:
            self._opened.set_exception(WireError(str(self._protocol.handshake_exc)))

    def _flush(self) -> None:
        for data in self._protocol.data_to_send():
            if data:
                self._transport.write(data)
            else:
                self._transport.close()


FRESH = 2.0
"""A connection that was idle for longer is not used again: servers hang up after some seconds."""


class Http:
    """HTTP with connections that are used again."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._idle: list[tuple[float, asyncio.StreamReader, asyncio.StreamWriter]] = []

    async def post(self, path: str, body: object, key: str | None = None) -> Any:
        """Post JSON and return the answer's JSON. Raises `WireError` if it is not a success."""
        content = json.dumps(body).encode()
        head = [
            f"POST {path} HTTP/1.1",
            f"Host: 127.0.0.1:{self._port}",
            "Content-Type: application/json",
            f"Content-Length: {len(content)}",
            *([f"Authorization: Bearer {key}"] if key else []),
        ]
        reader, writer = await self._connection()
        writer.write("\r\n".join(head).encode() + b"\r\n\r\n" + content)
        try:
            status, answer = await _read_answer(reader)
        except (OSError, EOFError) as error:
            writer.close()
            raise WireError(f"POST {path}: {error!r}") from None
        self._idle.append((perf_counter(), reader, writer))
        if not 200 <= status < 300:
            raise WireError(f"POST {path}: {status} {answer.decode(errors='replace')}")
        return json.loads(answer)

    def close(self) -> None:
        """Close the connections."""
        while self._idle:
            self._idle.pop()[-1].close()

    async def _connection(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        while self._idle:
            since, reader, writer = self._idle.pop()
            if perf_counter() - since < FRESH and not reader.at_eof():
                return reader, writer
            writer.close()
        return await asyncio.open_connection("127.0.0.1", self._port)


async def _read_answer(reader: asyncio.StreamReader) -> tuple[int, bytes]:
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
    fields = dict(line.lower().split(": ", 1) for line in head[1:] if line)
    return int(head[0].split()[1]), await reader.readexactly(int(fields["content-length"]))
