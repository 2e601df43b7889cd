"""The WebSocket API: whoever listens is told what happens, and may play."""

import asyncio
from contextlib import suppress
from typing import Annotated, Literal

from fastapi import APIRouter, WebSocket, WebSocketDisconnect
from pydantic import Field, TypeAdapter, ValidationError
from sqlalchemy.exc import SQLAlchemyError

from divisorduel.rules.errors import DuelError
from divisorduel.web.dependencies import Caller, MatchId, Services, address_of
from divisorduel.web.live.batch_writer import UNREACHABLE
from divisorduel.web.live.commands import carry_out
from divisorduel.web.live.live_match import dumps, seats_in
from divisorduel.web.schemas import requests
from divisorduel.web.security import hash_of, is_same_origin

SECONDS_TO_SAY_HELLO = 10.0
MOST_WAITING = 200
"""Whoever is so many messages behind is cut off, and may connect again."""
SECONDS_TO_PART = 1.0
REFUSED, TOO_MANY, TRY_AGAIN = 4403, 4429, 1013
"""The codes with which a connection is closed for good, for a while, and just for now."""

routes = APIRouter()


class Hello(requests.Input):
    """Who connects."""

    type: Literal["hello"]
    key: str = Field(max_length=100)


class Numbered(requests.Submission):
    """A command, with a number that its answer repeats."""

    type: Literal["command"]
    id: int = Field(ge=0, lt=1 << 53)


class Ping(requests.Input):
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
        self.dismissed = asyncio.Event()

    def tell(self, message: str) -> None:
        """Send a message soon; whoever is too slow is cut off."""
        if self._waiting.qsize() < MOST_WAITING:
            self._waiting.put_nowait(message)
        else:
            self.dismissed.set()

    def dismiss(self) -> None:
        """Cut the connection; whoever holds a key that still opens the match may connect again."""
        self.dismissed.set()

    async def _send_all(self) -> None:
        with suppress(WebSocketDisconnect, RuntimeError):
            while True:
                await self._socket.send_text(await self._waiting.get())

    async def close(self) -> None:
        """Send nothing more, but a parting word to whoever was dismissed and still listens."""
        self._sender.cancel()
        with suppress(asyncio.CancelledError):
            await self._sender
        if self.dismissed.is_set():
            with suppress(WebSocketDisconnect, RuntimeError, TimeoutError):
                async with asyncio.timeout(SECONDS_TO_PART):
                    await self._socket.close(TRY_AGAIN)


@routes.websocket("/api/matches/{id}/live")
async def live(
    socket: WebSocket,
    id: MatchId,  # noqa: A002
) -> None:
    """Tell of a match as it goes on."""
    server: Services = socket.app.state.server
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


async def _welcomed(socket: WebSocket, server: Services, match_id: str) -> Caller | None:
    try:
        async with asyncio.timeout(SECONDS_TO_SAY_HELLO):
            hello = _hello.validate_json(await socket.receive_text())
    except (TimeoutError, ValidationError, KeyError):
        await socket.close(REFUSED, 'The first message is {"type": "hello", "key": "..."}.')
        return None
    try:
        found = await server.hub.authorize(match_id, hash_of(hello.key))
    except SQLAlchemyError:
        await socket.close(TRY_AGAIN, UNREACHABLE)
        return None
    if found is None:
        await socket.close(REFUSED, "This key opens no match of that name.")
        return None
    return Caller(*found)


async def _serve(socket: WebSocket, server: Services, who: Caller) -> None:
    connection = Connection(socket, who.seats)
    attendance = server.hub.attendance
    presence = attendance.presence(who.live, entering=who.seats)
    connection.tell(
        f'{{"type":"welcome","seats":{dumps(seats_in(who.seats))},"match":{who.live.view},'
        f'"presence":{dumps(presence)}}}'
    )
    attendance.enter(who.live, connection)
    tasks = [
        asyncio.create_task(_converse(socket, connection, server, who)),
        asyncio.create_task(connection.dismissed.wait()),
    ]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        attendance.leave(who.live, connection)
        await connection.close()


async def _converse(
    socket: WebSocket, connection: Connection, server: Services, who: Caller
) -> None:
    """Answer what is said, until they go."""
    while True:
        try:
            text = await socket.receive_text()
        except KeyError:  # they sent bytes
            await socket.close(REFUSED, "Messages are texts.")
            return
        if connection.dismissed.is_set():
            return
        # What they asked for is carried through, though they may be dismissed meanwhile.
        await asyncio.shield(asyncio.create_task(_answer(connection, server, who, text)))


async def _answer(connection: Connection, server: Services, who: Caller, text: str) -> None:
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
        outcome = await carry_out(server, who, said)
    except DuelError as error:
        connection.tell(dumps(_refusal(answer, who, str(error))))
        return
    except SQLAlchemyError:
        connection.tell(dumps(_refusal(answer, who, UNREACHABLE)))
        return
    if outcome.refused:
        connection.tell(dumps(_refusal(answer, who, outcome.refused, asks=outcome.asks)))
    else:
        connection.tell(dumps({"type": "done", **answer, "version": who.live.match.version}))


def _refusal(
    answer: dict[str, int], who: Caller, reason: str, *, asks: bool = False
) -> dict[str, object]:
    version = who.live.match.version
    return {"type": "refused", **answer, "reason": reason, "version": version, "asks": asks}
