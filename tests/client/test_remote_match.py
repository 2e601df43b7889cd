"""A client's match is the server's, whatever happens in it."""

import json
from dataclasses import asdict, replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from divisorduel import Match
from divisorduel.client import server_messages
from divisorduel.client.client_error import ClientError
from divisorduel.client.remote_match import (
    OutOfStep,
    events_between,
    follow,
    game_of,
    match_of,
)
from divisorduel.play import commands
from divisorduel.play.decide import begin, decide
from divisorduel.play.match import Round
from divisorduel.store.rooms import StoredMatch
from divisorduel.web.schemas import views
from tests.conftest import ALL_KEYS, small_game

ORDINARY = (
    commands.Forfeit(), commands.Undo(), commands.Rematch(), commands.Accept(),
    commands.Decline(), commands.Claim(), commands.Redo(),
)  # fmt: skip


def sent_fields(match: Match) -> dict[str, Any]:
    """Return a match as the server sends it."""
    stored = StoredMatch("abcdefghij", match, "2026-11-15", hints=True, listed=False, created=0.0)
    data: dict[str, Any] = json.loads(views.match_view(stored).model_dump_json())
    return data


def received(match: Match) -> Match:
    """Return a match as a client gets it."""
    sent = server_messages.parse(server_messages.SentMatch, sent_fields(match))
    return match_of(sent, game_of(sent, "server"), match.start, "server")


def comparable(match: Match) -> Match:
    """Return what a client can know: not the moves of earlier rounds, nor what can be redone."""
    earlier = tuple(
        Round(starter=1, position=match.start, winner=played.winner) for played in match.played[:-1]
    )
    return replace(match, played=(*earlier, match.current), undone=())


steps = st.lists(
    st.tuples(st.sampled_from([1, 2]), st.one_of(st.integers(0, 7), st.sampled_from(ORDINARY))),
    max_size=40,
)


@given(st.sampled_from(ALL_KEYS), st.integers(1, 3), st.booleans(), steps)
def test_the_events_and_the_whole_match_lead_to_the_same_match(
    key: str, rounds: int, apart: bool, wanted: list[tuple[Any, Any]]
) -> None:
    first = Match.of(small_game(key), names=("Ann", "Bob"), rounds=rounds)
    match = replace(begin(first).match, apart=apart)
    follower = received(match)
    for seat, choice in wanted:
        acting, command = seat, choice
        if isinstance(choice, int):
            legal = match.game.moves(match.current.position)
            acting = match.current.to_move
            command = commands.Take(legal[choice % len(legal)] if legal else 1)
        decision = decide(match, acting, command, match.version)
        if decision.refusal is not None:
            continue
        events = [views.event_view(event, after) for event, after in decision.applied]
        match = decision.match
        told = json.loads(json.dumps(events))
        try:
            follower = follow(follower, told, match.version)[-1][1]
        except OutOfStep:
            follower = received(match)
        assert comparable(follower) == comparable(match)
        assert comparable(received(match)) == comparable(match)
        assert follower.score == match.score
        assert follower.state == match.state


def test_missed_events_are_reported_move_by_move() -> None:
    before = Match.of(small_game("chain"), names=("Ann", "Bob"))
    after = decide(before, 1, commands.Take(8)).match
    after = decide(after, 2, commands.Take(4)).match
    told = events_between(before, after)
    assert [asdict(event)["number"] for event, _ in told] == [8, 4]
    assert told[-1][1] == after
    assert events_between(after, before) == ()


@pytest.mark.parametrize(
    "changes",
    [
        {"turns": [9]},
        {"turns": [8, 7]},
        {"names": ["A\u001b[2J", "Bob"]},
        {"round": 3},
        {"names": ["Ann", "Ann"]},
    ],
)
def test_an_impossible_match_is_refused(changes: dict[str, object]) -> None:
    match = Match.of(small_game("chain"), names=("Ann", "Bob"))
    sent = server_messages.parse(server_messages.SentMatch, {**sent_fields(match), **changes})
    with pytest.raises(ClientError, match="or it runs a different version"):
        match_of(sent, match.game, match.start, "http://x")


def test_a_game_that_is_not_installed_is_reported() -> None:
    fields = sent_fields(Match.of(small_game("chain")))
    fields["game"] = {**fields["game"], "key": "checkers", "title": "Checkers"}
    sent = server_messages.parse(server_messages.SentMatch, fields)
    with pytest.raises(ClientError, match="which is not installed here"):
        game_of(sent, "http://x")


@pytest.mark.parametrize(
    "events",
    [
        [{"type": "number-taken", "number": 9, "again": False}],
        [{"type": "of a newer server"}],
        [{"type": "move-undone", "number": 8}],
        [{"type": "number-taken", "number": -5}],
        [{"type": "number-taken", "number": 10**400}],
        [{"type": "round-began", "starter": 2}],
        [{"type": "rounds-added", "rounds": 1}],
        [{"type": "joined", "seat": 1, "name": "Eve"}],
    ],
)
def test_events_that_leave_a_gap_are_answered_with_a_request_for_the_whole_match(
    events: list[dict[str, Any]],
) -> None:
    match = Match.of(small_game("chain"), names=("Ann", "Bob"))
    with pytest.raises(OutOfStep):
        follow(match, events, 1)
    with pytest.raises(OutOfStep):
        follow(match, [], 2)
