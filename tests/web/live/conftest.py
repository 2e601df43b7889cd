"""Fixtures for tests of live matches."""

from collections.abc import Iterator

import pytest
from sqlalchemy import Engine

from divisorduel.store.database import open_database
from tests.web.databases import NewDatabase, sqlite_in
from tests.web.postgres import Cluster


@pytest.fixture
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    """Open an empty SQLite database."""
    opened = open_database(sqlite_in(tmp_path_factory.mktemp("hub")))
    yield opened
    opened.dispose()


@pytest.fixture
def any_engine(new_database: NewDatabase) -> Iterator[Engine]:
    """Open an empty database of each kind."""
    opened = open_database(new_database())
    yield opened
    opened.dispose()


@pytest.fixture
def shared_engine(postgres: Cluster) -> Iterator[Engine]:
    """Open an empty database that several processes can share."""
    opened = open_database(postgres.new_database())
    yield opened
    opened.dispose()
