"""Open connections: how many there may be, which make room for others, and which take too long."""

import asyncio
import math
import sys
from collections import Counter, deque
from collections.abc import Callable
from typing import Protocol

from uvicorn.server import ServerState

from divisorduel.web.addresses import Proxies, network_of
from divisorduel.web.rate_limit import RateLimit
from divisorduel.web.server_settings import ServerSettings
from divisorduel.web.turns import Turns

RESERVED_FILES = 150
"""How many open files are kept for the database, the solvers and the pages."""

MOST_HELD = 64_000_000
"""How many bytes all half-sent bodies may have together."""
MOST_RUNNING = 20
"""How many requests of one address are answered at the same time; the others wait for them."""
PORTIONS_AT_ONCE = 20
"""How many portions of what one address sends are parsed in a pass of the event loop."""
LONGEST_PAUSE = 3.0
"""If checks are further apart, the server was held up, and clients may have sent something."""
OWN_FRAMES_A_MINUTE = 100
"""How many frames a WebSocket may send even if others at the same address send too many."""


RequestStarter = Callable[[], "asyncio.Task[None] | None"]
"""Starts to answer a request, and returns the task; None if the client has left."""


class Connection(Protocol):
    """A connection to a client."""

    transport: asyncio.Transport

    def give_way(self) -> None:
        """Close at once, to make room for another connection."""

    def check(self, now: float) -> None:
        """Close if the client has taken too long."""


class OpenConnections(ServerState):
    """What all connections of a server share: uvicorn's lists, our counts and limits.

    A connection without a complete request *waits*. If there is no room for a new connection, the
    one that has waited longest makes room, so half-sent requests cannot keep anyone out.
    """

    def __init__(self, settings: ServerSettings, most: int) -> None:
        super().__init__()
        self.settings = settings
        self._most = most
        self._proxies = Proxies(settings.proxy)
        self._requests = RateLimit(settings.requests_a_minute)
        self._frames = RateLimit(settings.requests_a_minute)
        self._own_frames = RateLimit(OWN_FRAMES_A_MINUTE)
        self._open: dict[Connection, str] = {}
        self._by_network: Counter[str] = Counter()
        self._waiting: dict[Connection, None] = {}
        self._held: dict[Connection, int] = {}
        self._held_bytes = 0
        self._running: Counter[str] = Counter()
        """How many requests of each address are being answered."""
        self._queued: dict[str, deque[RequestStarter]] = {}
        self._checked = math.inf
        self.turns = Turns(PORTIONS_AT_ONCE)
        """The portions of what each address sends that are parsed before others have their turn."""

    def network_of(self, host: str) -> str:
        """Return what the connections of a host are counted by; for a proxy, nothing."""
        return "" if host in self._proxies else network_of(host)

    def admit(self, connection: Connection, network: str) -> bool:
        """Count a new connection, which waits for a request. Return False if there is no room."""
        most = self.settings.connections_per_address
        if network and self._by_network[network] >= most:
            self._make_room(network)
            if self._by_network[network] >= most:
                return False
        if len(self._open) >= self._most:
            self._make_room(None)
            if len(self._open) >= self._most:
                return False
        self.enter(connection, network)
        self._waiting[connection] = None
        return True

    def enter(self, connection: Connection, network: str) -> None:
        """Count a connection that takes the place of another."""
        self._open[connection] = network
        self._by_network[network] += 1

    def leave(self, connection: Connection) -> None:
        """Stop counting a connection. It may have left already."""
        network = self._open.pop(connection, None)
        self.release(connection)
        if network is not None:
            self._waiting.pop(connection, None)
            self._by_network[network] -= 1
            if not self._by_network[network]:
                del self._by_network[network]

    def begin_waiting(self, connection: Connection) -> None:
        """Note that a connection waits for its next request from now on."""
        self._waiting.pop(connection, None)
        if connection in self._open:
            self._waiting[connection] = None

    def end_waiting(self, connection: Connection) -> None:
        """Note that a connection has sent a complete request."""
        self._waiting.pop(connection, None)

    def hold(self, connection: Connection, size: int) -> None:
        """Count a part of a half-sent body. If there is too much, the oldest one makes room."""
        self._held[connection] = self._held.get(connection, 0) + size
        self._held_bytes += size
        while self._held_bytes > MOST_HELD:
            next(iter(self._held)).give_way()

    def release(self, connection: Connection) -> None:
        """Stop counting the body of a connection."""
        self._held_bytes -= self._held.pop(connection, 0)

    def allows_request(self, network: str) -> bool:
        """Count a request. Those of a proxy are for the proxy to limit."""
        return not network or self._requests.allows(network)

    def start(self, network: str, request: RequestStarter) -> None:
        """Start to answer a request, when fewer than `MOST_RUNNING` of its address are running.

        So an address makes few steps in a pass of the event loop, and others have their turn.
        """
        if network and self._running[network] >= MOST_RUNNING:
            self._queued.setdefault(network, deque()).append(request)
        else:
            self._run(network, request)

    def _run(self, network: str, request: RequestStarter) -> None:
        task = request()
        if task is not None:
            self._running[network] += 1
            task.add_done_callback(lambda _: self._finish(network))

    def _finish(self, network: str) -> None:
        self._running[network] -= 1
        if not self._running[network]:
            del self._running[network]
        waiting = self._queued.get(network)
        while waiting and self._running[network] < MOST_RUNNING:
            self._run(network, waiting.popleft())
        if not waiting:
            self._queued.pop(network, None)

    def allows_frames(self, network: str, own: str, frames: int) -> bool:
        """Count frames of a WebSocket: first its own, then those that an address has in common.

        If a proxy does not report the address of a client, each WebSocket counts as one.
        """
        return self._own_frames.allows(own, frames) or self._frames.allows(network or own, frames)

    def check(self, now: float) -> None:
        """Close the connections of clients that take too long."""
        was_held_up, self._checked = now - self._checked > LONGEST_PAUSE, now
        if was_held_up:  # what has arrived in the meantime is read first
            return
        for connection in list(self._open):
            connection.check(now)

    def abort_unread(self) -> None:
        """Break the connections of clients that have not read what was sent to them."""
        for connection in list(self._open):
            if connection.transport.get_write_buffer_size():
                connection.transport.abort()

    def _make_room(self, network: str | None) -> None:
        """Close the connection that has waited longest, of one network or of all."""
        for connection in self._waiting:
            if network is None or self._open[connection] == network:
                connection.give_way()
                return


def most_connections(wanted: int) -> int:
    """Return how many connections the limit of open files leaves room for, at most `wanted`.

    The limit is raised if the system allows it.
    """
    if sys.platform == "win32":
        return wanted
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    needed = wanted + RESERVED_FILES
    if soft != resource.RLIM_INFINITY and soft < needed:
        raised = needed if hard == resource.RLIM_INFINITY else min(needed, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (raised, hard))
        soft = raised
    if soft == resource.RLIM_INFINITY:
        return wanted
    return min(wanted, max(soft - RESERVED_FILES, soft // 2))
