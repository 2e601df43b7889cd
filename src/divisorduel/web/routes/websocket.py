"""The WebSocket route: clients follow a match and play it."""

import asyncio
from contextlib import suppress

from fastapi import APIRouter, WebSocket, WebSocketDisconnect
from pydantic import ValidationError
from sqlalchemy.exc import SQLAlchemyError

from divisorduel.rules.errors import DuelError
from divisorduel.web.dependencies import Caller, MatchId, address_of
from divisorduel.web.live.commands import carry_out
from divisorduel.web.live.live_match import seats_in
from divisorduel.web.schemas import messages
from divisorduel.web.schemas.problems import CommandRefused, problem, problem_of
from divisorduel.web.security import hash_of, is_same_origin
from divisorduel.web.services import Services

SECONDS_TO_SAY_HELLO = 10.0
MOST_WAITING = 200
"""A client this many messages behind is disconnected. It may connect again."""
SECONDS_TO_CLOSE = 1.0
REFUSED, TOO_MANY, TRY_AGAIN = 4403, 4429, 1013
"""The codes with which a connection is closed for good, for a minute, and for a moment."""

routes = APIRouter()


class Connection:
    """A listener at the other end of a WebSocket."""

    def __init__(self, socket: WebSocket, seats: int) -> None:
        self._socket = socket
        self.seats = seats
        self._waiting: asyncio.Queue[str] = asyncio.Queue()
        self._sender = asyncio.create_task(self._send_all())
        self.dismissed = asyncio.Event()

    def tell(self, message: str) -> None:
        """Send a message soon. A client that is too slow is disconnected."""
        if self._waiting.qsize() < MOST_WAITING:
            self._waiting.put_nowait(message)
        else:
            self.dismissed.set()

    def dismiss(self) -> None:
        """Close the connection. A client whose key is still valid may connect again."""
        self.dismissed.set()

    async def _send_all(self) -> None:
        with suppress(WebSocketDisconnect, RuntimeError):
            while True:
                await self._socket.send_text(await self._waiting.get())

    async def close(self) -> None:
        """Stop sending, and close the socket of a client that was dismissed."""
        self._sender.cancel()
        with suppress(asyncio.CancelledError):
            await self._sender
        if self.dismissed.is_set():
            with suppress(WebSocketDisconnect, RuntimeError, TimeoutError):
                async with asyncio.timeout(SECONDS_TO_CLOSE):
                    await self._socket.close(TRY_AGAIN)


@routes.websocket("/api/matches/{id}/live")
async def live(
    socket: WebSocket,
    id: MatchId,  # noqa: A002
) -> None:
    """Follow a match and play it, as `/asyncapi.json` describes."""
    services: Services = socket.app.state.services
    if not is_same_origin(socket.headers):
        await socket.close(REFUSED, problem("wrong-origin").reason)
        return
    await socket.accept()
    if not services.connection_limit.allows(address_of(socket.client)):
        await socket.close(TOO_MANY, problem("too-many-requests", what="connections").reason)
        return
    with suppress(WebSocketDisconnect, RuntimeError):
        who = await _identify(socket, services, id)
        if who is not None:
            await _serve(socket, services, who)


async def _identify(socket: WebSocket, services: Services, match_id: str) -> Caller | None:
    """Return who says hello. Close the connection and return None if it is not allowed."""
    try:
        async with asyncio.timeout(SECONDS_TO_SAY_HELLO):
            hello = messages.read_hello(await socket.receive_text())
    except (TimeoutError, ValidationError, KeyError):
        await socket.close(REFUSED, problem("hello-expected").reason)
        return None
    try:
        found = await services.hub.authorize(match_id, hash_of(hello.key))
    except SQLAlchemyError:
        await socket.close(TRY_AGAIN, problem("database-unavailable").reason)
        return None
    if found is None:
        await socket.close(REFUSED, problem("key-invalid").reason)
        return None
    return Caller(*found)


async def _serve(socket: WebSocket, services: Services, who: Caller) -> None:
    connection = Connection(socket, who.seats)
    attendance = services.hub.attendance
    presence = attendance.presence(who.live, connecting=who.seats)
    connection.tell(messages.WelcomeMessage.text(seats_in(who.seats), who.live.view, presence))
    attendance.connect(who.live, connection)
    tasks = [
        asyncio.create_task(_receive_all(socket, connection, services, who)),
        asyncio.create_task(connection.dismissed.wait()),
    ]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        attendance.disconnect(who.live, connection)
        await connection.close()


async def _receive_all(
    socket: WebSocket, connection: Connection, services: Services, who: Caller
) -> None:
    """Answer messages until the client leaves."""
    while True:
        try:
            text = await socket.receive_text()
        except KeyError:  # it sent bytes
            await socket.close(REFUSED, problem("binary-message").reason)
            return
        if connection.dismissed.is_set():
            return
        # A command is carried through even if the client is dismissed meanwhile.
        await asyncio.shield(asyncio.create_task(_answer(connection, services, who, text)))


async def _answer(connection: Connection, services: Services, who: Caller, text: str) -> None:
    try:
        said = messages.read_message(text)
    except ValidationError as error:
        told = problem("invalid-message", problem=error.errors(include_input=False)[0]["msg"])
        connection.tell(messages.ErrorMessage(**told.model_dump()).model_dump_json())
        return
    if isinstance(said, messages.PingMessage):
        connection.tell(messages.PongMessage().model_dump_json())
        return
    connection.tell(await _answer_to_command(services, who, said))


async def _answer_to_command(services: Services, who: Caller, said: messages.CommandMessage) -> str:
    if not who.seats:
        return messages.RefusedMessage.text(said.id, who.live.match.version, problem("spectator"))
    try:
        await carry_out(services, who, said)
    except CommandRefused as error:
        told = error.problem
    except DuelError as error:
        told = problem_of(error)
    except SQLAlchemyError:
        told = problem("database-unavailable")
    else:
        return messages.DoneMessage(id=said.id, version=who.live.match.version).model_dump_json()
    return messages.RefusedMessage.text(said.id, who.live.match.version, told)
