"""The WebSocket route, over which clients follow a match and play it."""

import asyncio
from contextlib import suppress

from fastapi import APIRouter, WebSocket, WebSocketDisconnect
from pydantic import BaseModel, ValidationError
from sqlalchemy.exc import SQLAlchemyError

from divisorduel.web.dependencies import Caller, MatchId, address_of, carry_out, player
from divisorduel.web.live.live_match import seats_in
from divisorduel.web.schemas import messages
from divisorduel.web.schemas.asyncapi import CHANNEL
from divisorduel.web.schemas.problems import ERRORS, answer_to, problem
from divisorduel.web.security import hash_of, is_same_origin
from divisorduel.web.services import Services

SECONDS_TO_SAY_HELLO = 10.0
MOST_WAITING = 200
"""A client that is this many messages behind is disconnected. It may connect again."""
SECONDS_TO_CLOSE = 1.0
REFUSED, TOO_MANY, TRY_AGAIN = 4403, 4429, 1013
"""Close codes: do not connect again, connect again in a minute, connect again right away."""
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
            self.dismiss()

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


@routes.websocket(CHANNEL)
async def live(socket: WebSocket, id: MatchId) -> None:  # noqa: A002
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
    """Return the caller who says hello, or close the connection and return None."""
    try:
        async with asyncio.timeout(SECONDS_TO_SAY_HELLO):
            hello = messages.HelloMessage.model_validate_json(await socket.receive_text())
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
    connection, presence = Connection(socket, who.seats), services.hub.presence
    shown = presence.of(who.live, connecting=who.seats)
    connection.tell(messages.WelcomeMessage.text(seats_in(who.seats), who.live.view, shown))
    presence.connect(who.live, connection)
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
        presence.disconnect(who.live, connection)
        await connection.close()


async def _receive_all(
    socket: WebSocket, connection: Connection, services: Services, who: Caller
) -> None:
    """Answer messages until the client leaves."""
    while True:
        try:
            text = await socket.receive_text()
        except KeyError:  # the client sent bytes
            await socket.close(REFUSED, problem("binary-message").reason)
            return
        if connection.dismissed.is_set():
            return
        # A command is carried out even if the client is dismissed in the meantime.
        await asyncio.shield(asyncio.create_task(_answer(connection, services, who, text)))


async def _answer(connection: Connection, services: Services, who: Caller, text: str) -> None:
    answer: BaseModel
    try:
        said = messages.read_message(text)
    except ValidationError as error:
        wrong = problem("invalid-message", problem=error.errors(include_input=False)[0]["msg"])
        answer = messages.ErrorMessage(**wrong.model_dump())
    else:
        if isinstance(said, messages.PingMessage):
            answer = messages.PongMessage()
        else:
            answer = await _carry_out(services, who, said)
    connection.tell(answer.model_dump_json())


async def _carry_out(
    services: Services, who: Caller, said: messages.CommandMessage
) -> messages.DoneMessage | messages.RefusedMessage:
    try:
        await carry_out(services, await player(who), said)
    except ERRORS as error:
        _, refused = answer_to(error)
        about = {"version": who.live.match.version, "asks": False, **refused.model_dump()}
        return messages.RefusedMessage(id=said.id, **about)
    return messages.DoneMessage(id=said.id, version=who.live.match.version)
