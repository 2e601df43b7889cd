"""After the death of a server or an outage of its database, the games continue.

The campaign ``kills`` checks under load that no acknowledged command is lost.
"""

import os
import signal
from collections.abc import Iterator

import pytest

from tests.polling import wait_until
from tests.web.clients import (
    Guest,
    Server,
    Socket,
    joined_match,
    my_turn,
    new_match,
    solo,
)
from tests.web.conftest import Start
from tests.web.databases import new_cluster
from tests.web.postgres import Cluster


@pytest.mark.thorough
def test_after_a_kill_the_computer_makes_its_pending_move(start: Start, database: str) -> None:
    server = start(database=database)
    players = [{"who": "here"}, {"who": "computer", "kind": "random"}]
    with new_match(server.url, players=players, board={"to": 100}) as match:
        match.one.take(8)
        server.kill()
        server.restart()
        for _ in wait_until("the computer has moved"):
            if match.one.see()["to_move"] == 1:
                break
        turns = match.one.see()["turns"]
        assert turns[0] == 8
        assert len(turns) == 2


@pytest.mark.thorough
def test_a_killed_server_leaves_no_workers_behind(start: Start) -> None:
    server = start()
    with joined_match(server.url) as match:
        match.one.post(f"{match.one.at}/hint", step=1)
        workers = server.workers()
        server.kill()
    assert workers
    for _ in wait_until("the workers have ended"):
        if not any(is_running(worker) for worker in workers):
            break


def is_running(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


# --- two processes on one PostgreSQL


def two_servers(
    postgres: Cluster, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Server, Server]]:
    """Run two servers on one database."""
    url = postgres.new_database()
    with (
        Server(url, tmp_path_factory.mktemp("here")) as here,
        Server(url, tmp_path_factory.mktemp("there")) as there,
    ):
        yield here, there


pair = pytest.fixture(two_servers, scope="module", name="pair")
doomed_pair = pytest.fixture(two_servers, name="doomed_pair")
outage = pytest.fixture(new_cluster, scope="module", name="outage")
"""A separate cluster, for tests that stop it."""


@pytest.mark.thorough
def test_commands_sent_to_two_processes_in_turn_are_all_accepted(
    pair: tuple[Server, Server],
) -> None:
    players = [{"who": "here", "name": "Ann"}, {"who": "here", "name": "Bob"}]
    with new_match(pair[0].url, players=players) as match:
        guests = [Guest(server.url, match.id, match.keys["1"]) for server in pair]
        for version in range(30):
            guest = guests[version % 2]
            done = (
                guest.do("undo", version=version) if version % 2 else guest.take(8, version=version)
            )
            assert done["match"]["version"] == version + 1
        for guest in guests:
            guest.http.close()


@pytest.mark.thorough
def test_joining_on_one_process_makes_the_link_invalid_on_the_other(
    pair: tuple[Server, Server],
) -> None:
    here, there = pair
    with new_match(here.url) as match, Guest(there.url, match.id, match.keys["2"]) as invited:
        with invited.listen() as old, match.one.listen() as ann:
            match.join()
            assert old.closed_with() == 1013
            assert ann.hear("step")["match"]["names"] == ["Ann", "Bob"]
        invited.get(invited.at, 403)
        with Guest(there.url, match.id, match.two.key) as bob:
            assert bob.get(bob.at)["seats"] == [2]
            match.one.take(8)
            assert bob.take(4, version=2)["match"]["turns"] == [8, 4]


@pytest.mark.thorough
def test_players_on_two_processes_play_one_game(pair: tuple[Server, Server]) -> None:
    here, there = pair
    with joined_match(here.url) as match, match.one.listen() as ann:
        match.two.url = there.url
        with match.two.listen() as bob:
            while ann.presence["present"] != [True, True]:
                ann.hear("presence")
            while bob.presence["present"] != [True, True]:
                bob.hear("presence")
            assert ann.do("take", number=8)["type"] == "done"
            assert bob.hear("step")["match"]["turns"] == [8]
            assert bob.do("take", number=4)["type"] == "done"
            assert ann.hear("step")["match"]["turns"] == [8, 4]
            assert ann.match == bob.match
        while ann.presence["present"] != [True, False]:
            ann.hear("presence")


