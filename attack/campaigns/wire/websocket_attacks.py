"""Attacks on WebSockets: floods, fragments, frames that are too large or wrong, deaf listeners."""

import asyncio
import json
import time
import zlib
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress

from attack.campaigns.wire.http_attacks import AT_ONCE, Attack, Attacked
from attack.raw_connection import (
    BINARY,
    CLOSE,
    CONTINUED,
    PING,
    TEXT,
    RawConnection,
    frame,
    websocket,
)

SECONDS_TO_CLOSE = 20.0
"""How long the server may take to close a connection on which something is wrong."""
SECONDS_FOR_HELLO = 10.0
DEFLATE = "Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits\r\n"
LISTENERS, SPECTATORS = 40, 400


def _command(version: int, kind: str, **more: object) -> bytes:
    command = {"type": kind, **more}
    said = {"type": "command", "id": 1, "version": version, "command": command}
    return frame(TEXT, json.dumps(said).encode())


async def _flood(attacked: Attacked, said: bytes, *, reads: bool = True) -> None:
    """Send the same frames on a few connections, as fast as possible."""

    async def send(line: RawConnection) -> None:
        reading = asyncio.create_task(line.is_closed(attacked.seconds)) if reads else None
        end = time.monotonic() + attacked.seconds
        data = said * (32_000 // len(said) + 1)
        while time.monotonic() < end and await line.send(data):
            await asyncio.sleep(0)
        if reading is not None:
            reading.cancel()

    async with AsyncExitStack() as stack:
        opened = [
            websocket(attacked.port, f"{attacked.match}/live", attacked.hello)
            for _ in range(AT_ONCE)
        ]
        lines = [await stack.enter_async_context(one) for one in opened]
        with suppress(TimeoutError):
            async with asyncio.timeout(attacked.seconds + 5):
                await asyncio.gather(*map(send, lines))


async def flood_of_messages(attacked: Attacked) -> None:
    """Send messages that are answered."""
    await _flood(attacked, frame(TEXT, b'{"type":"ping"}'))


async def flood_of_unread_messages(attacked: Attacked) -> None:
    """Send messages that are answered, and read no answer."""
    await _flood(attacked, frame(TEXT, b'{"type":"ping"}'), reads=False)


async def flood_of_pings(attacked: Attacked) -> None:
    """Send pings of the protocol."""
    await _flood(attacked, frame(PING, b"x" * 125))


async def flood_of_empty_frames(attacked: Attacked) -> None:
    """Send empty messages."""
    await _flood(attacked, frame(TEXT))


async def flood_of_nonsense(attacked: Attacked) -> None:
    """Send messages that are nested as deeply as their length allows."""
    await _flood(attacked, frame(TEXT, b"[" * 19_000))


async def flood_of_commands(attacked: Attacked) -> None:
    """Send commands, most of them refused."""
    await _flood(attacked, _command(0, "take", number=2) + _command(1, "undo"))


async def flood_of_syncs(attacked: Attacked) -> None:
    """Ask for the whole match on many connections, again and again."""
    async with _listening(attacked, SPECTATORS, attacked.hello) as lines:
        readers = [asyncio.create_task(line.is_closed(attacked.seconds)) for line in lines]
        end = time.monotonic() + attacked.seconds
        while time.monotonic() < end:
            for line in lines:
                if not line.writer.is_closing():
                    line.writer.write(frame(TEXT, b'{"type":"sync"}') * 20)
            await asyncio.sleep(1)
        for reader in readers:
            reader.cancel()


async def flood_of_mistakes(attacked: Attacked) -> None:
    """Send messages with as many wrong fields as there is room for."""
    names = b",".join(b'"%d":[]' % number for number in range(1_900))
    await _flood(attacked, frame(TEXT, b'{"type":"ping",' + names + b"}"))


async def endless_fragments(attacked: Attacked) -> None:
    """Send a message whose fragments never end."""
    for piece in (frame(CONTINUED, b"x", final=False), frame(CONTINUED, final=False)):
        opened = websocket(attacked.port, f"{attacked.match}/live", attacked.hello)
        async with opened as line:
            await line.send(frame(TEXT, b'"', final=False))
            data = piece * (32_000 // len(piece))
            for _ in range((attacked.megabytes << 20) // len(data)):
                if not await line.send(data):
                    break


async def fragments_at_once(attacked: Attacked) -> None:
    """Send thousands of empty fragments on each of many connections, all at once."""
    async with _listening(attacked, SPECTATORS, attacked.spectators_hello) as lines:
        for line in lines:
            await line.send(frame(TEXT, b'"', final=False))
        for line in lines:
            line.writer.write(frame(CONTINUED, final=False) * 5_000)
        await asyncio.sleep(attacked.seconds)


async def oversized_frames(attacked: Attacked) -> None:
    """Announce frames that are too large, and send them."""
    for opcode, length in ((TEXT, 1 << 20), (TEXT, 1 << 40), (BINARY, (1 << 63) - 1)):
        opened = websocket(attacked.port, f"{attacked.match}/live", attacked.hello)
        async with opened as line:
            await line.send(frame(opcode, length=length))
            for _ in range(attacked.megabytes << 4):
                if not await line.send(b"x" * 65_536):
                    break
            assert await line.is_closed(SECONDS_TO_CLOSE), "the connection is still open"


WRONG_FRAMES = {
    "not masked": frame(TEXT, b'{"type":"ping"}', masked=False),
    **{f"reserved bit {bit:#x}": frame(TEXT, b"x", reserved=bit) for bit in (0x40, 0x20, 0x10)},
    **{f"opcode {opcode}": frame(opcode, b"x") for opcode in (3, 4, 5, 6, 7, 11, 12, 13, 14, 15)},
    "a ping in fragments": frame(PING, b"x", final=False),
    "a long ping": frame(PING, b"x" * 126),
    "a fragment of nothing": frame(CONTINUED, b"x"),
    "a message within a message": frame(TEXT, b"x", final=False) + frame(TEXT, b"x"),
    "not UTF-8": frame(TEXT, b"\xff\xfe"),
    "half a character": frame(TEXT, b"\xc3"),
    "a surrogate": frame(TEXT, b"\xed\xa0\x80"),
    "not UTF-8 in fragments": frame(TEXT, b"\xff", final=False) + frame(CONTINUED, b"x"),
    "a short reason to close": frame(CLOSE, b"\x03"),
    "an unknown reason to close": frame(CLOSE, b"\x03\xe7"),
    "a long reason to close": frame(CLOSE, b"\x03\xe8" + b"x" * 124),
    "bytes": frame(BINARY, b"\x00"),
    "HTTP": b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "a negative length": bytes([0x81, 0xFF]) + b"\xff" * 8,
}
"""What no client may send; the connection must be closed."""


async def wrong_frames(attacked: Attacked) -> None:
    """Send what is not a frame, or not there; each closes its own connection."""
    for name, said in WRONG_FRAMES.items():
        opened = websocket(attacked.port, f"{attacked.match}/live", attacked.hello)
        async with opened as line:
            await line.send(said)
            closed = await line.is_closed(SECONDS_TO_CLOSE)
            assert closed, f"the connection is still open after {name}"


async def compression_bombs(attacked: Attacked) -> None:
    """Send a small frame that unpacks to 200 MB, whether compression was agreed on or not."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    bomb = packer.compress(b" " * (200 << 20)) + packer.flush(zlib.Z_SYNC_FLUSH)
    for more in ("", DEFLATE):
        for said in (bomb[:-4], bomb[:19_000]):
            opened = websocket(attacked.port, f"{attacked.match}/live", attacked.hello, more=more)
            async with opened as line:
                await line.send(frame(TEXT, said, reserved=0x40))
                assert await line.is_closed(SECONDS_TO_CLOSE), "the connection is still open"


@asynccontextmanager
async def _listening(
    attacked: Attacked, count: int, hello: str
) -> AsyncIterator[list[RawConnection]]:
    """Open as many WebSockets as the server allows, up to a number, without reading anything."""
    async with AsyncExitStack() as stack:
        lines = []
        for _ in range(count):
            opened = websocket(attacked.port, f"{attacked.match}/live", hello, buffer=4_096)
            with suppress(OSError):
                lines.append(await stack.enter_async_context(opened))
        yield lines


async def deaf_listeners(attacked: Attacked) -> None:
    """Play on a large board while listeners read nothing of it."""
    async with _listening(attacked, LISTENERS, attacked.hello):
        opened = websocket(attacked.port, f"{attacked.match}/live", attacked.hello)
        async with opened as player:
            reading = asyncio.create_task(player.is_closed(attacked.seconds))
            end, version = time.monotonic() + attacked.seconds, 0
            while time.monotonic() < end:
                # Whatever the version is, one of these fits sooner or later.
                said = _command(version, "take", number=2) + _command(version + 1, "undo")
                if not await player.send(said):
                    break
                version = (version + 2) % 2_000
                await asyncio.sleep(0.002)
            reading.cancel()


async def without_hello(attacked: Attacked) -> None:
    """Open WebSockets and say nothing; the server must give them up."""
    count = attacked.connections // 2
    async with _listening(attacked, count, "") as lines:
        limit = max(attacked.deadline, SECONDS_FOR_HELLO + SECONDS_TO_CLOSE)
        closed = await asyncio.gather(*(line.is_closed(limit) for line in lines))
        held = closed.count(False)
        assert not held, f"{held} of {len(lines)} silent WebSockets are still open"


async def hellos_at_once(attacked: Attacked) -> None:
    """Let a crowd of spectators say hello at the same moment."""
    said = frame(TEXT, attacked.spectators_hello.encode())
    async with _listening(attacked, SPECTATORS, "") as lines:
        await asyncio.gather(*(line.send(said) for line in lines))
        await asyncio.gather(*(line.is_closed(attacked.seconds) for line in lines))


async def coming_and_going(attacked: Attacked) -> None:
    """Let spectators come and go, which is told to all the others."""
    async with _listening(attacked, LISTENERS, attacked.spectators_hello) as lines:
        readers = [asyncio.create_task(line.is_closed(attacked.seconds)) for line in lines]
        end = time.monotonic() + attacked.seconds
        while time.monotonic() < end:
            with suppress(OSError):
                opened = websocket(
                    attacked.port, f"{attacked.match}/live", attacked.spectators_hello
                )
                async with opened as line:
                    await line.reader.read(1)
        for reader in readers:
            reader.cancel()


WEBSOCKET_ATTACKS: tuple[Attack, ...] = (
    flood_of_messages, flood_of_unread_messages, flood_of_pings, flood_of_empty_frames,
    flood_of_nonsense, flood_of_commands, flood_of_syncs, flood_of_mistakes, endless_fragments,
    fragments_at_once, oversized_frames, wrong_frames, compression_bombs, deaf_listeners,
    without_hello, hellos_at_once, coming_and_going,
)  # fmt: skip
