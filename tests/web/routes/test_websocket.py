"""A connection that is closed while its command is being carried out."""

import asyncio
from pathlib import Path
from threading import Event
from types import SimpleNamespace
from typing import Any

from divisorduel.store.database import open_database
from divisorduel.store.rooms import PlayerPresence, Rooms, Step
from divisorduel.web.dependencies import Caller
from divisorduel.web.protocols.direct_socket import EXTENSION, OnMessage
from divisorduel.web.rate_limit import RateLimit
from divisorduel.web.routes.websocket import TRY_AGAIN, _serve
from divisorduel.web.turns import Turns
from tests.web.databases import sqlite_in
from tests.web.live.hubs import FakeClock, FakeListener, hashes, hub_on, stored_match

TAKE = '{"type":"command","id":1,"version":0,"command":{"type":"take","number":8}}'


class SlowRooms(Rooms):
    """Rooms that write steps only when the test says so."""

    begun: Event
    may_write: Event

    def write(self, taken: list[Step], seen: list[PlayerPresence]) -> list[bool]:  # type: ignore[override]  # as the writer calls it
        if taken:
            self.begun.set()
            assert self.may_write.wait(30)
        return super().write(taken, seen)


class FakeWebSocket:
    """A WebSocket whose client sends one command and waits."""

    def __init__(self) -> None:
        self.scope = {"extensions": {EXTENSION: self}}
        self.code = 0

    def take_over(self, on_message: OnMessage, _: object) -> None:
        on_message(TAKE)

    def send_now(self, *_: str) -> None:
        pass

    def resume(self) -> None:
        pass

    async def close(self, code: int, _: str) -> None:
        self.code = code


def test_a_command_is_completed_even_if_its_client_is_disconnected(
    tmp_path: Path,
) -> None:
    async def scenario(rooms: SlowRooms) -> None:
        clock = FakeClock()
        async with hub_on(rooms, clock) as hub:
            live = await hub.create(stored_match(clock), hashes())
            watcher, line = FakeListener(0), FakeWebSocket()
            hub.presence.connect(live, watcher)
            server: Any = SimpleNamespace(
                hub=hub, command_limit=RateLimit(9, clock), turns=Turns(1)
            )
            socket: Any = line
            serving = asyncio.create_task(_serve(socket, server, Caller(live, 1)))
            assert await asyncio.to_thread(rooms.begun.wait, 30)
            [ann] = [listener for listener in live.listeners if listener.seats]
            ann.dismiss()
            await serving
            assert line.code == TRY_AGAIN
            rooms.may_write.set()
            while live.match.version == 0:
                await asyncio.sleep(0.001)
            assert '"added":{"turns":[8]}' in "".join(watcher.received)
            assert live.match == (rooms.open(live.id) or live.stored).match

    engine = open_database(sqlite_in(tmp_path))
    rooms = SlowRooms(engine, "here")
    rooms.begun, rooms.may_write = Event(), Event()
    asyncio.run(asyncio.wait_for(scenario(rooms), 30))
    engine.dispose()
