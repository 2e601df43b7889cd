"""Events as they are kept and sent."""

import json
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from divisorduel.play.events import NumberTaken
from divisorduel.play.room import RoomEvent
from divisorduel.record.event_json import event_from_json, event_to_json

KINDS: tuple[type[RoomEvent], ...] = get_args(RoomEvent)


def test_a_number_taken_is_written_as_the_papers_say() -> None:
    written = {"type": "number-taken", "number": 6, "again": False}
    assert event_to_json(NumberTaken(6)) == written


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
@given(data=st.data())
def test_every_event_is_read_back_equal(kind: type[RoomEvent], data: st.DataObject) -> None:
    event = data.draw(st.from_type(kind))
    read = event_from_json(json.loads(json.dumps(event_to_json(event))))
    assert (read, type(read)) == (event, kind)


@given(st.tuples(*map(st.from_type, KINDS)))
def test_every_kind_of_event_has_a_word_of_its_own(events: tuple[RoomEvent, ...]) -> None:
    assert len({event_to_json(event)["type"] for event in events}) == len(KINDS)


def test_an_unknown_event_is_an_error() -> None:
    with pytest.raises(KeyError):
        event_from_json({"type": "teleported"})
