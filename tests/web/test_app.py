"""Errors: every one is answered with a reason and the security headers, and is in the log."""

import sqlite3
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path

import httpx
import pytest

from divisorduel import Match as PlayedMatch
from divisorduel import game
from divisorduel.play.events import Event, MoveUndone, NumberTaken
from divisorduel.store.database import open_database
from divisorduel.store.rooms import Rooms, Step, StoredMatch
from divisorduel.web.routes.websocket import REFUSED
from divisorduel.web.security import HEADERS, hash_of
from tests.polling import wait_until
from tests.web.clients import NO_TLS, Client, Guest, Json, Server, Socket, joined_match, new_match
from tests.web.conftest import Start
from tests.web.custom_server import custom_server

ANN, BOB = "127.0.0.2", "127.0.0.3"
"""Addresses of this machine that count as two."""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Return where the server's database will be."""
    return tmp_path / "server.sqlite"


def change(file: Path, statement: str, *values: object) -> None:
    """Change the database behind the server's back."""
    connection = sqlite3.connect(file, timeout=30)
    with connection:
        assert connection.execute(statement, values).rowcount > 0
    connection.close()


def check_error(answer: httpx.Response, status: int, code: str) -> None:
    assert (answer.status_code, answer.json()["code"]) == (status, code)
    assert answer.json()["reason"]
    assert {name: answer.headers[name] for name in HEADERS} == HEADERS


# --- rows that cannot be read


@pytest.mark.thorough
def test_an_unreadable_match_is_answered_with_a_reason_and_harms_no_other(
    start: Start, file: Path
) -> None:
    server = start(database=f"sqlite:///{file}")
    with (
        new_match(server.url, listed=True) as broken,
        new_match(server.url, listed=True) as whole,
        joined_match(server.url) as played,
    ):
        played.one.take(8)
        for match in (broken, whole, played):
            match.one.http.close()
        server.stop()
        change(file, "UPDATE matches SET base = ? WHERE id = ?", '[Game "chess"]', broken.id)
        change(file, "UPDATE steps SET events = '[{' WHERE match_id = ?", played.id)
        server.restart()
        with Client(server.url) as visitor:
            for _ in range(3):
                assert [one["id"] for one in visitor.get("/matches")] == [whole.id]
                for match in (broken, played):
                    with Guest(server.url, match.id, match.keys["1"]) as guest:
                        for path in ("", "/record", "/board", "/rounds/1"):
                            answer = guest.http.get(f"/api{guest.at}{path}")
                            check_error(answer, 500, "match-unreadable")
                        with Socket(server.url, match.id, guest.key, hello=False) as socket:
                            socket.send(type="hello", key=guest.key)
                            assert socket.closed_with() == REFUSED
        with Guest(server.url, whole.id, whole.keys["1"]) as guest:
            assert guest.see()["state"] == "waiting"
        log = server.log.read_text()
        for match in (broken, played):
            assert log.count(f"Match {match.id} cannot be read. It is set aside.") == 1
        assert log.count("Traceback (most recent call last)") == 2


@pytest.mark.thorough
def test_an_unexpected_error_is_answered_with_a_reason_and_logged_once(
    start: Start, file: Path
) -> None:
    server = start(database=f"sqlite:///{file}")
    with joined_match(server.url) as match:
        change(file, "UPDATE keys SET seats = 'x' WHERE match_id = ?", match.id)
        check_error(match.one.http.get(f"/api{match.one.at}"), 500, "internal-error")
        for _ in wait_until("the error is in the log"):
            if "Traceback" in server.log.read_text():
                break
    with joined_match(server.url) as other:
        other.one.take(8)
    assert server.log.read_text().count("Traceback (most recent call last)") == 1


# --- a database file that is deleted or replaced


@pytest.mark.thorough
def test_a_deleted_database_is_noticed_and_nothing_is_acknowledged(
    start: Start, file: Path
) -> None:
    server = start(database=f"sqlite:///{file}")
    with joined_match(server.url) as match, match.one.listen() as ann:
        match.one.take(8)
        for path in file.parent.glob("server.sqlite*"):
            path.unlink()
        refused = ann.do("undo", version=2)
        assert (refused["type"], refused["code"]) == ("refused", "database-unavailable")
        for answer in (
            match.two.http.get(f"/api{match.two.at}"),
            match.two.http.get("/api/matches"),
            new_match_answer(server),
        ):
            check_error(answer, 503, "database-unavailable")
        told = "was deleted, replaced or truncated while in use. Nothing is saved."
        assert server.log.read_text().count(told) == 1
        assert not file.exists()


def new_match_answer(server: Server) -> httpx.Response:
    players = [{"who": "here", "name": "Ann"}, {"who": "link"}]
    body = {"game": "chain", "players": players}
    return httpx.post(f"{server.url}/api/matches", json=body, verify=NO_TLS, timeout=60)


@pytest.mark.thorough
def test_a_deleted_database_is_reported_even_if_no_one_plays(start: Start, file: Path) -> None:
    server = start(database=f"sqlite:///{file}")
    file.rename(file.with_name("moved.sqlite"))
    for _ in wait_until("it is in the log"):
        if "was deleted, replaced or truncated while in use" in server.log.read_text():
            break


# --- bodies that cannot be read


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (b'{"game": ', "The body is not valid JSON: Expecting value at character 10."),
        (b'{"game": "chain",}', "The body is not valid JSON: "),
        (b"game=chain", "The body is not valid JSON: Expecting value at character 1."),
        (b"", "Field required."),
        (b"[]", "The body must be a JSON object, sent with Content-Type: application/json."),
        (b"\xff{}", "The body cannot be read. Send JSON."),
        (b"[" * 20_000, "The body cannot be read. Send JSON."),
    ],
    ids=["half", "comma", "form", "empty", "list", "not UTF-8", "nested"],
)
def test_a_body_that_cannot_be_read_is_refused_with_a_reason(
    web: Server, body: bytes, reason: str
) -> None:
    headers = {"content-type": "application/json"}
    answer = httpx.post(f"{web.url}/api/matches", content=body, headers=headers, verify=NO_TLS)
    assert answer.status_code in (400, 422)
    check_error(answer, answer.status_code, answer.json()["code"])
    assert reason in answer.json()["reason"]


