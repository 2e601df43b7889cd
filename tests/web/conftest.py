"""Servers for the tests: a shared one for each kind of database, and others with custom options."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.web.clients import Server
from tests.web.databases import (
    NewDatabase,
    database,
    database_kind,
    new_database,
    postgres,
    sqlite_in,
)

__all__ = ["database", "database_kind", "new_database", "postgres"]

Start = Callable[..., Server]


@pytest.fixture(scope="session")
def shared_server(
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Callable[[str, NewDatabase], Server]]:
    """Start a server on a kind of database when a test first asks for it; keep it running."""
    with ExitStack() as stack:
        running: dict[str, Server] = {}

        def start_once(kind: str, new_database: NewDatabase) -> Server:
            if kind not in running:
                made = Server(new_database(), tmp_path_factory.mktemp("server"))
                running[kind] = stack.enter_context(made)
            return running[kind]

        yield start_once


@pytest.fixture(scope="module")
def server(
    shared_server: Callable[[str, NewDatabase], Server],
    database_kind: str,
    new_database: NewDatabase,
) -> Server:
    """Return the shared server on each kind of database."""
    return shared_server(database_kind, new_database)


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Start servers with custom options: ``start("--claim-after", "1")``."""
    with ExitStack() as servers:
        number = 0

        def start_one(*words: str, database: str | None = None) -> Server:
            nonlocal number
            number += 1
            folder = tmp_path / str(number)
            folder.mkdir()
            return servers.enter_context(Server(database or sqlite_in(folder), folder, *words))

        yield start_one
