"""uvicorn's WebSocket with a direct way in and out for the short messages of a match.

A message normally passes through the parser of `websockets`, a queue and a task. Once the route has
taken a connection over, whole text frames go straight to its callback, and messages straight to the
transport. Everything else (fragments, partial frames, closing) is left to `websockets`.
"""

import struct
from collections.abc import Callable
from functools import lru_cache
from typing import Any

from starlette.websockets import WebSocket
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.protocol import OPEN
from websockets.speedups import apply_mask

EXTENSION = "divisorduel.direct"
MOST_UNSENT = 1 << 18
"""A client that leaves this many bytes unread is disconnected."""

OnMessage = Callable[[str | None], None]
"""Takes a text message, or None for a binary one."""

_TEXT = 0x81
_CONTROLS = frozenset((0x88, 0x89, 0x8A))
_MASKED = 0x80


class DirectSocket(WebSocketsSansIOProtocol):
    """A WebSocket that a route can take over. It offers itself in the scope's extensions."""

    _on_message: OnMessage | None = None
    _on_lost: Callable[[], None] | None = None
    _is_regular = True
    """Whether only whole frames have arrived since the connection was taken over."""

    @staticmethod
    def of(socket: WebSocket) -> "DirectSocket":
        """Return the connection under a WebSocket of the application."""
        direct: DirectSocket = socket.scope["extensions"][EXTENSION]
        return direct

    def handle_connect(self, event: Any) -> None:
        """Offer the connection to the application."""
        super().handle_connect(event)
        if not self.close_sent:
            extensions: dict[str, Any] = self.scope["extensions"]
            extensions[EXTENSION] = self

    def take_over(self, on_message: OnMessage, on_lost: Callable[[], None]) -> None:
        """Hand all messages to a callback from now on, and call the other one at the end."""
        self._on_message, self._on_lost = on_message, on_lost
        while not self.queue.empty():
            message = self.queue.get_nowait()
            if message["type"] == "websocket.receive":
                on_message(message.get("text"))
        self.resume()
        if self.disconnected:
            on_lost()

    def connection_lost(self, exc: Exception | None) -> None:
        """Tell the callback."""
        super().connection_lost(exc)
        if self._on_lost is not None:
            self._on_lost()

    def pause(self) -> None:
        """Read nothing more for a while."""
        if not self.read_paused and not self.disconnected:
            self.read_paused = True
            self.transport.pause_reading()

    def resume(self) -> None:
        """Read again."""
        if self.read_paused and not self.disconnected:
            self.read_paused = False
            self.transport.resume_reading()

    def send_now(self, *texts: str) -> None:
        """Send messages. A client that has left too many unread is disconnected."""
        if self.close_sent or self.disconnected:
            return
        if self.transport.get_write_buffer_size() > MOST_UNSENT:
            self.transport.abort()
        else:
            self.transport.write(b"".join(map(text_frame, texts)))

    def data_received(self, data: bytes) -> None:
        """Hand over whole text frames; leave everything else to the parser."""
        at, on_message = 0, None if self.close_sent else self._on_message
        while on_message is not None and self._is_regular and at < len(data):
            payload, end = _whole_frame(data, at)
            if data[at] == _TEXT and 0 < end - payload <= self.config.ws_max_size:
                if not self.allows_frames(1):
                    return
                text = _decode(apply_mask(data[payload:end], data[payload - 4 : payload]))
                if text is None:
                    self._fail_as_text()
                    return
                on_message(text)
            elif data[at] in _CONTROLS and end:
                super().data_received(data[at:end])
            else:
                self._is_regular = False
                break
            if self.conn.state is not OPEN:
                return
            at = end
        if at < len(data):
            super().data_received(data[at:])

    def allows_frames(self, _count: int) -> bool:
        """Tell whether the client may send more frames now. One that may not is disconnected."""
        return True

    @property
    def is_direct(self) -> bool:
        """Whether a route has taken the connection over."""
        return self._on_message is not None

    def send_receive_event_to_app(self) -> None:
        """Hand over a message, to the callback if there is one."""
        if self._on_message is None or self.close_sent:
            super().send_receive_event_to_app()
            return
        data, self.frames = b"".join(self.frames), []
        if self.curr_msg_data_type == "bytes":
            self._on_message(None)
            return
        text = _decode(data)
        if text is None:
            self._fail_as_text()
        else:
            self._on_message(text)

    def _fail_as_text(self) -> None:
        """Close the connection, because a text message is not UTF-8."""
        self.conn.fail(1007)
        self.handle_parser_exception()


def _decode(data: bytes) -> str | None:
    try:
        return data.decode()
    except UnicodeDecodeError:
        return None


def _whole_frame(data: bytes, at: int) -> tuple[int, int]:
    """Return where the payload of a short masked frame begins and ends; zeros if it is not one."""
    if len(data) < at + 6 or not data[at + 1] & _MASKED:
        return 0, 0
    size, payload = data[at + 1] & 0x7F, at + 6
    if size == 126 and len(data) >= at + 8:
        size, payload = int.from_bytes(data[at + 2 : at + 4]), at + 8
    elif size > 125:
        return 0, 0
    return (payload, payload + size) if payload + size <= len(data) else (0, 0)


@lru_cache(maxsize=64)
def text_frame(text: str) -> bytes:
    """Return a text message as a frame; it is built once for all listeners."""
    payload = text.encode()
    size = len(payload)
    if size < 126:
        head = struct.pack("!BB", _TEXT, size)
    elif size < 1 << 16:
        head = struct.pack("!BBH", _TEXT, 126, size)
    else:
        head = struct.pack("!BBQ", _TEXT, 127, size)
    return head + payload
