"""Runs the application with uvicorn."""

import asyncio
import errno
import gc
import logging
import os
import socket
import sys
from collections.abc import Callable

import uvicorn
from fastapi import FastAPI

from divisorduel.rules.errors import DuelError
from divisorduel.web.connections import OpenConnections, most_connections
from divisorduel.web.log_limit import LogLimit
from divisorduel.web.protocols.limited_http import LimitedHttp
from divisorduel.web.protocols.limited_websocket import LimitedWebSocket
from divisorduel.web.server_settings import ServerSettings

RECEIVE_BUFFER, SEND_BUFFER = 1 << 14, 1 << 16
"""How much the system keeps of what a client sends, and of what it does not read. The first also
bounds how much is parsed at a time, before other clients have their turn."""
KEEP_ALIVE, KEEP_ALIVE_FOR_PROXY = 5, 75
"""After how many seconds an idle connection is closed; a proxy closes it before us, after 60."""
SECONDS_TO_FLUSH = 1.0
"""How long a client may take to read the last of what was sent to it before the server stopped."""
FAULT_OF_CLIENT = "ASGI callable returned without completing handshake."
"""What uvicorn logs as an error, though any client can cause it, as often as it likes."""
TICKS_A_SECOND = 10
"""How often uvicorn runs its housekeeping."""
ACCEPTED_AT_ONCE = 16
"""How many connections are accepted in a pass of the event loop.

uvloop accepts one for each listening socket. With a single socket, someone who connects right after
four hundred others would wait for four hundred passes, each with the requests of the others.
"""
GC_THRESHOLDS = 20_000, 20, 50
"""Collect garbage rarely, because reference counting already frees nearly everything."""
SWITCH_SECONDS = 0.0005
"""How soon the thread that writes moves gets its turn while many play; Python's default is 5 ms."""


class AddressError(DuelError):
    """An address that the server cannot listen on."""

    code = "unusable-address"


def bind(settings: ServerSettings) -> socket.socket:
    """Bind the host and port. Raises `AddressError`."""
    bound = None
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            settings.host, settings.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        bound = socket.socket(family, kind, protocol)
        if os.name == "posix":
            # A server that was just stopped must not block the port for the next one.
            bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        # The connections that it accepts have the same buffers.
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, RECEIVE_BUFFER)
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)
        bound.bind(address)
    except OSError as error:
        if bound is not None:
            bound.close()
        raise AddressError(
            f"{settings.host} port {settings.port} cannot be used: {error.strerror or error}.\n"
            + _advice(error)
        ) from None
    return bound


def _advice(error: OSError) -> str:
    """Tell which option to change after an error in binding an address."""
    if isinstance(error, socket.gaierror) or error.errno == errno.EADDRNOTAVAIL:
        return (
            "Choose an address of this machine with --host: "
            "127.0.0.1 for this machine alone, 0.0.0.0 for its network."
        )
    return "Choose another port with --port; --port 0 picks a free one."


def run(
    app: FastAPI, settings: ServerSettings, bound: socket.socket, ready: Callable[[], None]
) -> None:
    """Serve until the process is stopped; call `ready` when the server answers."""
    connections = OpenConnections(settings, most_connections(settings.connections))
    server = LimitedServer(_config(app, settings), connections, ready)
    _limit_log()
    _tune_interpreter()
    server.run(sockets=[bound])


class LimitedServer(uvicorn.Server):
    """Checks the connections regularly, and does not wait for clients that do not read."""

    def __init__(
        self, config: uvicorn.Config, connections: OpenConnections, ready: Callable[[], None]
    ) -> None:
        super().__init__(config)
        self._connections, self._ready = connections, ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start, and say so."""
        self.server_state = self._connections
        await super().startup([copy for bound in sockets or () for copy in _copies(bound)])
        self._ready()

    async def on_tick(self, counter: int) -> bool:
        """Check the connections once a second."""
        if counter % TICKS_A_SECOND == 0:
            self._connections.check(asyncio.get_running_loop().time())
        return await super().on_tick(counter)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Stop, and drop the clients that do not read what was sent to them."""
        loop = asyncio.get_running_loop()
        loop.call_later(SECONDS_TO_FLUSH, self._connections.abort_unread)
        await super().shutdown(sockets)


def _copies(bound: socket.socket) -> list[socket.socket]:
    """Return sockets that share the queue of a listening socket, itself among them."""
    return [bound, *(bound.dup() for _ in range(ACCEPTED_AT_ONCE - 1))]


def _config(app: FastAPI, settings: ServerSettings) -> uvicorn.Config:
    return uvicorn.Config(
        app,
        log_level="warning",
        access_log=False,
        http=LimitedHttp,
        ws=LimitedWebSocket,
        ws_max_size=20_000,
        ws_ping_interval=60.0,  # the page itself pings more often
        ws_ping_timeout=30.0,
        ws_per_message_deflate=False,
        server_header=False,
        proxy_headers=bool(settings.proxy),
        forwarded_allow_ips=settings.proxy or None,
        timeout_keep_alive=KEEP_ALIVE_FOR_PROXY if settings.proxy else KEEP_ALIVE,
        timeout_graceful_shutdown=3,
    )


def _limit_log() -> None:
    logging.getLogger("uvicorn.error").addFilter(lambda record: record.msg != FAULT_OF_CLIENT)
    for name in ("uvicorn.error", "divisorduel"):
        logging.getLogger(name).addFilter(LogLimit())


def _tune_interpreter() -> None:
    """Keep the pauses for garbage collection and for other threads short.

    Everything loaded so far stays in memory. Scanning it for garbage again and again would make
    players wait for a tenth of a second each time.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(*GC_THRESHOLDS)
    sys.setswitchinterval(SWITCH_SECONDS)
