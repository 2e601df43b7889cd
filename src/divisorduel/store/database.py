"""The server's database: a SQLite file or PostgreSQL."""

from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any

from alembic.util import CommandError
from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url, text
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError
from sqlalchemy.pool import QueuePool

from divisorduel.rules.errors import MissingExtra
from divisorduel.store.atomic_file import StoreError, lock, unusable
from divisorduel.store.match_files import data_folder

MIGRATING = 872_1993
"""The PostgreSQL advisory lock that a process holds while it migrates the database."""
SECONDS_TO_WAIT = 10


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
            _migrate(connection)
    except (DBAPIError, CommandError) as error:
        engine.dispose()
        reason = "It was made by a newer version of Divisor Duel. Upgrade first."
        if isinstance(error, DBAPIError):
            reason = " ".join(str(error.orig).split())
        raise StoreError(f"The database {shown} cannot be used: {reason}") from None
    return engine


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
