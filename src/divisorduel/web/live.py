"""The WebSocket API: whoever listens is told what happens, and may play."""

import asyncio
from contextlib import suppress
from typing import Annotated, Literal

from fastapi import APIRouter, WebSocket, WebSocketDisconnect
from pydantic import Field, TypeAdapter, ValidationError

from divisorduel.rules.errors import DuelError
from divisorduel.web import models
from divisorduel.web.api import Caller, MatchId, Server, address_of, carry_out
from divisorduel.web.hub import dumps
from divisorduel.web.security import hash_of, is_same_origin

SECONDS_TO_SAY_HELLO = 10.0
MOST_WAITING = 200
"""Whoever is so many messages behind is cut off, and may connect again."""
REFUSED, TOO_MANY = 4403, 4429
"""The codes with which a connection is closed for good, and for a while."""

routes = APIRouter()


class Hello(models.Input):
    """Who connects."""

    type: Literal["hello"]
    key: str = Field(max_length=100)


class Numbered(models.Submission):
    """A command, with a number that its answer repeats."""

    type: Literal["command"]
    id: int = Field(ge=0, lt=1 << 53)


class Ping(models.Input):
    """A sign of life."""

    type: Literal["ping"]


_hello = TypeAdapter(Hello)
_said: TypeAdapter[Numbered | Ping] = TypeAdapter(
    Annotated[Numbered | Ping, Field(discriminator="type")]
)


class Connection:
    """A listener at the other end of a WebSocket."""

    def __init__(self, socket: WebSocket, seats: int) -> None:
        self._socket = socket
        self.seats = seats
        self._waiting: asyncio.Queue[str] = asyncio.Queue()
        self._sender = asyncio.create_task(self._send_all())
        self.dismissed = False

    def tell(self, message: str) -> None:
        """Send a message soon; whoever is too slow is cut off."""
        if self._waiting.qsize() < MOST_WAITING:
            self._waiting.put_nowait(message)
        else:
            self.dismiss()

    def dismiss(self) -> None:
        """Cut the connection; whoever holds a key that still opens the match may connect again."""
        self.dismissed = True
        self._sender.cancel()

    async def _send_all(self) -> None:
        with suppress(WebSocketDisconnect, RuntimeError):
            try:
                while True:
                    await self._socket.send_text(await self._waiting.get())
            except asyncio.CancelledError:
                await self._socket.close(1013)

    async def close(self) -> None:
        """Send nothing more."""
        self._sender.cancel()
        with suppress(asyncio.CancelledError):
            await self._sender


@routes.websocket("/api/matches/{id}/live")
async def live(
    socket: WebSocket,
    id: MatchId,  # noqa: A002
) -> None:
    """Tell of a match as it goes on."""
    server: Server = socket.app.state.server
    if not is_same_origin(socket.headers):
        await socket.close(REFUSED, "Only pages of this server may connect.")
        return
    await socket.accept()
    if not server.connecting.allows(address_of(socket.client)):
        await socket.close(TOO_MANY, "Too many connections from your address; wait a minute.")
        return
    with suppress(WebSocketDisconnect, RuntimeError):
        who = await _welcomed(socket, server, id)
        if who is not None:
            await _serve(socket, server, who)


async def _welcomed(socket: WebSocket, server: Server, match_id: str) -> Caller | None:
    try:
        async with asyncio.timeout(SECONDS_TO_SAY_HELLO):
            hello = _hello.validate_json(await socket.receive_text())
    except (TimeoutError, ValidationError, KeyError):
        await socket.close(REFUSED, 'The first message is {"type": "hello", "key": "..."}.')
        return None
    seats = await server.hub.seats_of(match_id, hash_of(hello.key))
    found = await server.hub.find(match_id) if seats is not None else None
    if seats is None or found is None:
        await socket.close(REFUSED, "This key opens no match of that name.")
        return None
    return Caller(found, seats)


async def _serve(socket: WebSocket, server: Server, who: Caller) -> None:
    connection = Connection(socket, who.seats)
    presence = server.hub.presence(who.live)
    seats = [seat for seat in (1, 2) if who.seats & seat]
    connection.tell(
        f'{{"type":"welcome","seats":{dumps(seats)},"match":{who.live.view},'
        f'"presence":{dumps(presence)}}}'
    )
    await server.hub.enter(who.live, connection)
    try:
        while not connection.dismissed:
            text = await socket.receive_text()
            if not connection.dismissed:
                await _answer(connection, server, who, text)
    except KeyError:  # they sent bytes
        await socket.close(REFUSED, "Messages are texts.")
    finally:
        await server.hub.leave(who.live, connection)
        await connection.close()


async def _answer(connection: Connection, server: Server, who: Caller, text: str) -> None:
    try:
        said = _said.validate_json(text)
    except ValidationError as error:
        problem = error.errors(include_input=False)[0]["msg"]
        connection.tell(dumps({"type": "error", "reason": f"This is no message: {problem}."}))
        return
    if isinstance(said, Ping):
        connection.tell('{"type":"pong"}')
        return
    answer = {"id": said.id}
    if not who.seats:
        connection.tell(dumps(_refusal(answer, who, "Whoever watches can do nothing else.")))
        return
    try:
        outcome = await carry_out(server.hub, who, said)
    except DuelError as error:
        connection.tell(dumps(_refusal(answer, who, str(error))))
        return
    if outcome.refused:
        connection.tell(dumps(_refusal(answer, who, outcome.refused, asks=outcome.asks)))
    else:
        connection.tell(dumps({"type": "done", **answer, "version": who.live.room.version}))


def _refusal(
    answer: dict[str, int], who: Caller, reason: str, *, asks: bool = False
) -> dict[str, object]:
    version = who.live.room.version
    return {"type": "refused", **answer, "reason": reason, "version": version, "asks": asks}
