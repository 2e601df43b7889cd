"""Events as JSON, for whoever keeps them or sends them."""

import re
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from divisorduel.play.events import (
    Forfeited,
    MoveUndone,
    NumberTaken,
    Refused,
    RoundBegan,
    RoundsAdded,
)
from divisorduel.play.room import Closed, Declined, Joined, Offered, RoomEvent

_KINDS = (
    NumberTaken, MoveUndone, Forfeited, RoundBegan, RoundsAdded, Refused,
    Joined, Offered, Declined, Closed,
)  # fmt: skip


def wire_name(kind: type) -> str:
    """Return the name of an event or a command in JSON: ``CallOff`` is ``call-off``."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "-", kind.__name__).lower()


EVENT_TYPES = {wire_name(kind): kind for kind in _KINDS}
_WORD_OF = {kind: word for word, kind in EVENT_TYPES.items()}


def event_to_json(event: RoomEvent) -> dict[str, Any]:
    """Return an event as plain data: ``{"type": "number-taken", "number": 6, "again": false}``."""
    return {"type": _WORD_OF[type(event)], **asdict(event)}


def event_from_json(data: Mapping[str, Any]) -> RoomEvent:
    """Return the event that `event_to_json` wrote."""
    fields = {name: value for name, value in data.items() if name != "type"}
    event: RoomEvent = EVENT_TYPES[data["type"]](**fields)
    return event
