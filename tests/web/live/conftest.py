"""Fixtures for tests of live matches."""

from collections.abc import Iterator

import pytest
from sqlalchemy import Engine

from divisorduel.store.database import open_database
from tests.web.databases import sqlite_in


@pytest.fixture
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    """Open an empty SQLite database."""
    opened = open_database(sqlite_in(tmp_path_factory.mktemp("hub")))
    yield opened
    opened.dispose()
