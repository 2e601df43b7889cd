"""What goes wrong again and again is logged a few times a minute."""

import logging
from collections.abc import Iterator

import pytest
from sqlalchemy.exc import OperationalError

from divisorduel.web.log_limit import MINUTE, MOST_A_MINUTE, LogLimit
from divisorduel.web.schemas.problems import answer_to
from tests.web.live.hubs import FakeClock

LOG = logging.getLogger("divisorduel")


@pytest.fixture
def clock() -> Iterator[FakeClock]:
    now = FakeClock()
    limit = LogLimit(now.steady)
    LOG.addFilter(limit)
    yield now
    LOG.removeFilter(limit)


def fail(number: int) -> None:
    status, _ = answer_to(OperationalError(f"SELECT {number}", None, Exception("disk full")))
    assert status == 503


def test_a_database_that_fails_at_every_request_does_not_fill_the_log(
    clock: FakeClock, caplog: pytest.LogCaptureFixture
) -> None:
    for number in range(300):
        fail(number)
        clock.advance(0.1)
    assert len(caplog.messages) == MOST_A_MINUTE
    assert all("The database failed: " in message for message in caplog.messages)
    clock.advance(MINUTE)
    fail(300)
    assert len(caplog.messages) == MOST_A_MINUTE + 1
    assert caplog.messages[-1].endswith(f"(and {300 - MOST_A_MINUTE} more of these)")
    clock.advance(MINUTE)
    fail(301)
    assert "more of these" not in caplog.messages[-1]


def test_a_different_message_is_still_logged(
    clock: FakeClock, caplog: pytest.LogCaptureFixture
) -> None:
    for number in range(300):
        fail(number)
    LOG.warning("Presence could not be saved: %s", "disk full")
    assert caplog.messages[-1] == "Presence could not be saved: disk full"
