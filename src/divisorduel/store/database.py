"""The database: SQLite in the user's data folder, or PostgreSQL by its address."""

from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any

from alembic.util import CommandError
from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url, text
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError
from sqlalchemy.pool import QueuePool

from divisorduel.rules.errors import MissingExtra
from divisorduel.store.atomic_file import lock
from divisorduel.store.match_files import StoreError, data_folder

MIGRATING = 872_1993
"""The advisory lock that a process holds on PostgreSQL while it changes the tables."""
SECONDS_TO_WAIT = 10


def default_url() -> URL:
    """Return the address of the database in the user's data folder."""
    return URL.create("sqlite", database=str(data_folder().parent / "server.sqlite"))


def open_database(address: URL | str) -> Engine:
    """Open a database, making it or bringing it up to date if need be. Raises `StoreError`.

    The address is ``sqlite:///FILE`` or ``postgresql://USER:PASSWORD@HOST/NAME``.
    """
    url = _read_url(address)
    engine = _sqlite(url) if url.get_backend_name() == "sqlite" else _postgresql(url)
    shown = url.render_as_string(hide_password=True)
    try:
        with engine.begin() as connection:
            _migrate(connection)
    except DBAPIError as error:
        engine.dispose()
        reason = " ".join(str(error.orig).split())
        raise StoreError(f"The database {shown} cannot be used: {reason}") from None
    except CommandError:
        engine.dispose()
        raise StoreError(
            f"The database {shown} was made by a newer version of this program: install that one."
        ) from None
    return engine


def claim(address: URL | str) -> AbstractContextManager[object]:
    """Claim a SQLite file for this process, until the context manager that is returned ends.

    Several processes may share PostgreSQL. Raises `StoreError` if another process has the file.
    """
    url = _read_url(address)
    if url.get_backend_name() != "sqlite":
        return nullcontext()
    return lock(
        Path(f"{_made_room_for(url)}.lock"),
        f"Another server already uses {url.database}. Give each server its own file with "
        "--database, or let them share PostgreSQL.",
    )


def _read_url(address: URL | str) -> URL:
    try:
        url = make_url(address)
    except (ArgumentError, ValueError):  # the latter for a port that is no number
        raise StoreError(
            "Not a database URL. Use sqlite:///FILE or postgresql://USER:PASSWORD@HOST/NAME."
        ) from None
    name = url.get_backend_name()
    if name == "sqlite":
        if not url.database or url.database == ":memory:":
            raise StoreError("The database needs a file, as in sqlite:///games.sqlite.")
        return url.set(drivername="sqlite")
    if name in ("postgresql", "postgres"):
        return url.set(drivername="postgresql+psycopg")
    raise StoreError(f"The database is SQLite or PostgreSQL; {name} is neither.")


def _sqlite(url: URL) -> Engine:
    _made_room_for(url)
    engine = create_engine(url, poolclass=QueuePool, connect_args={"timeout": SECONDS_TO_WAIT})

    @event.listens_for(engine, "connect")
    def _prepare(connection: Any, _record: object) -> None:
        # FULL: what was acknowledged survives a loss of power, too. Many moves share one write.
        for setting in ("journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON"):
            connection.execute(f"PRAGMA {setting}")

    return engine


def _made_room_for(url: URL) -> Path:
    """Return the file of a database, whose folder is there now."""
    file = Path(str(url.database))
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StoreError(f"{file.parent} cannot be made: {error.strerror or error}.") from None
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
        # Servers that start at the same time must not both make the tables.
        connection.execute(text(f"SELECT pg_advisory_xact_lock({MIGRATING})"))
    config = Config()
    config.set_main_option("script_location", "divisorduel.store:migrations")
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
