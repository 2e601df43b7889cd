"""uvicorn's HTTP, with limits.

By itself, uvicorn reads endless headers, waits forever for the rest of a request, and keeps what a
client does not read. It also answers some errors in plain text. All of that ends here, below the
application, which sees only complete requests.
"""

import asyncio
from collections import deque
from typing import Any

import httptools
from starlette.datastructures import Headers
from uvicorn.config import Config
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

from divisorduel.web.connections import OpenConnections
from divisorduel.web.protocols.raw_answers import answer
from divisorduel.web.protocols.unread_timer import UnreadTimer
from divisorduel.web.schemas.problems import (
    MOST_BYTES,
    MOST_BYTES_OF_RECORD,
    MOST_HEAD,
    MOST_HEADER,
    MOST_HEADERS,
    MOST_URL,
)
from divisorduel.web.security import announced_length, most_bytes

PORTION = 4_096
"""How many bytes are parsed before other addresses have their turn."""
MOST_PIECES = 2_000
"""How many chunks a body may have."""
MOST_PIPELINED = 8
"""How many requests may wait for the answer to an earlier one on the same connection."""
MOST_SENT_FOR_BODY = 2 * MOST_BYTES_OF_RECORD
"""How many bytes may be sent for a body, with the framing of its chunks."""
MOST_LINGERING, LINGERING_SECONDS = 1_000_000, 2.0
"""How much more is read, and how long, so that a client that still sends can read the answer."""
CONTINUE = b"HTTP/1.1 100 Continue\r\n\r\n"
BODY_HEADERS = b"content-length", b"transfer-encoding"


