"""A player or spectator of a match on a server: follows it, sends commands, reconnects by itself.

If the connection is lost before a command is answered, the command is sent again, but only if the
match is still at the version that the command was made for. Otherwise the command was carried out
or is out of date. So no move is lost, and none is made twice.
"""

import asyncio
import json
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from itertools import count
from random import Random
from types import TracebackType
from typing import Self

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus, WebSocketException

from divisorduel.client import server_messages
from divisorduel.client.client_error import ClientError, not_a_server
from divisorduel.client.http_api import MOST_BYTES, Admission
from divisorduel.client.remote_match import (
    AppliedEvents,
    OutOfStep,
    events_between,
    follow,
    match_of,
)
from divisorduel.client.server_messages import Presence
from divisorduel.play.commands import Command
from divisorduel.play.match import Match, other

FIRST_WAIT, LONGEST_WAIT = 0.3, 5.0
"""How many seconds a client waits before it connects again, at first and at most."""
A_MINUTE = 60.0
"""How long it waits if it has connected too often."""
LONGEST_SILENCE = 10.0
"""How long it waits for an answer before it gives up on a connection."""
PING_EVERY = 15.0
MOST_UNREAD = 1_000
"""How many updates wait to be read; beyond that, the oldest are dropped."""
REFUSED, TOO_MANY, TOO_BIG = 4403, 4429, 1009
"""Close codes: do not connect again, connect again in a minute, a message was too long."""
GONE = "This link is no longer valid. Ask for a new one."


# --- what a client learns


@dataclass(frozen=True, slots=True)
class Connected:
    """The client is connected, for the first time or again."""

    match: Match
    applied: AppliedEvents = ()
    """What happened in the meantime, as far as it is known."""
    has_changed: bool = True
    """Whether the match has changed since the client last saw it."""


@dataclass(frozen=True, slots=True)
class ConnectionLost:
    """The connection is lost; the client tries to connect again."""


@dataclass(frozen=True, slots=True)
class MatchAdvanced:
    """Something happened in the match: the events, each with the match after it."""

    applied: AppliedEvents


@dataclass(frozen=True, slots=True)
class PresenceChanged:
    """A player or a spectator has connected or left."""

    before: Presence
    presence: Presence


@dataclass(frozen=True, slots=True)
class NoticeReceived:
    """The server has something to say to the players."""

    text: str


Update = Connected | ConnectionLost | MatchAdvanced | PresenceChanged | NoticeReceived


# --- how a command is answered


@dataclass(frozen=True, slots=True)
class CommandDone:
    """The command was carried out and saved."""


@dataclass(frozen=True, slots=True)
class Refused:
    """The command was refused."""

    code: str
    reason: str
    asks: bool = False
    """Whether the command is accepted with ``sure=True``."""


@dataclass(frozen=True, slots=True)
class MatchChanged:
    """The connection was lost, and the match has changed: look at it, then decide."""


CommandAnswer = CommandDone | Refused | MatchChanged


@dataclass(slots=True)
class _Pending:
    """A command that has not been answered."""

    id: int
    version: int
    text: str
    answer: "asyncio.Future[CommandAnswer]"
    times_sent: int = 0


class _DirectConnect(connect):
    """Opens a connection, but follows no redirection, which would show the key to others."""

    def process_redirect(self, exc: Exception) -> Exception | str:
        """Refuse to go elsewhere."""
        return exc


