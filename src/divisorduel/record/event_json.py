"""Events as JSON: how they are stored in a database and sent over a network."""

import re
from collections.abc import Mapping
from dataclasses import fields
from typing import Any, TypeVar, get_args

from divisorduel.play.events import Event, Forfeited
from divisorduel.rules.numbers import MANY_DIGITS


def kebab_case(kind: type) -> str:
    """Return the name of a class as it is written in JSON, as in ``number-taken``."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "-", kind.__name__).lower()


KINDS: dict[str, type[Event]] = {kebab_case(kind): kind for kind in get_args(Event)}
"""The kinds of events, by their names in JSON."""
_WORD_OF = {kind: word for word, kind in KINDS.items()}
_FIELDS_OF = {kind: tuple(field.name for field in fields(kind)) for kind in _WORD_OF}
_LARGEST = 10**MANY_DIGITS

E = TypeVar("E", bound=Event)


def event_to_json(event: Event) -> dict[str, Any]:
    """Return an event as plain data: ``{"type": "number-taken", "number": 6, "again": false}``.

    A forfeit without a fault is written as before there were faults, so that a server of an older
    version that shares the database can read it.
    """
    kind = type(event)
    data = {"type": _WORD_OF[kind], **{name: getattr(event, name) for name in _FIELDS_OF[kind]}}
    if data.get("fault") == "":
        del data["fault"]
    return data


def event_from_json(data: Mapping[str, Any]) -> Event:
    """Return the event that `event_to_json` wrote, in this version or an older one.

    Raises `ValueError` if a wrong number is larger than any that `read_number` returns.
    """
    values = {name: value for name, value in data.items() if name != "type"}
    # Older versions stored a sentence: what is wrong with a number, or "Bob stayed away."
    if values.pop("reason", "") and "away" not in values:
        values["away"] = values["wrong_number"] is None
    return check_wrong_number(KINDS[data["type"]](**values))


def check_wrong_number(event: E) -> E:
    """Return an event. Raises `ValueError` if its wrong number has far too many digits.

    The rules bound the other numbers.
    """
    number = event.wrong_number if isinstance(event, Forfeited) else None
    if isinstance(number, int) and not -_LARGEST <= number <= _LARGEST:
        raise ValueError("the wrong number has too many digits")
    return event