@pytest.mark.thorough
def test_two_processes_never_both_carry_out_a_command_for_the_same_version(
    pair: tuple[Server, Server],
) -> None:
    here, there = pair
    players = [{"who": "here", "name": "Ann"}, {"who": "here", "name": "Bob"}]
    with new_match(here.url, players=players, board={"to": 100}) as match:
        match.two.url = there.url
        with match.one.listen() as one, match.two.listen() as two:
            for _ in range(10):
                version, legal = one.match["version"], one.match["legal"]
                asked = [one.ask("take", number=legal[0]), two.ask("take", number=legal[-1])]
                answers = one.answer(asked[0]), two.answer(asked[1])
                assert sorted(answer["type"] for answer in answers) == ["done", "refused"]
                while min(one.match["version"], two.match["version"]) <= version:
                    (one if one.match["version"] <= version else two).next()
                assert one.match == two.match
                assert one.match["version"] == version + 1
                if len(one.match["legal"]) < 2:
                    break


@pytest.mark.thorough
def test_when_one_process_is_killed_its_player_continues_on_the_other(
    doomed_pair: tuple[Server, Server],
) -> None:
    here, there = doomed_pair
    with joined_match(here.url) as match:
        match.two.url = there.url
        with match.two.listen() as bob:
            with match.one.listen() as ann:
                ann.do("take", number=8)
                bob.hear("step")
                here.kill()
                assert ann.closed_with() == 1006
            match.one.url = there.url
            with match.one.listen() as ann:
                assert ann.match["turns"] == [8]
                bob.do("take", number=4)
                ann.hear("step")
                assert ann.do("take", number=2)["type"] == "done"
                assert bob.hear("step")["match"]["turns"] == [8, 4, 2]


@pytest.mark.thorough
def test_servers_recover_after_the_database_has_disconnected_them(
    pair: tuple[Server, Server], postgres: Cluster
) -> None:
    here, there = pair
    name = here.database.rpartition("/")[2]
    with joined_match(here.url) as match, match.one.listen() as ann:
        match.two.url = there.url
        with match.two.listen() as bob:
            postgres.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                f"WHERE datname = '{name}' AND pid <> pg_backend_pid()"
            )
            assert ann.do("take", number=8)["type"] == "done"
            assert bob.hear("step")["match"]["turns"] == [8]
            assert bob.do("take", number=4)["type"] == "done"
            assert ann.hear("step")["match"]["turns"] == [8, 4]


@pytest.mark.thorough
def test_while_the_database_is_down_commands_are_refused_and_then_the_game_continues(
    start: Start, outage: Cluster
) -> None:
    server = start(database=outage.new_database())
    reason = "The database cannot be reached. Try again in a moment."
    with joined_match(server.url) as match, match.one.listen() as ann:
        outage.stop()
        try:
            assert ann.do("take", number=8)["reason"] == reason
            with Socket(server.url, match.id, match.keys["2"], hello=False) as bob:
                bob.send(type="hello", key=match.keys["2"])
                assert bob.closed_with() == 1013
            assert match.one.get(match.one.at, 503)["reason"] == reason
        finally:
            outage.start()
        for _ in wait_until("the move is made"):
            if ann.do("take", number=8)["type"] == "done":
                break
        assert match.two.see()["turns"] == [8]


@pytest.mark.thorough
def test_a_computers_move_that_could_not_be_saved_is_made_when_the_database_is_back(
    start: Start, outage: Cluster
) -> None:
    server = start(database=outage.new_database())
    with solo(server.url, board={"to": 50}) as match:
        match.one.take(8)
        my_turn(match)
        workers = server.workers()
        for worker in workers:
            os.kill(worker, signal.SIGSTOP)  # keeps the computer thinking
        match.one.do("undo")
        match.one.take(7)
        outage.stop()
        try:
            for worker in workers:
                os.kill(worker, signal.SIGCONT)
            for _ in wait_until("the move could not be written"):
                if "A computer's move could not be made" in server.log.read_text():
                    break
        finally:
            outage.start()
        for _ in wait_until("the server has found the database again"):
            if match.one.http.get(f"/api{match.one.at}").status_code == 200:
                break
        assert len(my_turn(match)["turns"]) == 2
