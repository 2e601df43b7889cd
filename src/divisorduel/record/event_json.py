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


def kebab_case(kind: type) -> str:
    """Return the name of a class as it is written in JSON, as in ``number-taken``."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "-", kind.__name__).lower()


_KIND_OF = {kebab_case(kind): kind for kind in _KINDS}
_WORD_OF = {kind: word for word, kind in _KIND_OF.items()}


def event_to_json(event: RoomEvent) -> dict[str, Any]:
    """Return an event as plain data: ``{"type": "number-taken", "number": 6, "again": false}``."""
    return {"type": _WORD_OF[type(event)], **asdict(event)}


def event_from_json(data: Mapping[str, Any]) -> RoomEvent:
    """Return the event that `event_to_json` wrote."""
    fields = {name: value for name, value in data.items() if name != "type"}
    event: RoomEvent = _KIND_OF[data["type"]](**fields)
    return event
