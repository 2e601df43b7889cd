"""Faults of a server's SQLite file while it serves: full, locked, deleted, replaced, truncated."""

import asyncio
import os
import resource
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from attack.campaign import Context
from attack.campaigns.faults.outage import new_games, play_through, refused
from attack.load import UNAVAILABLE, ScriptedGame
from attack.scripted_match import apart
from attack.servers import PLENTY, AttackedServer, serving, sqlite_in
from attack.small_disk import small_disk
from tests.web.clients import Client
from tests.web.postgres import wait_until

SECONDS_LOCKED = 12.0
"""Longer than the server waits for a lock."""


def full_disk_under_a_server(context: Context) -> None:
    """Check that commands are refused while a disk is full, and accepted afterwards."""
    with (
        small_disk(context.folder("disk"), "4m") as disk,
        serving(context, *PLENTY, database=sqlite_in(disk.folder)) as server,
    ):
        games = new_games([server.url], context.rng("full"))

        async def fill() -> None:
            disk.fill()
            await refused(games)
            disk.free()

        play_through([server.url], games, fill)
        _check_after_restart(server, games)


def file_size_limit_of_a_server(context: Context) -> None:
    """Check the same where a limit on the size of files stops every write (RLIMIT_FSIZE)."""
    with serving(context, *PLENTY) as server:
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
    with serving(context, *PLENTY) as server:
        games = new_games([server.url], context.rng("locked"))

        async def lock() -> None:
            with closing(sqlite3.connect(_file(server), isolation_level=None)) as other:
                other.execute("BEGIN IMMEDIATE")
                await asyncio.sleep(SECONDS_LOCKED)
                other.execute("ROLLBACK")

        play_through([server.url], games, lock)
        _check_after_restart(server, games)


def deleted_database(context: Context) -> None:
    """Check that no command is acknowledged into a file that was deleted, and the log tells it."""

    def delete(file: Path) -> None:
        for path in file.parent.glob(f"{file.name}*"):
            if path.suffix != ".lock":
                path.unlink()

    _without_its_file(context, delete)


def replaced_database(context: Context) -> None:
    """Check that no command is acknowledged into a file that was replaced by another one."""

    def replace(file: Path) -> None:
        other = file.with_name("other")
        with closing(sqlite3.connect(file)) as source, closing(sqlite3.connect(other)) as copy:
            source.backup(copy)
        other.replace(file)

    _without_its_file(context, replace)


def truncated_database(context: Context) -> None:
    """Check that a server whose file was truncated answers, if only with a reason."""
    with _game(context) as (server, game):
        os.truncate(_file(server), 0)
        _play(game, server)
        with Client(server.url, game.keys[1]) as client:
            for path in (f"/matches/{game.id}", "/matches"):
                answer = client.http.get(f"/api{path}")
                assert answer.status_code in (200, 503), f"{answer.status_code}: {answer.text}"
        assert "Traceback" not in server.log.read_text(), server.log.read_text()


def _without_its_file(context: Context, take_away: Callable[[Path], None]) -> None:
    with _game(context) as (server, game):
        take_away(_file(server))
        before = game.told
        _play(game, server)
        lost = game.told - before
        assert not lost, f"{lost} commands were acknowledged, and are in no file"
        assert UNAVAILABLE in game.refusals, f"refused with {game.refusals}, not {UNAVAILABLE}"
        with Client(server.url, game.keys[1]) as client:
            client.get(f"/matches/{game.id}", 503)
        for _ in wait_until("the log names the file"):
            if _file(server).name in server.log.read_text():
                break
        assert "Traceback" not in server.log.read_text(), server.log.read_text()


@contextmanager
def _game(context: Context) -> Iterator[tuple[AttackedServer, ScriptedGame]]:
    """Run a server with a match that has begun."""
    with serving(context, *PLENTY) as server:
        game = ScriptedGame(server.url, apart(context.rng("game"), 10))
        _play(game, server, moves=4)
        assert game.told >= 4
        yield server, game


def _play(game: ScriptedGame, server: AttackedServer, moves: int = 10) -> None:
    """Play until so many commands have been carried out or one was refused."""

    async def play() -> None:
        stop = asyncio.Event()
        playing = asyncio.create_task(game.play([server.url], stop))
        while not playing.done() and game.told < moves:
            await asyncio.sleep(0.01)
        stop.set()
        await playing

    asyncio.run(play())


def _file(server: AttackedServer) -> Path:
    return Path(server.database.removeprefix("sqlite:///"))


def _check_after_restart(server: AttackedServer, games: list[ScriptedGame]) -> None:
    server.kill()
    server.restart()
    for game in games:
        game.check(server.url)
