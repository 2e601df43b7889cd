"""How the server accepts connections."""

import asyncio
import socket
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

import pytest
import uvicorn

from divisorduel.web.connections import OpenConnections
from divisorduel.web.protocols.limited_http import LimitedHttp
from divisorduel.web.server import LimitedServer, bind
from divisorduel.web.server_settings import ServerSettings

BURST = 200
SETTINGS = ServerSettings(database="", host="127.0.0.1", port=0)


class Accepted(OpenConnections):
    """Counts the connections that the server has accepted."""

    count = 0

    def admit(self, connection: Any, network: str) -> bool:
        self.count += 1
        return super().admit(connection, network)


async def _no_application(scope: Any, receive: Any, send: Any) -> None:
    raise AssertionError("no request was sent")


@contextmanager
def waiting_clients(bound: socket.socket) -> Iterator[None]:
    """Let many clients connect before the server accepts the first."""
    bound.listen(BURST)
    with ExitStack() as stack:
        for _ in range(BURST):
            stack.enter_context(socket.create_connection(bound.getsockname()))
        yield


async def passes_to_accept(bound: socket.socket) -> int:
    """Return how many passes of the event loop it takes to accept all clients."""
    accepted = Accepted(SETTINGS, BURST)
    config = uvicorn.Config(_no_application, http=LimitedHttp, lifespan="off", log_level="warning")
    config.load()
    server = LimitedServer(config, accepted, lambda: None)
    server.lifespan = config.lifespan_class(config)
    await server.startup([bound])
    passes = 0
    while accepted.count < BURST:
        await asyncio.sleep(0)
        passes += 1
    await server.shutdown([bound])
    return passes


def test_a_burst_of_connections_is_accepted_in_few_passes_of_the_event_loop() -> None:
    uvloop = pytest.importorskip("uvloop")
    bound = bind(SETTINGS)
    with waiting_clients(bound):
        assert uvloop.run(passes_to_accept(bound)) < BURST / 4
