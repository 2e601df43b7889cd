"""Servers for the tests: shared ones with generous limits, and others made to order."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.web.clients import Server
from tests.web.databases import NewDatabase, database, new_database, postgres, sqlite_in

__all__ = ["database", "new_database", "postgres", "server", "start", "web"]

Start = Callable[..., Server]


@pytest.fixture(scope="module")
def server(new_database: NewDatabase, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Run a server on each kind of database, for all tests of a module."""
    with Server(new_database(), tmp_path_factory.mktemp("server")) as running:
        yield running


@pytest.fixture(scope="session")
def web(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Run a server on SQLite for all tests that do not depend on the database."""
    folder = tmp_path_factory.mktemp("web")
    with Server(sqlite_in(folder), folder) as running:
        yield running


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Start servers with options of their own: ``start("--claim-after", "1")``."""
    with ExitStack() as servers:
        number = 0

        def start_one(*words: str, database: str | None = None) -> Server:
            nonlocal number
            number += 1
            folder = tmp_path / str(number)
            folder.mkdir()
            return servers.enter_context(Server(database or sqlite_in(folder), folder, *words))

        yield start_one
