"""Databases that are not ours: other files, other tables, truncated files, unreadable rows."""

import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager

from attack.campaign import Context
from attack.servers import NO_LIMITS, AttackedServer, serving, sqlite_in
from attack.small_disk import small_disk
from divisorduel.web.security import HEADERS
from tests.polling import wait_until
from tests.web.clients import Client, Match, joined_match, new_match

CONTENTS = {
    "text": b"my notes\n" * 200,
    "random bytes": bytes(range(256)) * 64,
    "a truncated header": b"SQLite form",
}


def foreign_files(context: Context) -> None:
    """Check that a file that is not a database is refused with a sentence, and left alone."""
    for name, content in CONTENTS.items():
        folder = context.folder("foreign")
        file = folder / "server.sqlite"
        file.write_bytes(content)
        _refused(AttackedServer(sqlite_in(folder), folder), name)
        assert file.read_bytes() == content, f"{name}: the file was changed"


def foreign_tables(context: Context) -> None:
    """Check that a database of another program is refused, and its tables are left alone."""
    folder = context.folder("foreign")
    with closing(sqlite3.connect(folder / "server.sqlite")) as other:
        other.executescript("CREATE TABLE matches (box TEXT); INSERT INTO matches VALUES ('red');")
    _refused(AttackedServer(sqlite_in(folder), folder), "another program's tables")
    with closing(sqlite3.connect(folder / "server.sqlite")) as other:
        assert other.execute("SELECT * FROM matches").fetchall() == [("red",)]
        tables = other.execute("SELECT name FROM sqlite_master").fetchall()
        assert tables == [("matches",)], f"tables were added: {tables}"


def truncated_before_the_start(context: Context) -> None:
    """Check that a truncated database is refused, at the start or when it is read."""
    with serving(context, *NO_LIMITS) as server, joined_match(server.url) as match:
        match.one.take(8)
        server.stop()
        file, whole = server.file, server.file.read_bytes()
        for part in (0.1, 0.5, 0.9):
            file.write_bytes(whole[: int(len(whole) * part)])
            status, said = server.try_to_start()
            if status is None:
                answer = match.one.http.get(f"/api{match.one.at}")
                assert answer.status_code in (200, 403, 503), answer.text
                server.kill()
                said = server.log.read_text()
            assert "Traceback" not in said, f"{part:.0%} of a database: {said}"
            for left in file.parent.glob(f"{file.name}-*"):
                left.unlink()
        file.write_bytes(whole)
        server.restart()
        assert match.one.see()["turns"] == [8]


def folder_in_place_of_a_file(context: Context) -> None:
    """Check that a folder in the place of the database is refused with a sentence."""
    folder = context.folder("foreign")
    (folder / "server.sqlite").mkdir()
    _refused(AttackedServer(sqlite_in(folder), folder), "a folder")


def start_on_a_read_only_disk(context: Context) -> None:
    """Check that a server on a read-only disk says why it does not start, and harms nothing."""
    with (
        small_disk(context.folder("disk"), "4m") as disk,
        serving(context, *NO_LIMITS, database=sqlite_in(disk.folder)) as server,
        joined_match(server.url) as match,
    ):
        match.one.take(8)
        server.stop()
        disk.set_read_only(read_only=True)
        _refused(server, "a read-only disk")
        disk.set_read_only(read_only=False)
        server.restart()
        assert match.one.see()["turns"] == [8]


def start_on_a_full_disk(context: Context) -> None:
    """Check that a server on a full disk starts or says why it does not, and loses nothing."""
    with (
        small_disk(context.folder("disk"), "4m") as disk,
        serving(context, *NO_LIMITS, database=sqlite_in(disk.folder)) as server,
        joined_match(server.url) as match,
    ):
        match.one.take(8)
        server.kill()
        disk.fill()
        status, said = server.try_to_start()
        assert "Traceback" not in said, said
        if status is None:
            server.kill()
        disk.free()
        server.restart()
        assert match.one.see()["turns"] == [8]


def unreadable_rows(context: Context) -> None:
    """Check that a row that cannot be read costs its own match and no other."""
    with _spoiled(context, "UPDATE steps SET events = '[{' WHERE match_id = ?") as (server, match):
        _check_spoiled(server, match)


def unknown_events(context: Context) -> None:
    """Check that a step of an unknown type costs its own match and no other."""
    step = """UPDATE steps SET events = '[{"type": "castled"}]' WHERE match_id = ?"""
    with _spoiled(context, step) as (server, match):
        _check_spoiled(server, match)


def unreadable_record(context: Context) -> None:
    """Check that a match whose beginning cannot be read is left out, and no other."""
    with _spoiled(context, "UPDATE matches SET base = '[Game ' WHERE id = ?") as (server, match):
        _check_spoiled(server, match)


@contextmanager
def _spoiled(context: Context, statement: str) -> Iterator[tuple[AttackedServer, Match]]:
    """Run a server that closes matches after a few seconds; spoil one that is old and listed."""
    words = (*NO_LIMITS, "--expire-after", f"{5 / 86_400}")
    with serving(context, *words) as server, new_match(server.url, listed=True) as match:
        with Client(server.url) as guest:
            assert guest.get("/matches")
        if "steps" in statement:
            match.join()
            match.one.take(8)
        server.kill()
        with closing(sqlite3.connect(server.file)) as database:
            changed = database.execute(statement, (match.id,)).rowcount
            database.commit()
        assert changed, "the row does not exist"
        server.restart()
        yield server, match


def _check_spoiled(server: AttackedServer, spoiled: Match) -> None:
    with new_match(server.url, listed=True) as sound, Client(server.url) as guest:
        listed = [one["id"] for one in guest.get("/matches")]
        assert sound.id in listed, "another match is missing from the list"
        assert spoiled.id not in listed
        for path in ("", "/board", "/record", "/rounds/1"):
            answer = spoiled.one.http.get(f"/api{spoiled.one.at}{path}")
            what = f"GET {path or '/'}: {answer.status_code} {answer.text[:200]}"
            assert answer.status_code >= 400, what
            assert answer.headers["content-type"] == "application/json", what
            assert set(answer.json()) >= {"code", "reason"}, what
            missing = [name for name in HEADERS if name not in answer.headers]
            assert not missing, f"{what}: without {missing}"
        for _ in wait_until("the intact match is closed on time", 60):
            if sound.one.see()["state"] == "expired":
                break
            time.sleep(0.5)  # each look is a sign of life for presence, not for the match


def _refused(server: AttackedServer, what: str) -> None:
    """Start a server that must refuse its database with a sentence."""
    status, said = server.try_to_start()
    if status is None:
        server.kill()
    assert status == 1, f"{what}: exit status {status}: {said}"
    assert said.startswith("Error: "), f"{what}: {said}"
    assert "Traceback" not in said, f"{what}: {said}"