class LimitedHttp(HttpToolsProtocol):
    """An HTTP connection. While it waits, its request has not arrived completely."""

    server_state: OpenConnections

    def __init__(
        self,
        config: Config,
        server_state: OpenConnections,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self._settings = server_state.settings
        self._network = ""
        self._unread = UnreadTimer(self._settings.unread_seconds)
        self._waiting_since: float | None = None
        self._in_head = self._in_body = False
        self._size = 0
        """How many bytes have arrived since the last head or body was complete."""
        self._received = self._pieces = 0
        """How many bytes of the body have arrived, and in how many pieces."""
        self._unparsed: deque[bytes] = deque()
        self._wrong = "invalid-http"
        """What is wrong with the request if it cannot be parsed."""
        self._refused = False
        self._running: RequestResponseCycle | None = None
        """The request that is being answered; others may have arrived after it."""
        self._unstarted: Any = None
        self._announced = 0
        """The application, if it has not begun to answer that request."""

    # --- the connection

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Wait for the first request, if there is room for the connection."""
        super().connection_made(transport)
        self._network = self.server_state.network_of(self.client[0] if self.client else "")
        if self.server_state.admit(self, self._network):
            self._waiting_since = self.loop.time()
        else:
            self._refused = True
            transport.write(self._answer("too-many-connections"))
            transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop counting the connection, and free what it has sent."""
        self.server_state.leave(self)
        super().connection_lost(exc)
        self._end_requests()
        # A request and its connection refer to each other, and garbage is collected rarely: until
        # then, half-sent bodies would fill the memory.
        self._unparsed.clear()
        self.pipeline.clear()
        self.cycle = self._running = self._unstarted = None  # type: ignore[assignment]

    def give_way(self) -> None:
        """Close at once, to make room for another connection."""
        self.server_state.leave(self)
        self.transport.abort()

    def check(self, now: float) -> None:
        """Close if the request does not arrive in time, or if the client does not read."""
        self._unread.check(self.transport, now)
        if self._waiting_since is None or self.flow.read_paused or self.transport.is_closing():
            return
        waited = now - self._waiting_since
        if self._refused:
            if waited > LINGERING_SECONDS:
                self.transport.abort()
        elif self._in_body:
            if waited > self._settings.body_seconds:
                self._refuse("request-too-slow")
        elif self._has_begun:
            if waited > self._settings.head_seconds:
                self._refuse("request-too-slow")
        elif waited > (
            self.timeout_keep_alive if self._last is not None else self._settings.head_seconds
        ):
            self.transport.close()

    def shutdown(self) -> None:
        """Close, after a request that has arrived is answered."""
        if self._refused:
            self.transport.abort()
        elif self._waiting_since is not None and self._has_begun:
            self._refuse("shutting-down")
            self.transport.close()
        else:
            super().shutdown()

    # --- what arrives

    def data_received(self, data: bytes) -> None:
        """Parse in portions what has arrived, while it is the turn of the address."""
        self._unset_keepalive_if_required()
        turns = self.server_state.turns
        if len(data) <= PORTION and not self._unparsed and turns.take(self._network):
            self._parse(data)
            return
        was_waiting = bool(self._unparsed)
        self._unparsed.extend(data[at : at + PORTION] for at in range(0, len(data), PORTION))
        if not was_waiting:
            self._parse_next()

    def _parse_next(self) -> None:
        turns = self.server_state.turns
        while self._unparsed and not self.transport.is_closing():
            if not turns.take(self._network):
                self.transport.pause_reading()
                turns.wait(self._network, self._parse_next)
                return
            self._parse(self._unparsed.popleft())
            if self.transport.get_protocol() is not self:
                break  # a WebSocket has taken over, and its client must wait for that
        self._unparsed.clear()
        if not self.flow.read_paused and not self.transport.is_closing():
            self.transport.resume_reading()

    def _parse(self, data: bytes) -> None:
        """Parse a portion, and refuse the request if it breaks a limit."""
        self._size += len(data)
        if self._refused:
            if self._size > MOST_LINGERING:
                self.transport.abort()
            return
        try:
            self.parser.feed_data(data)
        except httptools.HttpParserError:
            self._refuse(self._wrong)
        except httptools.HttpParserUpgrade:
            if self._should_upgrade():
                self.handle_websocket_upgrade()
        else:
            wrong = self._wrong_so_far()
            if wrong is not None:
                self._refuse(wrong)

    def _wrong_so_far(self) -> str | None:
        """Return what is wrong with a request that has not arrived completely."""
        if self._in_body:
            if len(self.headers) > MOST_HEADERS:  # some can follow the body
                return "headers-too-large"
            return "too-large" if self._size > MOST_SENT_FOR_BODY else None
        if self._in_head and len(self.url) > MOST_URL:
            return "url-too-long"
        if self._size > MOST_HEAD or (self._in_head and len(self.headers) > MOST_HEADERS):
            return "headers-too-large"
        return None

    def handle_websocket_upgrade(self) -> None:
        """Hand the connection over to the WebSocket, with its place among the open ones."""
        if not self.url.isascii() or not self._is_answered:  # uvicorn would fail
            self._refuse("invalid-http")
            return
        self.server_state.leave(self)
        super().handle_websocket_upgrade()

    def on_message_begin(self) -> None:
        """Begin a request."""
        super().on_message_begin()
        self._in_head = True

    def on_headers_complete(self) -> None:
        """Start to answer the request, unless it or its address breaks a limit."""
        if len(self.url) > MOST_URL:
            self._stop_parsing("url-too-long")
        sizes = [len(name) + len(value) + len(b": \r\n") for name, value in self.headers]
        if (
            len(sizes) > MOST_HEADERS
            or sum(sizes) > MOST_HEAD
            or max(sizes, default=0) > MOST_HEADER
        ):
            self._stop_parsing("headers-too-large")
        if sum(name == b"host" for name, _ in self.headers) > 1:
            self._stop_parsing("invalid-http")
        if len(self.pipeline) >= MOST_PIPELINED:
            self._stop_parsing("too-many-requests")
        if not self.server_state.allows_request(self._network):
            self._stop_parsing("too-many-requests")
        super().on_headers_complete()
        self._in_head, self._size, self._received, self._pieces = False, 0, 0, 0
        if self.parser.should_upgrade() and self._should_upgrade():
            if any(name in BODY_HEADERS and value != b"0" for name, value in self.headers):
                self._stop_parsing("invalid-handshake")
        else:
            self._in_body = True
            self._wait()

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: Any) -> None:
        """Answer a request when it is complete, so that half a request takes no one's place."""
        self._running, self._unstarted = cycle, app
        self._announced = announced_length(Headers(raw=[*cycle.scope["headers"]]))
        if cycle.waiting_for_100_continue:
            cycle.waiting_for_100_continue = False
            self.transport.write(CONTINUE)
        if not cycle.more_body or self._is_too_large(cycle):
            self._start(cycle)

    def _is_too_large(self, cycle: RequestResponseCycle) -> bool:
        """Tell whether a body is refused, whatever follows."""
        return max(self._announced, self._received) > most_bytes(cycle.scope["path"])

    def _start(self, cycle: RequestResponseCycle) -> None:
        app, self._unstarted = self._unstarted, None

        def start() -> asyncio.Task[None] | None:
            if cycle.disconnected:
                return None
            task = self.loop.create_task(cycle.run_asgi(app))
            self.tasks.add(task)
            task.add_done_callback(self.tasks.discard)
            return task

        self.server_state.start(self._network, start)

    def on_body(self, body: bytes) -> None:
        """Receive a part of the body."""
        super().on_body(body)
        self._received += len(body)
        self._pieces += 1
        if self._pieces > MOST_PIECES:
            self._stop_parsing("too-large")
        if self._unstarted is not None and self._running is self.cycle:
            if self._is_too_large(self.cycle):
                self._start(self.cycle)
            else:
                self.flow.resume_reading()  # no one reads the body before it is complete
        self.server_state.hold(self, len(body))

    def on_message_complete(self) -> None:
        """Stop waiting: the request is complete."""
        super().on_message_complete()
        if self._unstarted is not None and self._running is self.cycle:
            self._start(self.cycle)
        self.server_state.release(self)
        self._in_body, self._size = False, 0
        if self._is_answered:
            self._wait()
        else:
            self._waiting_since = None
            self.server_state.end_waiting(self)

    def on_response_complete(self) -> None:
        """Wait for the next request, or for the rest of one that was answered early."""
        super().on_response_complete()
        if self._has_begun:
            self._unset_keepalive_if_required()
        if self._in_body and self._received > MOST_BYTES and not self.transport.is_closing():
            self._linger()  # the body is too large, and its end may never come
        elif self._in_body or self._is_answered:
            self._wait()

    @property
    def _has_begun(self) -> bool:
        """Whether a part of a request has arrived."""
        return self._in_head or self._in_body or self._size > 0

    @property
    def _last(self) -> RequestResponseCycle | None:
        """The last request whose headers have arrived, if there is one."""
        return self.cycle

    @property
    def _is_answered(self) -> bool:
        """Whether every request so far has its answer."""
        return self._last is None or self._last.response_complete

    def _wait(self) -> None:
        self._waiting_since = self.loop.time()
        self.server_state.begin_waiting(self)

    def _stop_parsing(self, code: str) -> None:
        self._wrong = code
        raise httptools.HttpParserError(code)

    # --- what is answered

    def _end_requests(self) -> None:
        """Tell the application, which may wait for the rest of a request, that the client left."""
        for cycle in (self._running, self._last):
            if cycle is not None and not cycle.response_complete:
                cycle.disconnected = True
                cycle.message_event.set()

    def _answer(self, code: str) -> bytes:
        return answer(code, *self.server_state.default_headers)

    def _refuse(self, code: str) -> None:
        """Answer with a problem and close, or just close if an answer would be out of order."""
        if self.transport.is_closing():
            return
        self._refused = True
        is_in_order = self._is_answered
        if self._in_body:
            is_in_order = not self.pipeline and not self.cycle.response_started
        self._end_requests()
        if is_in_order:
            self.transport.write(self._answer(code))
            self._linger()
        else:
            self.transport.abort()

    def _linger(self) -> None:
        """Send nothing more, and read for a while, so that the client can read the answer."""
        self._refused = True
        self.transport.write_eof()
        self.flow.resume_reading()
        self._size = 0
        self._wait()
