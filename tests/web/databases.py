"""Fixtures: an empty database, of each of the two kinds."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.web.postgres import REMEDY, Cluster, find_programs, running_cluster

KINDS = ("sqlite", "postgresql")

NewDatabase = Callable[[], str]
"""Makes an empty database of a kind, and returns its address."""


@pytest.fixture(scope="session")
def postgres() -> Iterator[Cluster]:
    """Run a PostgreSQL while there are tests that need it; each process of pytest has its own."""
    programs = find_programs()
    if programs is None:
        if os.environ.get("DUEL_REQUIRE_ALL") == "1":
            pytest.fail(REMEDY)
        pytest.skip(REMEDY)
    with running_cluster(programs) as cluster:
        yield cluster


@pytest.fixture(scope="module", params=KINDS)
def new_database(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> NewDatabase:
    """Make databases of one kind, then of the other."""
    if request.param == "postgresql":
        cluster: Cluster = request.getfixturevalue("postgres")
        return cluster.new_database
    return lambda: sqlite_in(tmp_path_factory.mktemp("database"))


@pytest.fixture
def database(new_database: NewDatabase) -> str:
    """Return the address of an empty database of each kind."""
    return new_database()


def sqlite_in(folder: Path) -> str:
    """Return the address of a database in a folder."""
    return f"sqlite:///{folder / 'server.sqlite'}"
