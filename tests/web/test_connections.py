"""How many connections may be open, in all and from one address, and which make room."""

import asyncio
import json
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path

import pytest

from divisorduel.web.connections import (
    LONGEST_PAUSE,
    MOST_HELD,
    MOST_RUNNING,
    OWN_FRAMES_A_MINUTE,
    RESERVED_FILES,
    OpenConnections,
    most_connections,
)
from divisorduel.web.server_settings import ServerSettings
from tests.conftest import thorough_except
from tests.web.clients import Client, Match, Server, Socket, joined_match
from tests.web.conftest import Start
from tests.web.custom_server import CustomServer, custom_server
from tests.web.databases import sqlite_in
from tests.web.raw_client import (
    GET,
    HALF_A_BODY,
    HALF_A_HEAD,
    OTHER_ADDRESS,
    POST,
    RawClient,
    assert_nothing_failed,
    memory,
    open_connections,
    seconds_to_answer,
    upgrade,
)

SOON = 5.0


class FakeConnection:
    """A connection that notes whether it had to give way."""

    def __init__(self, connections: OpenConnections) -> None:
        self._connections = connections
        self.is_open = True
        self.checked: list[float] = []
        self.transport = None

    def give_way(self) -> None:
        self.is_open = False
        self._connections.leave(self)  # type: ignore[arg-type]

    def check(self, now: float) -> None:
        self.checked.append(now)


class Crowd:
    """Connections from several addresses."""

    def __init__(self, most: int, most_per_address: int, proxy: str = "") -> None:
        settings = ServerSettings(
            database="", connections_per_address=most_per_address, proxy=proxy
        )
        self.connections = OpenConnections(settings, most)

    def join(self, host: str, *, waits: bool = True) -> FakeConnection | None:
        """Connect from an address; return None if there is no room."""
        made = FakeConnection(self.connections)
        network = self.connections.network_of(host)
        if not self.connections.admit(made, network):  # type: ignore[arg-type]
            return None
        if not waits:
            self.connections.end_waiting(made)  # type: ignore[arg-type]
        return made

    def must_join(self, host: str, *, waits: bool = True) -> FakeConnection:
        """Connect from an address that has room."""
        made = self.join(host, waits=waits)
        assert made is not None
        return made


def test_the_connection_that_has_waited_longest_makes_room() -> None:
    crowd = Crowd(3, 3)
    first, second, third = (crowd.must_join(host) for host in "abc")
    crowd.connections.begin_waiting(first)  # type: ignore[arg-type]  # it has made a request since
    crowd.must_join("d")
    assert [each.is_open for each in (first, second, third)] == [True, False, True]


def test_an_address_over_its_limit_loses_its_own_oldest_connection() -> None:
    crowd = Crowd(10, 2)
    other = crowd.must_join("b")
    mine = [crowd.must_join("a") for _ in range(3)]
    assert [each.is_open for each in (other, *mine)] == [True, False, True, True]


def test_a_connection_with_a_request_or_a_websocket_makes_no_room() -> None:
    crowd = Crowd(3, 2)
    busy = [crowd.must_join("a", waits=False) for _ in range(2)]
    assert crowd.join("a") is None
    crowd.must_join("b", waits=False)
    assert crowd.join("c") is None
    busy[0].give_way()
    assert crowd.join("c") is not None


def test_the_addresses_of_one_ipv6_network_share_their_limit() -> None:
    crowd = Crowd(10, 2)
    for last in (1, 2):
        crowd.must_join(f"2001:db8::{last}", waits=False)
    assert crowd.join("2001:db8::3") is None
    assert crowd.join("2001:db8:0:1::3") is not None


def test_a_proxy_is_limited_by_the_total_alone() -> None:
    crowd = Crowd(5, 2, proxy="127.0.0.1")
    for _ in range(5):
        crowd.must_join("127.0.0.1", waits=False)
    assert crowd.join("127.0.0.1") is None


def test_a_connection_that_leaves_twice_is_counted_once() -> None:
    crowd = Crowd(2, 2)
    gone = crowd.must_join("a", waits=False)
    gone.give_way()
    gone.give_way()
    for _ in range(2):
        crowd.must_join("a", waits=False)
    assert crowd.join("a") is None


def test_a_websocket_keeps_its_own_frames_when_its_neighbours_use_up_the_rest() -> None:
    connections = OpenConnections(ServerSettings(database="", requests_a_minute=1_000), 10)
    while connections.allows_frames("a", "a 1", 50):
        pass
    assert not connections.allows_frames("a", "a 1", 50)
    assert connections.allows_frames("a", "a 2", OWN_FRAMES_A_MINUTE)
    assert not connections.allows_frames("a", "a 2", OWN_FRAMES_A_MINUTE)
    assert connections.allows_frames("b", "b 1", 900)


