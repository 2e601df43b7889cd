"""Attacks on HTTP: requests that never end, that never arrive, and answers that no one reads."""

import asyncio
import gzip
import time
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import AsyncExitStack
from dataclasses import dataclass

from attack.raw_line import Line, alone, connect, line_to, open_many, spread
from divisorduel.web.protocols.limited_http import MOST_PIPELINED as PIPELINED
from divisorduel.web.schemas.problems import MOST_BYTES, MOST_BYTES_OF_RECORD

HEAD = b"Host: localhost\r\n"
JSON = HEAD + b"Content-Type: application/json\r\n"
HALF_HEAD = b"GET / HTTP/1.1\r\n" + HEAD + b"a: "
HALF_BODY = b"POST /api/matches HTTP/1.1\r\n" + JSON + b"Content-Length: 9999\r\n\r\n{"
MOST_OF_A_BODY = (
    b"POST /api/records HTTP/1.1\r\n"
    + JSON
    + b"Content-Length: %d\r\n\r\n" % MOST_BYTES_OF_RECORD
    + b" " * (MOST_BYTES_OF_RECORD - 1)
)
BURST = 400
"""How many connections send something at the same moment."""
SECONDS_FOR_BURST = 60.0
"""How long a burst may take to be answered; others are answered in the meantime."""
AT_ONCE = 4
"""How many connections stream something endless at a time."""


@dataclass(frozen=True)
class Attacked:
    """What is attacked, and how hard."""

    port: int
    match: str
    """The path of a match in the API."""
    hello: str
    """The first message of a player of that match."""
    spectators_hello: str
    connections: int
    """How many connections are held."""
    megabytes: int
    """How much is sent on a connection that streams."""
    seconds: float
    """How long a flood lasts, and how long connections are held."""
    deadline: float
    """After how many seconds the server must have given up a client that does nothing."""


Attack = Callable[[Attacked], Coroutine[None, None, None]]


