"""The WebSocket route, over which clients follow a match and play it."""

import asyncio
import logging
from collections import deque
from contextlib import suppress
from functools import partial

from fastapi import APIRouter, WebSocket, WebSocketDisconnect
from pydantic import ValidationError
from sqlalchemy.exc import SQLAlchemyError

from divisorduel.play.decide import Decision
from divisorduel.store.rooms import UnreadableMatch
from divisorduel.web.dependencies import (
    Caller,
    MatchId,
    address_of,
    check_player,
    count_command,
    start_move,
    submit,
)
from divisorduel.web.live.live_match import seats_in
from divisorduel.web.protocols.direct_socket import DirectSocket
from divisorduel.web.schemas import messages
from divisorduel.web.schemas.asyncapi import CHANNEL
from divisorduel.web.schemas.problems import ERRORS, CommandRefused, answer_to, problem
from divisorduel.web.security import hash_of, is_same_origin
from divisorduel.web.services import Services
from divisorduel.web.solving.fair_queue import ServerBusy

SECONDS_TO_SAY_HELLO = 10.0
MOST_UNREAD = 20
"""How many messages of a client may wait; then no more are read."""
SECONDS_TO_CLOSE = 1.0
REFUSED, TOO_MANY, TRY_AGAIN = 4403, 4429, 1013
"""Close codes: do not connect again, connect again in a minute, connect again right away."""
PONG = messages.PongMessage().model_dump_json()

log = logging.getLogger("divisorduel")
routes = APIRouter()


class WebSocketListener:
    """A listener at the other end of a WebSocket. Its messages are answered one after the other."""

    def __init__(self, direct: DirectSocket, services: Services, who: Caller) -> None:
        self._direct, self._services, self._who = direct, services, who
        self._loop = asyncio.get_running_loop()
        self.seats = who.seats
        self.ended: asyncio.Future[tuple[int, str] | None] = self._loop.create_future()
        """Done when the client has left (None), or with the code and reason to close with."""
        self._address = who.address or f"connection {id(self)}"
        self._unread: deque[str | None] = deque()
        self._is_answering = self._is_waiting = False
        self._task: asyncio.Task[None] | None = None
        """Carries out a command that may have to wait."""

    def tell(self, message: str) -> None:
        """Send a message. A client that does not read is disconnected."""
        self._direct.send_now(message)

    def dismiss(self) -> None:
        """Close the connection. A client whose key is still valid may connect again."""
        self.end((TRY_AGAIN, ""))

    def end(self, how: tuple[int, str] | None = None) -> None:
        """Answer no more messages. A command in progress is still carried out."""
        if not self.ended.done():
            self.ended.set_result(how)

    def receive(self, text: str | None) -> None:
        """Answer a message, after those that came before it and when it is the address's turn."""
        self._unread.append(text)
        if len(self._unread) >= MOST_UNREAD:
            self._direct.pause()
        if not self._is_waiting:
            self._answer_unread()

    def _answer_unread(self) -> None:
        self._is_waiting = False
        turns = self._services.turns
        while self._unread and not self._is_answering and not self.ended.done():
            if not turns.take(self._address):
                self._is_waiting = True
                turns.wait(self._address, self._answer_unread)
                return
            self._answer(self._unread.popleft())
        if len(self._unread) < MOST_UNREAD:
            self._direct.resume()

    def _answer(self, text: str | None) -> None:
        if text is None:
            self.end((REFUSED, problem("binary-message").reason))
            return
        if len(text) > messages.LONGEST:
            self._complain(f"it has more than {messages.LONGEST:,} characters")
            return
        try:
            said = messages.read_message(text)
        except ValidationError as error:
            self._complain(error.errors(include_input=False)[0]["msg"])
            return
        if isinstance(said, messages.CommandMessage):
            self._carry_out(said)
        elif isinstance(said, messages.SyncMessage):
            self.welcome()
        else:
            self.tell(PONG)

    def _complain(self, what: str) -> None:
        wrong = problem("invalid-message", problem=what)
        self.tell(messages.ErrorMessage(**wrong.model_dump()).model_dump_json())

    def welcome(self) -> None:
        """Send the whole match."""
        live, seats = self._who.live, seats_in(self.seats)
        shown = self._services.hub.presence.of(live, connecting=self.seats)
        self.tell(messages.WelcomeMessage.text(seats, live.view, shown))

    def _carry_out(self, said: messages.CommandMessage) -> None:
        """Begin to carry out a command: a move at once, anything else in a task."""
        try:
            check_player(self._who)
            count_command(self._services, self._who)
        except ERRORS as error:
            self._refuse(said, error)
            return
        self._is_answering = True
        then = partial(self._finish, said)
        if not start_move(self._services, self._who, said, self, then):
            self._task = self._loop.create_task(self._submit(said))

    async def _submit(self, said: messages.CommandMessage) -> None:
        outcome: Decision | Exception
        try:
            outcome = await submit(self._services, self._who, said)
        except Exception as error:
            outcome = error
        self._finish(said, outcome, None)

    def _finish(
        self, said: messages.CommandMessage, outcome: Decision | Exception, step: str | None
    ) -> None:
        """Answer a command, after the step that it has caused if that was not sent before."""
        if isinstance(outcome, Decision) and outcome.refusal is not None:
            outcome = CommandRefused(self._who.live.match, outcome.refusal)
        if isinstance(outcome, Decision):
            done = messages.DoneMessage.text(said.id, outcome.match.version)
            self._direct.send_now(*([step, done] if step else [done]))
        elif isinstance(outcome, ERRORS):
            self._refuse(said, outcome)
        else:
            log.error("A command failed.", exc_info=outcome)
            self.dismiss()
        self._is_answering = False
        if not self._is_waiting:
            self._answer_unread()

    def _refuse(self, said: messages.CommandMessage, error: Exception) -> None:
        _, refused = answer_to(error)
        about = {"version": self._who.live.match.version, "asks": False, **refused.model_dump()}
        self.tell(messages.RefusedMessage(id=said.id, **about).model_dump_json())


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
    address = address_of(socket.client)
    hashed = hash_of(hello.key)
    await services.turns.turn(address)
    try:
        found = await services.hub.authorize(match_id, hashed, address)
    except UnreadableMatch as error:
        await socket.close(REFUSED, str(error))
        return None
    except SQLAlchemyError:
        await socket.close(TRY_AGAIN, problem("database-unavailable").reason)
        return None
    except ServerBusy as error:
        await socket.close(TRY_AGAIN, str(error))
        return None
    if found is None:
        await socket.close(REFUSED, problem("key-invalid").reason)
        return None
    return Caller(*found, address, hashed)


async def _serve(socket: WebSocket, services: Services, who: Caller) -> None:
    """Let a client play and listen until it leaves."""
    direct, presence = DirectSocket.of(socket), services.hub.presence
    connection = WebSocketListener(direct, services, who)
    connection.welcome()
    presence.connect(who.live, connection)
    direct.take_over(connection.receive, connection.end)
    try:
        closing = await connection.ended
    finally:
        presence.disconnect(who.live, connection)
    if closing is not None:
        with suppress(TimeoutError):
            async with asyncio.timeout(SECONDS_TO_CLOSE):
                await socket.close(*closing)
