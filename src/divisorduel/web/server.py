"""Runs the application with uvicorn."""

import gc
import os
import socket
import sys
from collections.abc import Callable

from fastapi import FastAPI

from divisorduel.rules.errors import DuelError
from divisorduel.web.settings import Settings

GC_THRESHOLDS = 20_000, 20, 50
"""Collect garbage rarely, because reference counting already frees nearly everything."""

SWITCH_SECONDS = 0.0005
"""How soon the thread that writes moves gets its turn while many play; usually 5 ms."""


class AddressError(DuelError):
    """An address that the server cannot listen on."""

    code = "unusable-address"


def bind(settings: Settings) -> socket.socket:
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
        bound.bind(address)
    except OSError as error:
        if bound is not None:
            bound.close()
        raise AddressError(
            f"{settings.host} port {settings.port} cannot be used: {error.strerror or error}.\n"
            "Choose another port with --port; --port 0 picks a free one."
        ) from None
    return bound


def run(app: FastAPI, settings: Settings, bound: socket.socket, ready: Callable[[], None]) -> None:
    """Serve until the process is stopped; call `ready` when the server answers."""
    import uvicorn

    from divisorduel.web.live.direct_socket import DirectSocket

    class Announcing(uvicorn.Server):
        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets)
            ready()

    config = uvicorn.Config(
        app,
        log_level="warning",
        access_log=False,
        ws=DirectSocket,
        ws_max_size=20_000,
        ws_ping_interval=60.0,  # the page itself pings more often
        ws_ping_timeout=30.0,
        ws_per_message_deflate=False,
        server_header=False,
        proxy_headers=bool(settings.proxy),
        forwarded_allow_ips=settings.proxy or None,
        timeout_graceful_shutdown=3,
    )
    # Everything loaded so far stays in memory. Scanning it for garbage again and again would make
    # players wait for a tenth of a second each time.
    gc.collect()
    gc.freeze()
    gc.set_threshold(*GC_THRESHOLDS)
    sys.setswitchinterval(SWITCH_SECONDS)
    Announcing(config).run(sockets=[bound])
