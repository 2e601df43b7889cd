"""No file descriptors, and a PostgreSQL that is absent at the start or gone for a while."""

import asyncio
import socket
import time
from contextlib import ExitStack

from attack.campaign import Context
from attack.campaigns.faults.outage import new_games, play_through
from attack.servers import NO_LIMITS, AttackedServer, new_cluster, serving
from tests.polling import wait_until
from tests.web.clients import Client, joined_match

DESCRIPTORS = 96
MOST_SECONDS_TO_ANSWER = 30.0
"""How long a call may take while the database is gone; a bound, not a measurement."""


def no_descriptors(context: Context) -> None:
    """Check that a server without descriptors keeps its players, and answers again later."""
    with (
        serving(context, *NO_LIMITS, ulimit=f"-n {DESCRIPTORS}") as server,
        joined_match(server.url) as match,
        match.one.listen() as ann,
        match.two.listen() as bob,
    ):
        match.one.see()  # so that this connection is open
        with ExitStack() as idle:
            _exhaust(server, idle)
            for player, number in ((ann, 8), (bob, 4)):
                answer = player.do("take", match.one.see()["version"], number=number)
                assert answer["type"] == "done", f"a connected player could not move: {answer}"
            hint = match.one.http.post(f"/api{match.one.at}/hint", json={"step": 1})
            assert hint.status_code in (200, 409, 503), f"{hint.status_code}: {hint.text}"
        with Client(server.url) as stranger:
            for _ in wait_until("a stranger gets an answer", 60):
                if stranger.http.get("/api/options").status_code == 200:
                    break
        for _ in wait_until("a hint is given", 60):
            hint = match.one.http.post(f"/api{match.one.at}/hint", json={"step": 1})
            if hint.status_code == 200:
                break
        assert match.one.see()["turns"] == [8, 4]
        server.kill()
        server.restart()
        assert match.one.see()["turns"] == [8, 4]


def _exhaust(server: AttackedServer, idle: ExitStack) -> None:
    """Open connections until the server has no descriptor left, or closes some by itself."""
    for _ in range(2 * DESCRIPTORS):
        idle.enter_context(socket.create_connection(("127.0.0.1", server.port), timeout=30))
    for _ in wait_until("the server has accepted what it can"):
        before = server.descriptors()
        time.sleep(0.2)
        if server.descriptors() == before:
            break


def postgresql_absent_at_the_start(context: Context) -> None:
    """Check that a server whose PostgreSQL does not run says so and ends; later it starts."""
    with new_cluster() as cluster:
        folder = context.folder("server")
        server = AttackedServer(cluster.new_database(), folder, *NO_LIMITS)
        cluster.stop()
        try:
            status, said = server.try_to_start()
            assert status == 1, f"exit status {status}: {said}"
            assert said.startswith("Error: "), said
            assert "Traceback" not in said, said
        finally:
            cluster.start()
        with server, joined_match(server.url) as match:
            match.one.take(8)


def postgresql_gone_for_a_minute(context: Context) -> None:
    """Check that commands are refused while PostgreSQL is gone, and that all continue later."""
    with new_cluster() as cluster, ExitStack() as stack:
        database = cluster.new_database()
        servers = [
            stack.enter_context(serving(context, *NO_LIMITS, database=database)) for _ in range(2)
        ]
        urls = [server.url for server in servers]
        games = new_games(urls, context.rng("gone"))

        async def outage() -> None:
            await asyncio.to_thread(cluster.stop)
            back = time.monotonic() + context.scaled(60, 3)
            try:
                while time.monotonic() < back:
                    for url in urls:
                        await asyncio.to_thread(_ask, url, games[0].id, games[0].keys[1])
                    await asyncio.sleep(0.5)
            finally:
                await asyncio.to_thread(cluster.start)

        play_through(urls, games, outage)


def _ask(url: str, match_id: str, key: str) -> None:
    with Client(url, key) as client:
        began = time.monotonic()
        client.get(f"/matches/{match_id}", 503)
        seconds = time.monotonic() - began
        assert seconds < MOST_SECONDS_TO_ANSWER, f"the answer took {seconds:.1f} s"
