"""A limit on how long a client may leave unread what was sent to it."""

import asyncio


class UnreadTimer:
    """How long a client has left unread what was sent to it."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._since: float | None = None

    def check(self, transport: asyncio.Transport, now: float) -> None:
        """Break the connection if the client has taken too long."""
        if not transport.get_write_buffer_size():
            self._since = None
        elif self._since is None:
            self._since = now
        elif now - self._since > self._seconds:
            transport.abort()