async def _stream(line: Line, opening: bytes, piece: bytes, megabytes: int) -> None:
    """Send an endless thing, until the server has enough or a limit is reached."""
    await line.send(opening)
    data = piece * (64_000 // len(piece) + 1)
    for _ in range((megabytes << 20) // len(data)):
        if not await line.send(data):
            return


async def _stream_on_some(attacked: Attacked, opening: bytes, piece: bytes) -> None:
    async with AsyncExitStack() as stack:
        lines = [await stack.enter_async_context(line_to(attacked.port)) for _ in range(AT_ONCE)]
        async with asyncio.timeout(attacked.seconds * 10):
            await asyncio.gather(
                *(_stream(line, opening, piece, attacked.megabytes) for line in lines)
            )


async def endless_headers(attacked: Attacked) -> None:
    """Send one short header after the other."""
    await _stream_on_some(attacked, b"GET / HTTP/1.1\r\n" + HEAD, b"a: b\r\n")


async def endless_header(attacked: Attacked) -> None:
    """Send one header that does not end."""
    await _stream_on_some(attacked, b"GET / HTTP/1.1\r\n" + HEAD + b"a: ", b"x")


async def endless_header_name(attacked: Attacked) -> None:
    """Send the name of a header that does not end."""
    await _stream_on_some(attacked, b"GET / HTTP/1.1\r\n" + HEAD, b"x")


async def endless_url(attacked: Attacked) -> None:
    """Send an address that does not end."""
    await _stream_on_some(attacked, b"GET /", b"x")


async def endless_method(attacked: Attacked) -> None:
    """Send a method that does not end."""
    await _stream_on_some(attacked, b"", b"X")


async def endless_chunks(attacked: Attacked) -> None:
    """Send a body in chunks of one byte."""
    head = b"POST /api/matches HTTP/1.1\r\n" + JSON + b"Transfer-Encoding: chunked\r\n\r\n"
    await _stream_on_some(attacked, head, b"1\r\n \r\n")


async def endless_chunk_extension(attacked: Attacked) -> None:
    """Send the extension of a chunk that does not end."""
    head = b"POST /api/matches HTTP/1.1\r\n" + JSON + b"Transfer-Encoding: chunked\r\n\r\n1;a="
    await _stream_on_some(attacked, head, b"x")


async def endless_trailers(attacked: Attacked) -> None:
    """Send one header after the other behind a body."""
    head = b"POST /api/matches HTTP/1.1\r\n" + JSON + b"Transfer-Encoding: chunked\r\n\r\n0\r\n"
    await _stream_on_some(attacked, head, b"a: b\r\n")


async def _hold(attacked: Attacked, opening: bytes, address: Callable[[int], str]) -> None:
    """Hold half-sent requests, with a byte now and then; the server must give them up."""
    opened = await open_many(attacked.port, attacked.connections, opening, address)
    lines = opened
    try:
        end = time.monotonic() + attacked.deadline
        async for _ in _ticks(end):
            lines = [line for line in lines if await line.send(b"x")]
            if not lines:
                return
        held = sum([not await line.is_closed(0.01) for line in lines])
        assert not held, f"{held} half-sent requests are held after {attacked.deadline:g} seconds"
    finally:
        for line in opened:
            line.writer.transport.abort()


async def _ticks(end: float) -> AsyncIterator[None]:
    while time.monotonic() < end:
        yield
        await asyncio.sleep(1)


async def half_headers(attacked: Attacked) -> None:
    """Hold half-sent headers from one address."""
    await _hold(attacked, HALF_HEAD, alone)


async def half_headers_of_many(attacked: Attacked) -> None:
    """Hold half-sent headers from many addresses."""
    await _hold(attacked, HALF_HEAD, spread)


async def half_bodies(attacked: Attacked) -> None:
    """Hold half-sent bodies."""
    await _hold(attacked, HALF_BODY, alone)


async def half_bodies_of_many(attacked: Attacked) -> None:
    """Hold half-sent bodies from many addresses."""
    await _hold(attacked, HALF_BODY, spread)


async def abandoned_bodies(attacked: Attacked) -> None:
    """Send most of the largest bodies, and leave, again and again."""
    end = time.monotonic() + attacked.seconds

    async def send() -> None:
        while time.monotonic() < end:
            async with line_to(attacked.port) as line:
                await line.send(MOST_OF_A_BODY)

    async with asyncio.timeout(attacked.seconds + SECONDS_FOR_BURST):
        await asyncio.gather(*(send() for _ in range(AT_ONCE)))


async def silence(attacked: Attacked) -> None:
    """Hold connections on which nothing is sent at all."""
    lines = await open_many(attacked.port, attacked.connections, b"", alone)
    try:
        async with asyncio.timeout(attacked.deadline + 30):
            closed = await asyncio.gather(*(line.is_closed(attacked.deadline) for line in lines))
        held = closed.count(False)
        assert not held, f"{held} silent connections are held after {attacked.deadline:g} seconds"
    finally:
        for line in lines:
            line.writer.transport.abort()


async def unread_answers(attacked: Attacked) -> None:
    """Ask for the largest page again and again on one connection, and read nothing."""
    ask = b"GET /api/games HTTP/1.1\r\n" + HEAD + b"\r\n"
    async with AsyncExitStack() as stack:
        enter = stack.enter_async_context
        lines = [await enter(line_to(attacked.port, buffer=4_096)) for _ in range(20)]
        end = time.monotonic() + attacked.seconds
        while time.monotonic() < end:
            for line in lines:
                if not line.writer.is_closing():
                    line.writer.write(ask * 20)
            await asyncio.sleep(0.05)


async def pipelined_requests(attacked: Attacked) -> None:
    """Send requests without waiting for answers, as fast as possible."""
    ask = (b"GET /api/games HTTP/1.1\r\n" + HEAD + b"\r\n") * 50

    async def send(line: Line) -> None:
        reading = asyncio.create_task(line.is_closed(attacked.seconds))
        end = time.monotonic() + attacked.seconds
        while time.monotonic() < end and await line.send(ask):
            await asyncio.sleep(0)
        reading.cancel()

    async with AsyncExitStack() as stack:
        lines = [await stack.enter_async_context(line_to(attacked.port)) for _ in range(AT_ONCE)]
        await asyncio.gather(*map(send, lines))


async def new_connections(attacked: Attacked) -> None:
    """Open and close connections, as fast as possible."""
    ask = b"GET /api/options HTTP/1.1\r\n" + HEAD + b"Connection: close\r\n\r\n"

    async def call() -> None:
        end = time.monotonic() + attacked.seconds
        while time.monotonic() < end:
            try:
                async with line_to(attacked.port) as line:
                    await line.send(ask)
                    await line.is_closed(5)
            except (OSError, TimeoutError):
                await asyncio.sleep(0.01)

    await asyncio.gather(*(call() for _ in range(AT_ONCE)))


def _bombs(size: int) -> list[bytes]:
    """Return bodies of about this size that are costly to read."""
    names = b",".join(b'"%d":[]' % n for n in range(size // 10))
    return [
        b"[" * size,
        b'{"a":' * (size // 5),
        b"[" * (size // 2) + b"]" * (size // 2),
        b"{" + names + b"}",
        b'{"game": "chain", "board": {' + names + b"}}",
        b'{"game": ' + b"9" * size + b"}",
        b'{"game": "' + b"\\u0041" * (size // 6) + b'"}',
        b'{"board": [' + b"1e5," * (size // 4) + b"1]}",
        b'{"code": "chain 2-9 2-9 -", "moves": [' + b"[]," * (size // 3 - 20) + b"1]}",
    ]


BOMBS = {
    b"/api/records": _bombs(MOST_BYTES_OF_RECORD - 100),
    b"/api/matches": _bombs(MOST_BYTES - 100),
    b"/api/positions": _bombs(MOST_BYTES - 100),
}
"""Bodies that are small enough to be read, by the call to which they are sent."""


def _post(path: bytes, body: bytes) -> bytes:
    return b"POST %s HTTP/1.1\r\n%sContent-Length: %d\r\n\r\n" % (path, JSON, len(body)) + body


async def nesting_bombs(attacked: Attacked) -> None:
    """Send bodies that are costly to read, all at once."""
    all_bombs = [_post(path, body) for path, bodies in BOMBS.items() for body in bodies]
    await _bursts(attacked, [all_bombs[at % len(all_bombs)] for at in range(100)])


async def bursts_of_requests(attacked: Attacked) -> None:
    """Send as many requests as one address may, all at once and several on each connection."""
    for path in (b"/openapi.json", b"/", b"/api/games"):
        ask = b"GET " + path + b" HTTP/1.1\r\n" + HEAD + b"\r\n"
        await _bursts(attacked, [ask * PIPELINED] * BURST)


async def bursts_of_positions(attacked: Attacked) -> None:
    """Ask for the longest lines on the largest boards, all at once."""
    moves = b",".join(b"%d" % number for number in range(1_000, 0, -1))
    body = b'{"code": "descent 1000 - 1000", "moves": [%s]}' % moves
    large = b'{"code": "antichain 99001-100000 99001-100000 -", "moves": [%s]}' % b",".join(
        b"%d" % number for number in range(100_000, 99_000, -1)
    )
    await _bursts(attacked, [_post(b"/api/positions", body), _post(b"/api/positions", large)] * 200)


async def _bursts(attacked: Attacked, requests: list[bytes]) -> None:
    """Open a connection for each request; send all but the last bytes, then those all at once."""
    end = time.monotonic() + attacked.seconds
    while time.monotonic() < end:
        lines: list[Line] = []
        try:
            for request in requests:
                lines.append(await connect(attacked.port))
                await lines[-1].send(request[:-1])
            for line, request in zip(lines, requests, strict=True):
                line.writer.write(request[-1:])
            async with asyncio.timeout(attacked.seconds + SECONDS_FOR_BURST):
                await asyncio.gather(*(line.reader.read(1) for line in lines))
        except OSError:  # the server takes no more
            pass
        finally:
            for line in lines:
                line.writer.transport.abort()


async def compressed_bodies(attacked: Attacked) -> None:
    """Send a body that would be a thousand times larger when unpacked."""
    bomb = gzip.compress(b" " * (200 << 20))
    for coding in (b"gzip", b"deflate", b"br"):
        async with line_to(attacked.port) as line:
            head = b"POST /api/matches HTTP/1.1\r\n" + JSON + b"Content-Encoding: " + coding
            length = b"\r\nContent-Length: %d\r\nConnection: close\r\n\r\n" % len(bomb)
            await line.send(head + length + bomb)
            assert await line.is_closed(30), "a body was not answered"


HTTP_ATTACKS: tuple[Attack, ...] = (
    endless_headers, endless_header, endless_header_name, endless_url, endless_method,
    endless_chunks, endless_chunk_extension, endless_trailers, half_headers, half_headers_of_many,
    half_bodies, half_bodies_of_many, abandoned_bodies, silence, unread_answers, pipelined_requests,
    new_connections, nesting_bombs, compressed_bodies, bursts_of_requests, bursts_of_positions,
)  # fmt: skip
