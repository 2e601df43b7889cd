"""A slow connection: the server does not receive what a page commands."""

import json

from playwright.sync_api import WebSocketRoute


class HeldCommands:
    """Keeps a page's commands from the server. A page that has just connected repeats its last."""

    def __init__(self) -> None:
        self._last: tuple[WebSocketRoute, str | bytes] | None = None
        self._is_holding = True

    def hold(self, socket: WebSocketRoute) -> None:
        """Stand between a page and the server."""
        server = socket.connect_to_server()

        def pass_on(said: str | bytes) -> None:
            if self._is_holding and json.loads(said)["type"] == "command":
                self._last = server, said
            else:
                server.send(said)

        socket.on_message(pass_on)

    def release(self) -> None:
        """Send the last command, and hold no others."""
        assert self._last is not None
        server, said = self._last
        self._is_holding = False
        server.send(said)
