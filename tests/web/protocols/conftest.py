"""Servers for the tests of the protocols."""

from collections.abc import Iterator

import pytest

from tests.web.clients import Match, Server, joined_match
from tests.web.custom_server import custom_server
from tests.web.raw_client import assert_nothing_failed


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Run a server with its default settings."""
    with custom_server(tmp_path_factory.mktemp("server")) as running:
        yield running
        assert_nothing_failed(running)


@pytest.fixture(scope="module")
def impatient(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Run a server that does not wait long."""
    folder = tmp_path_factory.mktemp("impatient")
    with custom_server(folder, head_seconds=1, body_seconds=1, unread_seconds=1) as running:
        yield running
        assert_nothing_failed(running)


@pytest.fixture
def match(server: Server) -> Iterator[Match]:
    """Let Ann and Bob play."""
    with joined_match(server.url) as match:
        yield match