class MatchClient:
    """A connection to a match. Use it as an asynchronous context manager.

    `updates` yields what happens, and `send` sends a command. Both wait across lost connections.
    """

    def __init__(
        self,
        admission: Admission,
        *,
        rng: Random | None = None,
        sleep: Callable[[float], Awaitable[object]] = asyncio.sleep,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Set up a client; `rng` spreads the attempts to connect again, `sleep` waits for them."""
        self.link = admission.link
        self.is_connected = False
        self.match = admission.match
        """The match as the server last sent it."""
        self.seats = admission.seats
        """The seats that the client plays for; none for a spectator."""
        self.hints = admission.hints
        """Whether the players agreed on hints."""
        self.presence: Presence | None = None
        """Who is connected, once that is known."""
        self._rng = rng or Random()  # noqa: S311  # not a secret
        self._sleep = sleep
        self._clock, self._presence_at = clock, clock()
        self._updates: asyncio.Queue[Update | Exception] = asyncio.Queue()
        self._pending: _Pending | None = None
        self._one_at_a_time = asyncio.Lock()
        self._ids = count(1)
        self._socket: ClientConnection | None = None
        self._task: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        self._task = asyncio.create_task(self._stay_connected())
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, _: BaseException | None, __: TracebackType | None
    ) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait([self._task])

    @property
    def is_my_turn(self) -> bool:
        """Whether the match waits for a move of this client."""
        return self.match.state == "playing" and self.match.current.to_move in self.seats

    @property
    def claim_in(self) -> float | None:
        """In how many seconds this client may claim the win; None if its opponent is present."""
        if self.presence is None or len(self.seats) != 1 or not self.match.apart:
            return None
        away = self.presence.away[other(self.seats[0]) - 1]
        if away is None:
            return None
        return max(0.0, self.presence.claim_after - away - (self._clock() - self._presence_at))

    def note_presence(self, presence: Presence) -> None:
        """Note who is connected, and when that was known."""
        self.presence, self._presence_at = presence, self._clock()

    def _tell(self, update: Update | Exception) -> None:
        if self._updates.qsize() >= MOST_UNREAD:
            self._updates.get_nowait()
        self._updates.put_nowait(update)

    async def updates(self) -> AsyncIterator[Update]:
        """Yield what happens, for as long as the match can be followed. Raises `ClientError`."""
        while True:
            update = await self._updates.get()
            if isinstance(update, Exception):
                raise update
            yield update

    async def send(
        self, command: Command, *, sure: bool = False, version: int | None = None
    ) -> CommandAnswer:
        """Send a command for a version of the match, by default the latest; return the answer.

        It waits as long as the server cannot be reached. `sure` takes a number even if that loses.
        Raises `ClientError` if the match cannot be followed any more.
        """
        version = self.match.version if version is None else version
        async with self._one_at_a_time:
            number, made = next(self._ids), server_messages.command_to_json(command, sure=sure)
            text = {"type": "command", "id": number, "version": version, "command": made}
            answer: asyncio.Future[CommandAnswer] = asyncio.get_running_loop().create_future()
            self._pending = _Pending(number, version, json.dumps(text), answer)
            try:
                await self._transmit()
                return await answer
            finally:
                self._pending = None

    async def _transmit(self) -> None:
        """Send the pending command, if there is a connection. If it fails, it is sent again."""
        if self._socket is not None and self._pending is not None:
            self._pending.times_sent += 1
            await self._say(self._pending.text)

    async def _say(self, text: str) -> None:
        if self._socket is not None:
            try:
                await self._socket.send(text)
            except ConnectionClosed:
                return  # the reader notices

    async def _stay_connected(self) -> None:
        wait = FIRST_WAIT
        try:
            while True:
                least = await self._follow_once()
                if self.is_connected:
                    wait = FIRST_WAIT
                self._socket, self.is_connected = None, False
                if wait == FIRST_WAIT:  # otherwise it was lost before
                    self._tell(ConnectionLost())
                # With jitter, so that the clients do not all connect at once.
                await self._sleep(max(least, wait * (0.5 + self._rng.random())))
                wait = min(2 * wait, LONGEST_WAIT)
        except Exception as error:  # it is raised where the updates are awaited
            self._fail(error)

    def _fail(self, error: Exception) -> None:
        self._tell(error)
        if self._pending is not None and not self._pending.answer.done():
            self._pending.answer.set_exception(error)

    async def _follow_once(self) -> float:
        """Connect, and receive messages until the connection is lost.

        Return how many seconds to wait at least. Raises `ClientError` if it makes no sense to
        connect again.
        """
        link = self.link
        address = f"{link.server.replace('http', 'ws', 1)}/api/matches/{link.match_id}/live"
        try:
            socket = await _DirectConnect(
                address,
                open_timeout=LONGEST_SILENCE,
                ping_interval=PING_EVERY,
                ping_timeout=LONGEST_SILENCE,
                close_timeout=1,
                max_size=MOST_BYTES,
            )
            try:
                await socket.send(json.dumps({"type": "hello", "key": link.key}))
                async with asyncio.timeout(LONGEST_SILENCE):
                    first = await socket.recv()
                await self._receive(first, socket)
                async for text in socket:
                    await self._receive(text, socket)
            finally:
                try:
                    await socket.close()
                finally:
                    socket.transport.abort()  # even if closing was cancelled
        except ConnectionClosed as error:
            return self._after_close(error)
        except InvalidStatus as error:
            if error.response.status_code in (403, 404):
                raise ClientError(GONE, "key-invalid") from None
            return A_MINUTE if error.response.status_code == 429 else 0.0
        except (OSError, WebSocketException):  # a timeout is an OSError
            return 0.0
        return 0.0

    def _after_close(self, error: ConnectionClosed) -> float:
        if error.sent is not None and error.sent.code == TOO_BIG:
            raise not_a_server(self.link.server)
        if error.rcvd is not None and error.rcvd.code == REFUSED:
            raise ClientError(error.rcvd.reason or GONE, "key-invalid")
        return A_MINUTE if error.rcvd is not None and error.rcvd.code == TOO_MANY else 0.0

    async def _receive(self, text: str | bytes, socket: ClientConnection) -> None:
        try:
            message = server_messages.read_message(text)
        except (ValueError, RecursionError):
            raise not_a_server(self.link.server) from None
        match message:
            case server_messages.Welcome():
                await self._welcome(message, socket)
            case server_messages.SentStep():
                await self._step(message)
            case server_messages.PresenceChange(presence):
                before = self.presence or presence
                self.note_presence(presence)
                self._tell(PresenceChanged(before, presence))
            case server_messages.Done(number):
                self._settle(number, CommandDone())
            case server_messages.SentRefusal(number, code, reason, asks):
                self._settle(number, Refused(code, reason, asks))
            case server_messages.Complaint(code, reason):
                if self._pending is not None:
                    self._settle(self._pending.id, Refused(code, reason))
            case server_messages.Notice(said):
                self._tell(NoticeReceived(said))

    async def _welcome(self, welcome: server_messages.Welcome, socket: ClientConnection) -> None:
        before = self.match
        match = match_of(welcome.match, before.game, before.start, self.link.server)
        is_new_connection = not self.is_connected
        self.match = match
        self.note_presence(welcome.presence)
        self.seats, self.hints = welcome.seats, welcome.match.hints
        self._socket, self.is_connected = socket, True
        has_changed = before.version != match.version
        applied = events_between(before, match) if has_changed else ()
        self._tell(Connected(match, applied, has_changed))
        if self._pending is not None and is_new_connection:
            if self._pending.version == match.version:
                await self._transmit()
            else:
                self._settle(self._pending.id, MatchChanged())

    async def _step(self, step: server_messages.SentStep) -> None:
        if step.version <= self.match.version:
            return
        try:
            applied = follow(self.match, step.events, step.version)
        except OutOfStep:
            await self._say('{"type": "sync"}')
            return
        except ValueError:
            raise not_a_server(self.link.server) from None
        self.match = applied[-1][1] if applied else self.match.at_next_version()
        self._tell(MatchAdvanced(applied))

    def _settle(self, number: int, answer: CommandAnswer) -> None:
        pending = self._pending
        if pending is None or pending.id != number or pending.answer.done():
            return
        is_stale = isinstance(answer, Refused) and answer.code == "stale-version"
        # If it was sent twice, it may have been carried out the first time.
        pending.answer.set_result(MatchChanged() if is_stale and pending.times_sent > 1 else answer)
