"""Events as they are stored and sent."""

import json
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from divisorduel import Match
from divisorduel.play.events import (
    Closed,
    Declined,
    Event,
    Forfeited,
    Joined,
    MoveUndone,
    NumberTaken,
    Offered,
    RoundBegan,
    RoundsAdded,
)
from divisorduel.record.event_json import event_from_json, event_to_json
from tests.conftest import small_game

KINDS: tuple[type[Event], ...] = get_args(Event)

# Steps as an older version stored them, with a sentence for each forfeit.
OLD_STEPS: list[list[dict[str, Any]]] = [
    [{"type": "joined", "seat": 2, "name": "Bob"}],
    [{"type": "number-taken", "number": 8, "again": False}],
    [{"type": "offered", "kind": "undo", "by": 1}],
    [{"type": "declined", "by": 2}],
    [{"type": "offered", "kind": "undo", "by": 1}],
    [{"type": "move-undone", "number": 8}],
    [{"type": "number-taken", "number": 8, "again": True}],
    [
        {"type": "forfeited", "by": 2, "wrong_number": None, "reason": ""},
        {"type": "round-began", "starter": 2},
    ],
    [{"type": "forfeited", "by": 1, "wrong_number": None, "reason": "Ann stayed away."}],
    [{"type": "rounds-added", "rounds": 2}, {"type": "round-began", "starter": 1}],
    [{"type": "forfeited", "by": 1, "wrong_number": 9, "reason": "9 does not divide 8."}],
    [{"type": "closed", "why": "expired"}],
]
OLD_EVENTS = [
    [Joined(2, "Bob")],
    [NumberTaken(8)],
    [Offered("undo", 1)],
    [Declined(2)],
    [Offered("undo", 1)],
    [MoveUndone(8)],
    [NumberTaken(8, again=True)],
    [Forfeited(2), RoundBegan(2)],
    [Forfeited(1, away=True)],
    [RoundsAdded(2), RoundBegan(1)],
    [Forfeited(1, wrong_number=9)],
    [Closed("expired")],
]


def test_a_number_taken_is_written_as_documented() -> None:
    written = {"type": "number-taken", "number": 6, "again": False}
    assert event_to_json(NumberTaken(6)) == written


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
@given(data=st.data())
def test_every_event_is_read_back_equal(kind: type[Event], data: st.DataObject) -> None:
    event = data.draw(st.from_type(kind))
    read = event_from_json(json.loads(json.dumps(event_to_json(event))))
    assert (read, type(read)) == (event, kind)


@given(st.tuples(*map(st.from_type, KINDS)))
def test_every_kind_of_event_has_its_own_type(events: tuple[Event, ...]) -> None:
    assert len({event_to_json(event)["type"] for event in events}) == len(KINDS)


def test_steps_written_by_an_older_version_can_still_be_replayed() -> None:
    read = [[event_from_json(data) for data in step] for step in OLD_STEPS]
    assert read == OLD_EVENTS
    assert {type(event) for step in read for event in step} == set(KINDS)
    match = Match.of(small_game("chain"), rounds=2, names=("Ann", "Player 2"))
    for step in read:
        *_, (_, match) = match.replay(step)
    assert (match.version, match.state, match.names) == (12, "expired", ("Ann", "Bob"))
    assert match.score == (1, 2)


def test_an_unknown_event_is_an_error() -> None:
    with pytest.raises(KeyError):
        event_from_json({"type": "teleported"})


def test_a_forfeit_as_a_server_sends_it_with_a_reason_keeps_its_fault() -> None:
    failed = Forfeited(2, fault="late")
    sent = {**event_to_json(failed), "reason": "Bot did not move in time."}
    assert event_from_json(sent) == failed


def test_a_forfeit_without_a_fault_is_written_so_that_an_older_version_can_read_it() -> None:
    assert event_to_json(Forfeited(2)) == {
        "type": "forfeited",
        "by": 2,
        "wrong_number": None,
        "away": False,
    }


@pytest.mark.parametrize("sign", [1, -1])
def test_a_wrong_number_that_no_player_can_type_is_an_error(sign: int) -> None:
    largest = Forfeited(2, wrong_number=sign * 10**100)
    assert event_from_json(event_to_json(largest)) == largest
    larger = Forfeited(2, wrong_number=sign * (10**100 + 1))
    with pytest.raises(ValueError, match="too many digits"):
        event_from_json(event_to_json(larger))
