"""The server's database: a SQLite file or PostgreSQL."""

import logging
import sqlite3
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary

from alembic.util import CommandError
from sqlalchemy import URL, Connection, Engine, create_engine, event, inspect, make_url, text
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError, SQLAlchemyError
from sqlalchemy.pool import QueuePool

from divisorduel.rules.errors import MissingExtra
from divisorduel.store.atomic_file import StoreError, lock, unusable
from divisorduel.store.match_files import data_folder
from divisorduel.store.schema import metadata

MIGRATING = 872_1993
"""The PostgreSQL advisory lock that a process holds while it migrates the database."""
SECONDS_TO_WAIT = 10

log = logging.getLogger("divisorduel")


class DatabaseReplaced(SQLAlchemyError):
    """The SQLite file was deleted, replaced or truncated while in use."""


class _OpenFile:
    """A SQLite file in use, with its write-ahead log, which holds the latest steps."""

    def __init__(self, path: Path) -> None:
        self._path, self._log = path, path.with_name(f"{path.name}-wal")
        # While this connection is open, SQLite itself neither deletes nor replaces the log.
        self._keeper = sqlite3.connect(path, check_same_thread=False)
        self._keeper.execute("SELECT * FROM sqlite_master").fetchall()
        self._opened, self._size = self._look()
        """A SQLite file grows, but does not shrink by itself."""
        self._is_reported = False

    def _look(self) -> tuple[list[tuple[int, int] | None], int]:
        """Return which files there are now, and the size of the database."""
        found: list[tuple[int, int] | None] = []
        size = 0
        for path in (self._log, self._path):
            try:
                about = path.stat()
            except OSError:
                found.append(None)
            else:
                found.append((about.st_dev, about.st_ino))
                size = about.st_size
        return found, size

    def _is_whole(self) -> bool:
        found, size = self._look()
        return found == self._opened and size >= self._size

    def check(self) -> None:
        """Raise `DatabaseReplaced` if what is written now would not be in the file."""
        if self._is_whole():
            self._is_reported = False
            return
        what = f"The database file {self._path} was deleted, replaced or truncated while in use."
        if not self._is_reported:
            self._is_reported = True
            log.error("%s Nothing is saved. Restore the file and restart the server.", what)
        raise DatabaseReplaced(what)

    def close(self) -> None:
        """Let SQLite tidy up."""
        self._keeper.close()


_open_files: WeakKeyDictionary[Engine, _OpenFile] = WeakKeyDictionary()


def default_url() -> URL:
    """Return the URL of the SQLite file in the user's data folder."""
    return URL.create("sqlite", database=str(data_folder().parent / "server.sqlite"))


def open_database(address: URL | str) -> Engine:
    """Open a database, after creating or migrating it if necessary. Raises `StoreError`.

    The URL is ``sqlite:///FILE`` or ``postgresql://USER:PASSWORD@HOST/NAME``. Raises `MissingExtra`
    if the PostgreSQL driver is not installed.
    """
    url = _read_url(address)
    engine = _sqlite(url) if url.get_backend_name() == "sqlite" else _postgresql(url)
    shown = url.render_as_string(hide_password=True)
    try:
        with engine.begin() as connection:
            if _is_foreign(connection):
                raise StoreError(
                    f"The database {shown} belongs to another program. Choose another database."
                )
            _migrate(connection)
    except (DBAPIError, CommandError) as error:
        engine.dispose()
        reason = "It was made by a newer version of Divisor Duel. Upgrade first."
        if isinstance(error, DBAPIError):
            reason = " ".join(str(error.orig).split())
        raise StoreError(f"The database {shown} cannot be used: {reason}") from None
    if engine.dialect.name == "sqlite":
        _watch(engine, _OpenFile(Path(str(url.database))))
    return engine


def check_file(engine: Engine) -> None:
    """Raise `DatabaseReplaced` if the SQLite file of a database was deleted or replaced.

    Call it after a commit, before the caller is told that the data is on disk. Reading and writing
    check it before they begin. It takes a few microseconds.
    """
    if (file := _open_files.get(engine)) is not None:
        file.check()


def _watch(engine: Engine, file: _OpenFile) -> None:
    """Check the file before every use of a connection, and before a new one could create it."""
    _open_files[engine] = file
    event.listen(engine, "checkout", lambda *_: file.check())
    event.listen(engine, "do_connect", lambda *_: file.check())
    event.listen(engine, "engine_disposed", lambda _: file.close())


def claim(address: URL | str) -> AbstractContextManager[object]:
    """Claim a SQLite file for this process until the returned context manager exits.

    Several processes may share PostgreSQL. Raises `StoreError` if another process has the file.
    """
    url = _read_url(address)
    if url.get_backend_name() != "sqlite":
        return nullcontext()
    return lock(
        Path(f"{_file_of(url)}.lock"),
        f"Another server already uses {url.database}. Choose another file with --database, "
        "or use PostgreSQL, which several servers can share.",
    )


def _read_url(address: URL | str) -> URL:
    try:
        url = make_url(address)
    except (ArgumentError, ValueError):  # the latter for a port that is not a number
        raise StoreError(
            "Not a database URL. Use sqlite:///FILE or postgresql://USER:PASSWORD@HOST/NAME."
        ) from None
    name = url.get_backend_name()
    if name == "sqlite":
        if not url.database or url.database == ":memory:":
            raise StoreError("The database URL has no file name. Use sqlite:///FILE.")
        return url.set(drivername="sqlite")
    if name in ("postgresql", "postgres"):
        return url.set(drivername="postgresql+psycopg")
    raise StoreError(f"Unknown database {name!r}. Use sqlite:///FILE or postgresql://…")


def _sqlite(url: URL) -> Engine:
    _file_of(url)
    engine = create_engine(url, poolclass=QueuePool, connect_args={"timeout": SECONDS_TO_WAIT})

    @event.listens_for(engine, "connect")
    def _prepare(connection: Any, _record: object) -> None:
        # FULL: acknowledged moves survive a power loss. Many moves share one write.
        for setting in ("journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON"):
            connection.execute(f"PRAGMA {setting}")

    return engine


def _file_of(url: URL) -> Path:
    """Return the file of a SQLite database, after creating its folder."""
    file = Path(str(url.database))
    with unusable(f"The folder {file.parent}", "created"):
        file.parent.mkdir(parents=True, exist_ok=True)
    return file


def _postgresql(url: URL) -> Engine:
    try:
        return create_engine(url, pool_pre_ping=True, connect_args={"connect_timeout": 10})
    except (ModuleNotFoundError, NoSuchModuleError):
        raise MissingExtra("PostgreSQL", "postgres") from None


def _is_foreign(connection: Connection) -> bool:
    """Tell whether another program has tables of the same names."""
    found = set(inspect(connection).get_table_names())
    return "alembic_version" not in found and not found.isdisjoint(metadata.tables)


def _migrate(connection: Connection) -> None:
    from alembic import command
    from alembic.config import Config

    if connection.dialect.name == "postgresql":
        # Servers that start at the same time must not both create the tables.
        connection.execute(text(f"SELECT pg_advisory_xact_lock({MIGRATING})"))
    config = Config()
    config.set_main_option("script_location", "divisorduel.store:migrations")
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
