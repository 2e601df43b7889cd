"""Faults of a server's SQLite file while it serves: full, locked, deleted, replaced, truncated."""

import asyncio
import os
import resource
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from attack.campaign import Context
from attack.campaigns.faults.outage import new_games, play_through, refused
from attack.load import UNAVAILABLE, ScriptedGame
from attack.scripted_match import apart
from attack.servers import NO_LIMITS, AttackedServer, serving, sqlite_in
from attack.small_disk import small_disk
from tests.polling import wait_until
from tests.web.clients import Client

BEFORE = 4
"""How many commands of a match are carried out before its file is taken away."""
SECONDS_LOCKED = 12.0
"""Longer than the server waits for a lock."""


def full_disk_under_a_server(context: Context) -> None:
    """Check that commands are refused while a disk is full, and accepted afterwards."""
    with (
        small_disk(context.folder("disk"), "4m") as disk,
        serving(context, *NO_LIMITS, database=sqlite_in(disk.folder)) as server,
    ):
        games = new_games([server.url], context.rng("full"))

        async def fill() -> None:
            disk.fill()
            await refused(games)
            disk.free()

        play_through([server.url], games, fill)
        _check_after_restart(server, games)


def file_size_limit_of_a_server(context: Context) -> None:
    """Check the same if a limit on the size of files stops every write (RLIMIT_FSIZE)."""
    with serving(context, *NO_LIMITS) as server:
        games = new_games([server.url], context.rng("limit"))
        _, hard = resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE)

        async def limit() -> None:
            resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (0, hard))
            await refused(games)
            resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (hard, hard))

        play_through([server.url], games, limit)
        _check_after_restart(server, games)


def locked_database(context: Context) -> None:
    """Check that commands are refused while another program holds a lock, and accepted later."""
    with serving(context, *NO_LIMITS) as server:
        games = new_games([server.url], context.rng("locked"))

        async def lock() -> None:
            with closing(sqlite3.connect(server.file, isolation_level=None)) as other:
                other.execute("BEGIN IMMEDIATE")
                await asyncio.sleep(SECONDS_LOCKED)
                other.execute("ROLLBACK")

        play_through([server.url], games, lock)
        _check_after_restart(server, games)


def deleted_database(context: Context) -> None:
    """Check that no command is acknowledged once the file is deleted, and that the log says so."""

    def delete(file: Path) -> None:
        for path in file.parent.glob(f"{file.name}*"):
            if path.suffix != ".lock":
                path.unlink()

    _without_its_file(context, delete)


def replaced_database(context: Context) -> None:
    """Check that no command is acknowledged once the file is replaced by another one."""

    def replace(file: Path) -> None:
        other = file.with_name("other")
        with closing(sqlite3.connect(file)) as source, closing(sqlite3.connect(other)) as copy:
            source.backup(copy)
        other.replace(file)

    _without_its_file(context, replace)


def truncated_database(context: Context) -> None:
    """Check that no command is acknowledged once the file is emptied."""
    _without_its_file(context, lambda file: os.truncate(file, 0))


def _without_its_file(context: Context, take_away: Callable[[Path], None]) -> None:
    """Take the file of a match away while two players are connected and playing."""
    with serving(context, *NO_LIMITS) as server:
        game = ScriptedGame(server.url, apart(context.rng("game"), 10))

        def count() -> None:
            if game.told == BEFORE:
                take_away(server.file)

        game.on_told = count
        asyncio.run(game.play([server.url], asyncio.Event()))
        lost = game.told - BEFORE
        assert not lost, f"{lost} commands were acknowledged but are in no file"
        assert UNAVAILABLE in game.refusals, f"refused with {game.refusals}, not {UNAVAILABLE}"
        with Client(server.url, game.keys[1]) as client:
            client.get(f"/matches/{game.id}", 503)
        for _ in wait_until("the log names the file"):
            if server.file.name in server.log.read_text():
                break
        assert "Traceback" not in server.log.read_text(), server.log.read_text()


def _check_after_restart(server: AttackedServer, games: list[ScriptedGame]) -> None:
    server.kill()
    server.restart()
    for game in games:
        game.check(server.url)