def test_an_unknown_command_is_refused_with_those_that_exist(web: Server) -> None:
    with joined_match(web.url) as match:
        body = {"version": 0, "command": {"type": "zap"}}
        answer = match.one.http.post(f"/api{match.one.at}/commands", json=body)
        check_error(answer, 422, "invalid-request")
        reason = answer.json()["reason"]
        assert reason.startswith("command.type: unknown value 'zap'. Use take, forfeit, ")
        body["command"] = "take"
        answer = match.one.http.post(f"/api{match.one.at}/commands", json=body)
        check_error(answer, 422, "invalid-request")


@pytest.mark.parametrize("number", ["1" * 4_000, "-1", "1e3", "\uff11", "%00", "0x1"])
def test_an_invalid_round_number_is_refused(web: Server, number: str) -> None:
    with joined_match(web.url) as match:
        answer = match.one.http.get(f"/api{match.one.at}/rounds/{number}")
        check_error(answer, 422, "invalid-request")
        assert len(answer.json()["reason"]) < 200


# --- one address does not hold up another


def client_at(address: str, server: Server, key: str | None = None) -> httpx.Client:
    headers = {"authorization": f"Bearer {key}"} if key else {}
    transport = httpx.HTTPTransport(local_address=address, verify=NO_TLS)
    return httpx.Client(base_url=server.url, headers=headers, transport=transport, timeout=120)


@pytest.fixture
def thinking_server(tmp_path: Path) -> Iterator[Server]:
    """Run a server whose solvers take their time."""
    with custom_server(tmp_path, thinking=60) as server:
        yield server


@pytest.mark.thorough
def test_a_simple_hint_and_a_computer_do_not_wait_for_the_hard_questions_of_another_address(
    thinking_server: Server,
) -> None:
    server, computer = thinking_server, {"who": "computer", "kind": "perfect"}
    with ExitStack() as stack:
        threads = stack.enter_context(ThreadPoolExecutor(2))
        stack.callback(server.kill)  # the hard questions are never answered
        asked = []
        for number in range(2):
            big = {"game": "antichain", "board": {"to": 900 + number}}
            match = stack.enter_context(joined_match(server.url, **big))
            ann = stack.enter_context(client_at(ANN, server, match.keys["1"]))
            asked.append(threads.submit(ann.get, f"/api/matches/{match.id}/why"))
            players = [computer, {"who": "here", "name": "Ann"}]
            assert ann.post("/api/matches", json={**big, "players": players}).status_code == 201
        for _ in wait_until("the solvers work"):
            if len(server.workers()) == 2:
                break
        easy = stack.enter_context(joined_match(server.url))
        bob = stack.enter_context(client_at(BOB, server, easy.keys["1"]))
        for _ in range(5):
            hint = bob.post(f"/api/matches/{easy.id}/hint", json={"step": 1})
            assert hint.json()["text"] == "You can win this."
        small = {"game": "chain", "board": {"to": 20}}
        players = [{"who": "here", "name": "Bob"}, computer]
        created = bob.post("/api/matches", json={**small, "players": players}).json()
        key = created["keys"]["1"]
        socket = stack.enter_context(Socket(server.url, created["id"], key))
        socket.do("take", number=2)
        while len(socket.match["turns"]) < 2:
            assert socket.next()["type"] != "notice"  # it does not guess
        assert not any(answer.done() for answer in asked)


@pytest.mark.thorough
def test_no_one_waits_while_long_matches_are_loaded(tmp_path: Path) -> None:
    """They have thousands of steps that take moves and undo them."""
    database, key = f"sqlite:///{tmp_path / 'server.sqlite'}", "k" * 22
    board = game("antichain", from_=1001, to=2000)
    steps: list[tuple[Event, ...]] = [(NumberTaken(1001 + turn),) for turn in range(900)]
    steps += [(MoveUndone(1900),), (NumberTaken(1900),)] * 9_545
    engine = open_database(database)
    rooms = Rooms(engine, "here")
    for number in range(8):
        name = f"aaaaaaaa{number + 20}"
        begun = PlayedMatch.of(board)
        stored = StoredMatch(name, begun, "2026-11-15", hints=True, listed=False, created=1e9)
        rooms.create(stored, {hash_of(key): 3})
        rooms.write([Step(name, at, events, 1e9) for at, events in enumerate(steps, 1)], [])
    engine.dispose()

    def see(server: Server, match_id: str) -> Json:
        with Guest(server.url, match_id, key) as guest:
            return guest.see()

    with Server(database, tmp_path) as server, ThreadPoolExecutor(8) as threads:
        with joined_match(server.url) as fresh:
            fresh_id, fresh_key = fresh.id, fresh.keys["1"]
        loading = [threads.submit(see, server, f"aaaaaaaa{number + 20}") for number in range(8)]
        with Guest(server.url, fresh_id, fresh_key) as guest, Client(server.url) as visitor:
            for _ in range(10):
                assert guest.see()["state"] == "playing"
                visitor.get("/matches")
            with joined_match(server.url) as other:
                other.one.take(8)
                other.two.take(4)
            assert not all(match.done() for match in loading)
        for match in loading:
            seen = match.result(120)
            assert (seen["version"], seen["turns"][-1]) == (len(steps), 1900)