def test_behind_a_proxy_each_websocket_has_its_own_limit_and_requests_have_none() -> None:
    settings = ServerSettings(database="", requests_a_minute=1_000, proxy="127.0.0.1")
    connections = OpenConnections(settings, 10)
    proxy, other = (connections.network_of(host) for host in ("127.0.0.1", "127.0.0.2"))
    while connections.allows_frames(proxy, "127.0.0.1 1", 50):
        pass
    assert connections.allows_frames(proxy, "127.0.0.1 2", 900)
    assert all(connections.allows_request(proxy) for _ in range(2_000))
    assert not all(connections.allows_request(other) for _ in range(2_000))


def test_only_a_few_requests_from_one_address_run_at_once_and_others_need_not_wait() -> None:
    async def start_all() -> None:
        connections = OpenConnections(ServerSettings(database=""), 10)
        running, done, may_end = list[str](), list[str](), asyncio.Event()

        async def request(network: str) -> None:
            running.append(network)
            await may_end.wait()
            done.append(network)

        def start(network: str) -> "asyncio.Task[None]":
            return asyncio.get_running_loop().create_task(request(network))

        for network in "a" * 50 + "b":
            connections.start(network, partial(start, network))
        await asyncio.sleep(0)
        assert "".join(running) == "a" * MOST_RUNNING + "b"
        may_end.set()
        while connections._running or connections._queued:
            await asyncio.sleep(0)
        assert Counter(done) == {"a": 50, "b": 1}

    asyncio.run(start_all())


def test_a_request_whose_client_left_while_it_waited_is_not_answered() -> None:
    async def start_all() -> int:
        connections = OpenConnections(ServerSettings(database=""), 10)
        answered = list[int]()

        async def request() -> None:
            answered.append(1)

        def start(*, left: bool) -> "asyncio.Task[None] | None":
            return None if left else asyncio.get_running_loop().create_task(request())

        for number in range(3 * MOST_RUNNING):
            connections.start("a", partial(start, left=number >= MOST_RUNNING and number % 2 == 0))
        while connections._running:
            await asyncio.sleep(0)
        return len(answered)

    assert asyncio.run(start_all()) == 2 * MOST_RUNNING


def test_after_the_server_was_held_up_no_connection_is_closed_for_being_late() -> None:
    crowd = Crowd(10, 10)
    late = crowd.must_join("a")
    for now in (10.0, 11.0, 12.0 + LONGEST_PAUSE, 13.0 + LONGEST_PAUSE):
        crowd.connections.check(now)
    assert late.checked == [10.0, 11.0, 13.0 + LONGEST_PAUSE]


