"""uvicorn's WebSocket, with limits on what a client may send and leave unread."""

import asyncio
from collections import deque
from typing import Any

from uvicorn.config import Config
from websockets.frames import Frame

from divisorduel.web.connections import OpenConnections
from divisorduel.web.protocols.direct_socket import DirectSocket
from divisorduel.web.protocols.raw_answers import rejection
from divisorduel.web.protocols.unread_timer import UnreadTimer
from divisorduel.web.schemas.problems import problem

PARSED_AT_ONCE = 1_000
"""After how many bytes from a WebSocket its frames are counted, and others have their turn."""
MOST_FRAGMENTS = 1_000
"""How many fragments a message may have."""
TOO_MANY = 4429
"""The code with which a WebSocket is closed for a minute."""


class LimitedWebSocket(DirectSocket):
    """A WebSocket, which has taken the place of an HTTP connection."""

    def __init__(
        self,
        config: Config,
        server_state: OpenConnections,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self._open = server_state
        self._unread = UnreadTimer(server_state.settings.unread_seconds)
        self._network = self._own = ""
        self._unparsed: deque[bytes] = deque()
        self.conn.reject = rejection  # type: ignore[method-assign]

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Count the WebSocket among the open connections."""
        super().connection_made(transport)
        # Read nothing before the application has begun: uvicorn cannot close before that.
        self.read_paused = True
        self.transport.pause_reading()
        host, port = self.client or ("", 0)
        self._network, self._own = self._open.network_of(host), f"{host} {port}"
        self._open.enter(self, self._network)

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop counting it, and free what it has sent: garbage is collected rarely."""
        self._open.leave(self)
        super().connection_lost(exc)
        self._unparsed.clear()
        self.conn.events_received()
        self.frames = []

    def give_way(self) -> None:
        """Close at once."""
        self.transport.abort()

    def check(self, now: float) -> None:
        """Close if the client does not read."""
        self._unread.check(self.transport, now)

    def data_received(self, data: bytes) -> None:
        """Parse bit by bit what has arrived, while it is the turn of the address."""
        if not self._network:
            self._network = self._reported_network()
        if len(data) <= PARSED_AT_ONCE and not self._unparsed and self._takes_turn():
            super().data_received(data)
            return
        was_waiting = bool(self._unparsed)
        parts = range(0, len(data), PARSED_AT_ONCE)
        self._unparsed.extend(data[at : at + PARSED_AT_ONCE] for at in parts)
        if was_waiting:
            self.transport.pause_reading()
        else:
            self._parse_next()

    def _parse_next(self) -> None:
        while self._unparsed and not self.transport.is_closing():
            if not self._takes_turn():
                self.transport.pause_reading()
                self._open.turns.wait(self._network or self._own, self._parse_next)
                return
            super().data_received(self._unparsed.popleft())
        self._unparsed.clear()
        if not self.read_paused and not self.transport.is_closing():
            self.transport.resume_reading()

    def _takes_turn(self) -> bool:
        return self._open.turns.take(self._network or self._own)

    def _reported_network(self) -> str:
        """Return the network of the client that a proxy has reported, once the application runs."""
        client = getattr(self, "scope", {}).get("client")
        return self._open.network_of(client[0]) if client else ""

    def allows_frames(self, count: int) -> bool:
        """Count frames. Close the connection if its address sends too many."""
        allowed = self._open.allows_frames(self._network, self._own, count)
        if not allowed:
            self._close(TOO_MANY, problem("too-many-requests", what="messages").reason)
        return allowed

    def handle_events(self) -> None:
        """Handle the frames that have arrived, unless the address sends too many."""
        if self.allows_frames(len(self.conn.events)):
            super().handle_events()

    def handle_cont(self, event: Frame) -> None:
        """Add a fragment to a message."""
        if len(self.frames) < MOST_FRAGMENTS:
            super().handle_cont(event)
        else:
            self._close(1009, "")

    def send_receive_event_to_app(self) -> None:
        """Hand a message to the application, unless it is not text: uvicorn would log that."""
        if self.curr_msg_data_type == "text" and not self.is_direct:
            try:
                b"".join(self.frames).decode()
            except UnicodeDecodeError:
                self._close(1007, "")
                return
        super().send_receive_event_to_app()

    def _close(self, code: int, reason: str) -> None:
        if self.close_sent:
            return
        self.conn.fail(code, reason)
        if self.conn.close_sent is None:  # the handshake is not complete
            self.transport.abort()
        else:
            self.handle_parser_exception()
