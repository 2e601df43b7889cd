"""Fixtures for empty databases, of SQLite and of PostgreSQL."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.web.postgres import NOT_INSTALLED, Cluster, find_programs, running_cluster

NewDatabase = Callable[[], str]
"""Creates an empty database and returns its URL."""


def new_cluster() -> Iterator[Cluster]:
    """Run a PostgreSQL cluster; skip the test if PostgreSQL is not installed."""
    programs = find_programs()
    if programs is None:
        if os.environ.get("DUEL_REQUIRE_ALL") == "1":
            pytest.fail(NOT_INSTALLED)
        pytest.skip(NOT_INSTALLED)
    with running_cluster(programs) as cluster:
        yield cluster


postgres = pytest.fixture(new_cluster, scope="session", name="postgres")
"""The cluster that all tests of a pytest process share; they never stop it."""


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def database_kind(request: pytest.FixtureRequest) -> str:
    """Run a test on each kind of database.

    A default run does so only for tests marked ``both_databases``; the others run on SQLite.
    """
    kind: str = request.param
    return kind


@pytest.fixture(scope="module")
def new_database(
    database_kind: str, request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> NewDatabase:
    """Create databases of one kind."""
    if database_kind == "postgresql":
        cluster: Cluster = request.getfixturevalue("postgres")
        return cluster.new_database
    return lambda: sqlite_in(tmp_path_factory.mktemp("database"))


@pytest.fixture
def database(new_database: NewDatabase) -> str:
    """Return the URL of an empty database of each kind."""
    return new_database()


def sqlite_in(folder: Path) -> str:
    """Return the URL of a SQLite database in a folder."""
    return f"sqlite:///{folder / 'server.sqlite'}"
