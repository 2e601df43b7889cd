"""Keys: a short run, and what happens to a call that no one has thought about."""

import time
from contextlib import closing
from pathlib import Path

import pytest

from attack.campaign import Context
from attack.campaigns.keys.calls import Calls
from attack.campaigns.keys.expectations import CALLS, OPENS, actor, is_allowed
from tests.attack.short_form import run_short
from tests.web.clients import Server, new_match


@pytest.mark.thorough
def test_every_key_opens_what_it_should_and_nothing_else(tmp_path: Path) -> None:
    context = run_short("keys", tmp_path)
    assert context.tried > 3_000


def test_a_call_that_is_not_listed_is_allowed_only_for_players() -> None:
    allowed = {rights for rights in OPENS if is_allowed(None, rights, is_listed=True)}
    assert allowed == {"1", "2", "both"}


@pytest.mark.thorough
def test_a_call_without_an_expectation_is_reported(
    web: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(CALLS, "GET /api/matches/{id}/board")
    monkeypatch.setitem(CALLS, "GET /api/nothing", "anyone")
    context = Context("keys", 1, tmp_path, time.monotonic() + 600, full=False)
    with new_match(web.url) as other, closing(Calls(context, web.url, other)) as calls:
        calls.check_expectations()
    reported = "\n".join(map(str, context.failures))
    assert len(context.failures) == 2
    assert "call='GET /api/matches/{id}/board'" in reported
    assert "GET /api/nothing" in reported


def test_an_event_shows_who_must_have_caused_it() -> None:
    before = {"to_move": 2, "apart": True, "offer": {"kind": "undo", "by": 1}}
    assert actor({"type": "number-taken", "again": False}, before) == 2
    assert actor({"type": "forfeited", "by": 1, "away": False}, before) == 1
    assert actor({"type": "forfeited", "by": 1, "away": True}, before) == 2
    assert actor({"type": "move-undone"}, before) == 2
    assert actor({"type": "closed"}, before) is None
