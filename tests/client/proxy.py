"""A proxy between a client and a server that loses connections on request."""

import socket
import threading
from contextlib import suppress
from types import TracebackType
from typing import Self


class Proxy:
    """Passes bytes in both directions until it is told to `cut` the connections."""

    def __init__(self, port: int) -> None:
        self._server = ("127.0.0.1", port)
        self._listening = socket.create_server(("127.0.0.1", 0))
        self._open: list[socket.socket] = []
        self._passes = {"questions": threading.Event(), "answers": threading.Event()}
        self._accepts = True
        self.connections = 0
        """How many connections there have been."""
        for passes in self._passes.values():
            passes.set()
        threading.Thread(target=self._accept, daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._listening.getsockname()[1]}"

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, _: BaseException | None, __: TracebackType | None
    ) -> None:
        self._listening.close()
        self.cut()

    def hold(self, what: str) -> None:
        """Stop passing on the "questions" of clients, or the "answers" of the server."""
        self._passes[what].clear()

    def refuse(self) -> None:
        """Close new connections at once."""
        self._accepts = False

    def cut(self) -> None:
        """Break all connections; what was held is lost. New ones are passed on."""
        broken, self._open = self._open, []
        for one in broken:
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
            one.close()
        for passes in self._passes.values():
            passes.set()

    def accept(self) -> None:
        """Pass on new connections again."""
        self._accepts = True

    def _accept(self) -> None:
        with suppress(OSError):  # closed
            while True:
                client, _ = self._listening.accept()
                if not self._accepts:
                    client.close()
                    continue
                self.connections += 1
                server = socket.create_connection(self._server)
                self._open += [client, server]
                for what, source, target in (
                    ("questions", client, server),
                    ("answers", server, client),
                ):
                    threading.Thread(
                        target=self._pass, args=(what, source, target), daemon=True
                    ).start()

    def _pass(self, what: str, source: socket.socket, target: socket.socket) -> None:
        with suppress(OSError):
            while data := source.recv(65_536):
                self._passes[what].wait()
                target.sendall(data)
        for one in (source, target):
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
