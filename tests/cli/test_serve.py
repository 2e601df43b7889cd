"""``duel serve``: how it starts, what it warns about, and how it stops."""

import signal
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.conftest import DUEL, THOROUGH, Duel, thorough_except
from tests.polling import wait_until
from tests.web.clients import Client, Server, joined_match, new_match
from tests.web.databases import sqlite_in
from tests.web.live.test_kill_recovery import is_running
from tests.web.raw_client import HALF_A_BODY, HALF_A_HEAD, RawClient, seconds_to_answer


@contextmanager
def served(folder: Path, *words: str) -> Iterator[Server]:
    with Server(sqlite_in(folder), folder, *words) as server:
        yield server


@pytest.mark.parametrize(
    "number",
    thorough_except([signal.SIGINT, signal.SIGTERM], signal.SIGTERM),
    ids=["Ctrl-C", "SIGTERM"],
)
def test_the_server_stops_cleanly_and_leaves_no_process_behind(tmp_path: Path, number: int) -> None:
    with served(tmp_path) as server, joined_match(server.url) as match:
        match.one.post(f"{match.one.at}/hint", step=1)
        workers = server.workers()
        assert workers
        with match.one.listen() as ann:
            status = server.stop(number)
            assert ann.closed_with() == 1012
    assert status == (130 if number == signal.SIGINT else -signal.SIGTERM)
    assert not [worker for worker in workers if is_running(worker)]
    printed = server.log.read_text().strip()
    assert printed == f"Divisor Duel is running at {server.url}/ (Ctrl-C stops it)"


@pytest.mark.parametrize("sent", [HALF_A_HEAD, HALF_A_BODY], ids=["half a head", "half a body"])
@pytest.mark.thorough
def test_the_server_stops_even_if_a_request_is_half_sent(tmp_path: Path, sent: bytes) -> None:
    with served(tmp_path) as server, RawClient(server, sent) as client:
        seconds_to_answer(server)  # so the half has arrived as well
        assert server.stop() == -signal.SIGTERM
        refused = client.answer()
        assert refused.status == 503
        assert refused.problem["code"] == "shutting-down"
    printed = server.log.read_text().strip()
    assert printed == f"Divisor Duel is running at {server.url}/ (Ctrl-C stops it)"


@pytest.mark.thorough
def test_the_server_stops_even_if_a_client_does_not_read(tmp_path: Path) -> None:
    asked = b"GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n" * 8
    with served(tmp_path) as server, RawClient(server) as client:
        client.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        client.socket.sendall(asked)
        seconds_to_answer(server)
        assert server.stop() == -signal.SIGTERM
    assert "Traceback" not in server.log.read_text()


@pytest.mark.thorough
def test_a_request_that_would_take_too_long_is_refused_when_the_server_stops(
    tmp_path: Path,
) -> None:
    with (
        served(tmp_path) as server,
        joined_match(server.url, game="antichain", board={"to": 1000}, hints=True) as match,
    ):
        key = f"Authorization: Bearer {match.keys['1']}"
        asked = f"GET /api{match.one.at}/why HTTP/1.1\r\nHost: localhost\r\n{key}\r\n\r\n"
        with RawClient(server, asked.encode()) as client:
            for _ in wait_until("the question is worked on"):
                if server.workers():
                    break
            assert server.stop() == -signal.SIGTERM
            refused = client.answer()
            assert refused.status == 503
            assert refused.problem["code"] == "shutting-down"
    assert "Traceback" not in server.log.read_text()


@pytest.mark.thorough
def test_the_server_stops_even_while_a_computer_is_thinking(tmp_path: Path) -> None:
    players = [{"who": "here"}, {"who": "computer", "kind": "perfect"}]
    with (
        served(tmp_path) as server,
        new_match(server.url, game="antichain", board={"to": 1001}, players=players) as match,
    ):
        match.one.take(2)
        for _ in wait_until("the computer thinks"):
            if server.workers():
                break
        workers = server.workers()
        assert server.stop(signal.SIGINT) == 130
    assert not [worker for worker in workers if is_running(worker)]
    assert "Traceback" not in server.log.read_text()


@pytest.mark.thorough
def test_a_server_can_restart_on_the_same_port(tmp_path: Path) -> None:
    with served(tmp_path) as server, joined_match(server.url) as match:
        match.one.take(8)
        port = server.port
        server.stop()
        server.restart()
        assert server.port == port
        assert match.two.take(4)["match"]["turns"] == [8, 4]


