"""How long an endpoint asks to wait."""

from datetime import UTC, datetime

import pytest

from divisorduel.bots.llm.endpoint import seconds_to_wait

NOW = datetime(2026, 1, 5, 12, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        ("17", 17),
        ("0", 0),
        ("1.5", 1.5),
        ("9" * 400, 365 * 24 * 60 * 60),
        ("Mon, 05 Jan 2026 12:01:00 GMT", 60),
        ("Mon, 05 Jan 2026 11:00:00 GMT", 0),
        ("Mon, 05 Jan 2026 12:01:00 -0000", None),
        ("", None),
        ("soon", None),
        ("-3", None),
        ("٣", None),
    ],
)
def test_retry_after_is_seconds_or_a_date(header: str, seconds: float | None) -> None:
    assert seconds_to_wait(header, NOW) == seconds
