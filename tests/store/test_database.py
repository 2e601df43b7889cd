"""A database is claimed, migrated and shared without processes getting in each other's way."""

import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import psycopg
import pytest
from sqlalchemy import make_url

from divisorduel.store.atomic_file import StoreError
from divisorduel.store.database import MIGRATING, claim, default_url, open_database
from divisorduel.store.rooms import CHANNEL, PlayerPresence, Rooms
from tests.polling import wait_until
from tests.store.test_rooms import HASHES, step, stored, waiting_match
from tests.web.postgres import Cluster


def test_a_server_has_a_sqlite_file_in_the_folder_of_the_user_by_default(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    engine = open_database(default_url())
    engine.dispose()
    [file] = tmp_path.rglob("*.sqlite")
    assert file.name == "server.sqlite"


def test_the_lock_of_a_sqlite_file_is_next_to_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    monkeypatch.chdir(elsewhere)
    with claim(f"sqlite:///{tmp_path}/data/x.sqlite"):
        assert [*(tmp_path / "data").iterdir()] == [tmp_path / "data" / "x.sqlite.lock"]
    assert [*elsewhere.iterdir()] == []


def test_two_sqlite_files_can_be_claimed_at_the_same_time(tmp_path: Path) -> None:
    with claim(f"sqlite:///{tmp_path}/x.sqlite"), claim(f"sqlite:///{tmp_path}/y.sqlite"):
        pass


def test_a_server_waits_while_another_one_migrates_the_database(postgres: Cluster) -> None:
    url = postgres.new_database()
    waiting = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted"
    with ThreadPoolExecutor(1) as threads, psycopg.connect(url, autocommit=True) as migrating:
        migrating.execute("SELECT pg_advisory_lock(%s)", [MIGRATING])
        opening = threads.submit(open_database, url)
        for _ in wait_until("the second server waits"):
            found = migrating.execute(waiting).fetchone()
            if found and found[0]:
                break
        assert not opening.done()
        migrating.execute("SELECT pg_advisory_unlock(%s)", [MIGRATING])
        opening.result(120).dispose()


def test_other_processes_are_told_which_matches_have_changed(postgres: Cluster) -> None:
    url = postgres.new_database()
    engine = open_database(url)
    rooms = Rooms(engine, "one")
    for name in ("m", "n", "o"):
        rooms.create(stored(name, waiting_match()), HASHES)
    with psycopg.connect(url, autocommit=True) as other:
        other.execute(f"LISTEN {CHANNEL}")
        quiet, news = PlayerPresence("m", 1, 5.0), PlayerPresence("n", 2, 6.0, news=True)
        rooms.write([step("o", 1), step("m", 1)], [quiet])
        rooms.write([step("o", 1)], [news])  # the step is too late
        told = [one.payload for one in other.notifies(timeout=60, stop_after=3)]
    assert told == ["one m", "one o", "one n"]
    assert rooms.shared
    engine.dispose()


def test_a_sqlite_file_is_not_shared(tmp_path: Path) -> None:
    engine = open_database(f"sqlite:///{tmp_path}/x.sqlite")
    assert not Rooms(engine, "here").shared
    engine.dispose()


@pytest.mark.parametrize("scheme", ["postgres", "postgresql", "postgresql+psycopg"])
def test_postgresql_is_known_by_its_usual_names(postgres: Cluster, scheme: str) -> None:
    url = make_url(postgres.new_database()).set(drivername=scheme)
    engine = open_database(url)
    assert engine.dialect.name == "postgresql"
    engine.dispose()


def test_tables_of_another_program_are_refused_and_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "x.sqlite"
    with closing(sqlite3.connect(file)) as other:
        other.execute("CREATE TABLE matches (sets INTEGER)")
    before = file.read_bytes()
    with pytest.raises(StoreError, match="belongs to another program"):
        open_database(f"sqlite:///{file}")
    assert file.read_bytes()[100:] == before[100:], "all but the mode of the journal"


def test_a_database_can_hold_other_tables_of_another_program(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "x.sqlite")) as other:
        other.execute("CREATE TABLE recipes (name TEXT)")
    for _ in range(2):
        open_database(f"sqlite:///{tmp_path}/x.sqlite").dispose()


def test_a_database_that_cannot_be_used_is_not_left_open(tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("Dear Ann, " * 100)
    before = len(list(Path("/dev/fd").iterdir()))
    with pytest.raises(StoreError) as error:
        open_database(f"sqlite:///{tmp_path}/letter.txt")
    assert error.traceback
    assert len(list(Path("/dev/fd").iterdir())) == before


def test_a_database_can_be_closed_by_another_thread(tmp_path: Path) -> None:
    engine = open_database(f"sqlite:///{tmp_path}/x.sqlite")
    with ThreadPoolExecutor(1) as threads:
        threads.submit(engine.dispose).result()
    assert [path.name for path in tmp_path.iterdir()] == ["x.sqlite"]


def test_a_connection_that_postgresql_has_ended_is_replaced(postgres: Cluster) -> None:
    url = postgres.new_database()
    engine = open_database(url)
    rooms = Rooms(engine, "one")
    rooms.create(stored("m"), HASHES)
    ended = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s"
    with psycopg.connect(postgres.url("postgres"), autocommit=True) as other:
        other.execute(ended, [make_url(url).database])
    assert rooms.open("m") == stored("m")
    engine.dispose()