def test_the_half_sent_body_that_began_first_makes_room_for_others() -> None:
    crowd = Crowd(10, 10)
    first, second, third = (crowd.must_join(host) for host in "abc")
    hold, release = crowd.connections.hold, crowd.connections.release
    hold(first, MOST_HELD // 2)  # type: ignore[arg-type]
    hold(second, MOST_HELD // 2)  # type: ignore[arg-type]
    release(second)  # type: ignore[arg-type]  # it is complete
    hold(third, MOST_HELD // 2)  # type: ignore[arg-type]
    assert first.is_open
    hold(third, 2)  # type: ignore[arg-type]
    assert [each.is_open for each in (first, second, third)] == [False, True, True]


def test_file_descriptors_are_reserved_for_the_database_and_the_solvers() -> None:
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(soft, 1_000), hard))
        assert most_connections(100) == 100
        assert most_connections(900) == 900  # the limit was raised
        assert resource.getrlimit(resource.RLIMIT_NOFILE)[0] == 900 + RESERVED_FILES
        assert most_connections(10 * hard) == hard - RESERVED_FILES
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


# --- with a real server


class ServerWithFewFiles(CustomServer):
    """A server that may open only 256 files."""

    def _command(self) -> list[str]:
        return ["bash", "-c", 'ulimit -n 256 && exec "$@"', "bash", *super()._command()]


@contextmanager
def many(server: Server, count: int, sent: bytes) -> Iterator[list[RawClient]]:
    """Open many connections and send the same over each."""
    with ExitStack() as stack:
        yield [stack.enter_context(RawClient(server, sent)) for _ in range(count)]


@pytest.mark.parametrize("sent", thorough_except([b"", HALF_A_HEAD, HALF_A_BODY], HALF_A_HEAD))
@pytest.mark.thorough
def test_half_sent_requests_do_not_use_up_the_open_files(tmp_path: Path, sent: bytes) -> None:
    with (
        ServerWithFewFiles(sqlite_in(tmp_path), tmp_path, "{}") as server,
        joined_match(server.url, game="antichain", hints=True) as match,
        many(server, 600, sent),
    ):
        for address in ("127.0.0.1", OTHER_ADDRESS):
            assert seconds_to_answer(server, address) < SOON
        assert open_connections(server) < 256 - RESERVED_FILES + 50
        match.one.post(f"{match.one.at}/hint", step=1)  # needs a new process, and its files
        match.one.take(2)
        assert_nothing_failed(server)


@pytest.mark.thorough
def test_half_sent_bodies_together_take_little_memory(tmp_path: Path) -> None:
    with custom_server(tmp_path) as server:
        before = memory(server)
        begun = POST + b"Content-Length: 300000\r\n\r\n" + b" " * 290_000
        with many(server, 400, begun):
            assert memory(server) < before + 2 * MOST_HELD
            with joined_match(server.url) as match:
                match.one.take(8)


def live(match: Match) -> bytes:
    return upgrade(f"/api/matches/{match.id}/live")


@pytest.mark.thorough
def test_one_address_may_not_open_more_connections_at_a_time_than_the_limit(
    start: Start,
) -> None:
    server = start("--connections-per-address", "10")
    with joined_match(server.url) as match, ExitStack() as stack:
        for _ in range(10):
            stack.enter_context(match.watch.listen())
        with RawClient(server) as late:
            refused = late.answer()
            assert refused.status == 503
            assert refused.headers["retry-after"] == "10"
            assert refused.problem == {
                "code": "too-many-connections",
                "reason": "Too many connections are open. Try again in a moment.",
            }
            assert late.is_closed()
        assert seconds_to_answer(server) < SOON  # from another address
        stack.close()
        with Socket(server.url, match.id, match.keys["watch"]) as watcher:
            assert watcher.welcome["seats"] == []


@pytest.mark.thorough
def test_half_sent_requests_from_many_addresses_keep_no_one_out(start: Start) -> None:
    server = start("--connections", "60", "--connections-per-address", "20")
    with ExitStack() as stack:
        for n in range(200):
            address = f"127.0.1.{1 + n % 10}"
            stack.enter_context(RawClient(server, HALF_A_HEAD, address))
        for _ in range(5):
            assert seconds_to_answer(server) < SOON
        assert open_connections(server) < 100


@pytest.mark.thorough
def test_the_total_limit_counts_requests_and_websockets_together(start: Start) -> None:
    server = start("--connections", "12")
    with joined_match(server.url) as match, ExitStack() as stack:
        for _ in range(12):
            stack.enter_context(match.watch.listen())
        with RawClient(server, GET, OTHER_ADDRESS) as late:
            assert late.answer().status == 503


@pytest.mark.thorough
def test_a_school_class_behind_one_address_fits_into_the_default_limits(tmp_path: Path) -> None:
    with custom_server(tmp_path) as server, joined_match(server.url) as match, ExitStack() as stack:
        watchers = [stack.enter_context(match.watch.listen()) for _ in range(40)]
        pages = [stack.enter_context(RawClient(server, GET)) for _ in range(6 * 40)]
        assert all(page.answer().status == 200 for page in pages)
        match.one.take(8)
        assert all(watcher.hear("step")["match"]["turns"] == [8] for watcher in watchers)


@pytest.mark.thorough
def test_a_proxy_may_open_more_connections_than_one_address(tmp_path: Path) -> None:
    with (
        custom_server(tmp_path, proxy="127.0.0.1", connections_per_address=2) as server,
        joined_match(server.url) as match,
        ExitStack() as stack,
    ):
        for _ in range(5):
            stack.enter_context(match.watch.listen())
        with Client(server.url) as client:
            client.get("/games")


@pytest.mark.thorough
def test_a_websocket_that_has_closed_makes_room(tmp_path: Path) -> None:
    with (
        custom_server(tmp_path, connections_per_address=3) as server,
        joined_match(server.url) as match,
    ):
        for _ in range(10):
            with match.watch.listen():
                pass
            with RawClient(server, live(match)) as client:
                assert client.answer().status == 101
        assert json.loads(match.one.http.get("/api/games").text)