@pytest.mark.thorough
def test_a_second_server_on_the_same_file_is_refused_until_the_first_is_gone(
    duel: Duel, tmp_path: Path
) -> None:
    database = sqlite_in(tmp_path)
    with served(tmp_path) as server, joined_match(server.url) as match:
        match.one.take(8)
        done = duel.run("serve", "--no-open", "--port", "0", "--database", database)
        assert done.returncode == 1
        assert done.stdout == ""
        assert done.stderr == (
            f"Error: Another server already uses {tmp_path / 'server.sqlite'}. "
            "Choose another file with --database, "
            "or use PostgreSQL, which several servers can share.\n"
        )
        match.two.take(4)
        server.kill()
        with served(tmp_path) as next_one:
            match.watch.http.base_url = next_one.url
            assert match.watch.see()["turns"] == [8, 4]


def test_a_port_that_is_in_use_is_reported_with_advice(duel: Duel) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        done = duel.run("serve", "--no-open", "--port", str(port))
    assert done.returncode == 1
    assert done.stdout == ""
    assert done.stderr == (
        f"Error: 127.0.0.1 port {port} cannot be used: Address already in use.\n"
        "Choose another port with --port; --port 0 picks a free one.\n"
    )


def test_a_host_that_does_not_exist_is_reported(duel: Duel) -> None:
    done = duel.run("serve", "--no-open", "--host", "no-such-host.invalid")
    assert done.returncode == 1
    assert done.stderr.startswith("Error: no-such-host.invalid port 8721 cannot be used: ")
    assert "Choose an address of this machine with --host: " in done.stderr
    assert "--port" not in done.stderr


@pytest.mark.parametrize(
    ("database", "sentence"),
    [
        ("nonsense", "Not a database URL."),
        pytest.param(
            "postgresql://me:secret@127.0.0.1:port/x", "Not a database URL.", marks=THOROUGH
        ),
        pytest.param("mysql://me@host/x", "Unknown database 'mysql'.", marks=THOROUGH),
        ("postgresql://me:secret@127.0.0.1:1/x", "connection failed"),
    ],
)
def test_a_database_that_cannot_be_used_is_reported(
    duel: Duel, database: str, sentence: str
) -> None:
    done = duel.run("serve", "--no-open", "--port", "0", "--database", database)
    assert done.returncode == 1
    assert done.stderr.startswith("Error: ")
    assert sentence in done.stderr
    assert "Traceback" not in done.stderr
    assert "secret" not in done.stderr


@pytest.mark.parametrize(
    "words",
    [
        ("--port", "65536"),
        ("--claim-after", "soon"),
        ("--expire-after", "0"),
        ("--games-a-minute", "0"),
        ("--commands-a-minute", "0"),
        ("--workers", "0"),
        ("--connections", "0"),
        ("--connections-per-address", "0"),
        ("--requests-a-minute", "0"),
    ],
    ids=" ".join,
)
def test_an_option_with_an_invalid_value_is_refused(duel: Duel, words: tuple[str, ...]) -> None:
    done = duel.run("serve", "--no-open", *words)
    assert done.returncode == 2
    assert f"Invalid value for '{words[0]}'" in done.stderr


@pytest.mark.thorough
def test_a_public_server_warns_and_answers_to_any_host_name(tmp_path: Path) -> None:
    with served(tmp_path, "--host", "0.0.0.0") as server, Client(server.url) as client:
        for _ in wait_until("the warning is written"):
            if server.log.read_text().endswith("docs/serving.md shows how.\n"):
                break
        printed = server.log.read_text()
        assert "Everyone who can reach this machine over the network can play here" in printed
        answer = client.http.get("/api/games", headers={"host": "class.example"})
        assert answer.status_code == 200


@pytest.mark.thorough
def test_a_private_server_does_not_warn(tmp_path: Path) -> None:
    with served(tmp_path) as server:
        server.stop()
        assert "Everyone" not in server.log.read_text()


@pytest.mark.thorough
def test_by_default_games_are_stored_in_the_data_folder(duel: Duel) -> None:
    command = [DUEL, "serve", "--no-open", "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=duel.environment()) as running:
        assert running.stdout is not None
        assert running.stdout.readline().startswith(b"Divisor Duel is running at http://127.0.0.1:")
        running.terminate()
    assert (duel.home / "divisorduel" / "server.sqlite").exists()
