"""Lightweight WebSocket and HTTP clients, to keep the cost of the driver low."""

import asyncio
import json
from collections.abc import Callable
from random import getrandbits
from time import perf_counter
from typing import Any, cast

from websockets.client import ClientProtocol
from websockets.extensions.permessage_deflate import ClientPerMessageDeflateFactory
from websockets.frames import Frame, Opcode
from websockets.http11 import Response
from websockets.speedups import apply_mask
from websockets.uri import parse_uri

HEAD_END = b"\r\n\r\n"
WHOLE_TEXT = 0x81
"""How a text message begins that is neither compressed nor in fragments."""


class ClientError(Exception):
    """A connection was refused or lost, or a request failed."""


class WebSocketClient(asyncio.Protocol):
    """A WebSocket that calls back with every text message as soon as it arrives.

    It offers compression, as browsers do; the server decides. Plain messages do not pass through
    `websockets`, which would cost the driver more than the servers it measures.
    """

    def __init__(
        self, url: str, on_text: Callable[[str], None], on_lost: Callable[[str], None]
    ) -> None:
        self._protocol = ClientProtocol(
            parse_uri(url), extensions=[ClientPerMessageDeflateFactory()], max_size=None
        )
        self._on_text, self._on_lost = on_text, on_lost
        self._transport: asyncio.Transport
        self._opened: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._closing = False
        self._rest = b""
        """The beginning of a frame whose end has not arrived."""

    async def open(self) -> None:
        """Connect and complete the handshake. Raises `ClientError`."""
        loop, uri = asyncio.get_running_loop(), self._protocol.uri
        try:
            await loop.create_connection(lambda: self, uri.host, uri.port)
        except OSError as error:
            raise ClientError(f"{uri.host}:{uri.port} cannot be reached: {error}") from None
        await self._opened

    def send(self, text: str) -> None:
        """Send a text message."""
        self._transport.write(masked_frame(text.encode(), getrandbits(32).to_bytes(4)))

    def close(self) -> None:
        """Close the connection without calling `on_lost`."""
        self._closing = True
        self._transport.close()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Start the handshake."""
        self._transport = cast("asyncio.Transport", transport)
        self._protocol.send_request(self._protocol.connect())
        self._flush()

    def data_received(self, data: bytes) -> None:
        """Pass on text messages, answer pings, and leave what is rare to `websockets`."""
        if not self._opened.done():
            head, separator, data = data.partition(HEAD_END)
            self._parse(head + separator)
            if not self._opened.done():
                self._parse(data)
                return
        data, at = self._rest + data, 0
        while (whole := whole_frame(data, at)) is not None:
            payload, end = whole
            if data[at] == WHOLE_TEXT:
                self._on_text(data[payload:end].decode())
            else:
                self._parse(data[at:end])
            at = end
        self._rest = data[at:]

    def _parse(self, data: bytes) -> None:
        """Let `websockets` handle the handshake, or a frame that is not a whole, plain text."""
        self._protocol.receive_data(data)
        for event in self._protocol.events_received():
            if isinstance(event, Frame):
                if event.opcode is Opcode.TEXT:
                    self._on_text(bytes(event.data).decode())
            elif isinstance(event, Response) and not self._opened.done():
                self._finish_handshake()
        self._flush()

    def connection_lost(self, exc: Exception | None) -> None:
        """Fail the handshake or call `on_lost`."""
        if not self._opened.done():
            self._opened.set_exception(ClientError("the connection was lost during the handshake"))
        elif not self._closing:
            close = self._protocol.close_rcvd
            self._on_lost(f"the connection was lost ({close or exc or 'no reason given'})")

    def _finish_handshake(self) -> None:
        if self._protocol.handshake_exc is None:
            self._opened.set_result(None)
        else:
            self._opened.set_exception(ClientError(str(self._protocol.handshake_exc)))

    def _flush(self) -> None:
        for data in self._protocol.data_to_send():
            if data:
                self._transport.write(data)
            else:
                self._transport.close()


def masked_frame(payload: bytes, mask: bytes) -> bytes:
    """Return a text message of a client as a frame."""
    size = len(payload)
    if size < 126:
        head = bytes((WHOLE_TEXT, 0x80 | size))
    elif size < 1 << 16:
        head = bytes((WHOLE_TEXT, 0x80 | 126)) + size.to_bytes(2)
    else:
        head = bytes((WHOLE_TEXT, 0x80 | 127)) + size.to_bytes(8)
    return head + mask + apply_mask(payload, mask)


def whole_frame(data: bytes, at: int) -> tuple[int, int] | None:
    """Return where the payload of a server's frame begins and ends; None if it is incomplete."""
    if len(data) < at + 2:
        return None
    size, payload = data[at + 1], at + 2
    if size > 125:
        payload += 2 if size == 126 else 8
        if len(data) < payload:
            return None
        size = int.from_bytes(data[at + 2 : payload])
    return (payload, payload + size) if payload + size <= len(data) else None


MAX_IDLE_SECONDS = 2.0
"""Connections idle for longer are not reused, because servers close them."""


class HttpClient:
    """An HTTP client that reuses its connections."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._idle: list[tuple[float, asyncio.StreamReader, asyncio.StreamWriter]] = []

    async def post(self, path: str, body: object, key: str | None = None) -> Any:
        """Post JSON and return the JSON of the response. Raises `ClientError` on failure."""
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
            raise ClientError(f"POST {path}: {error!r}") from None
        self._idle.append((perf_counter(), reader, writer))
        if not 200 <= status < 300:
            raise ClientError(f"POST {path}: {status} {answer.decode(errors='replace')}")
        return json.loads(answer)

    def close(self) -> None:
        """Close the connections."""
        while self._idle:
            self._idle.pop()[-1].close()

    async def _connection(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        while self._idle:
            since, reader, writer = self._idle.pop()
            if perf_counter() - since < MAX_IDLE_SECONDS and not reader.at_eof():
                return reader, writer
            writer.close()
        return await asyncio.open_connection("127.0.0.1", self._port)


async def _read_answer(reader: asyncio.StreamReader) -> tuple[int, bytes]:
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
    fields = dict(line.lower().split(": ", 1) for line in head[1:] if line)
    return int(head[0].split()[1]), await reader.readexactly(int(fields["content-length"]))
