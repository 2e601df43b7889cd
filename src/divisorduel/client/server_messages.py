"""What a server sends, as frozen values, and commands as they are sent to it.

These are the parts of the server's schema that a client needs; others are ignored, so a newer
server may send more.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, TypeVar

from pydantic import TypeAdapter

from divisorduel.play.commands import Command, Take
from divisorduel.play.events import Forfeited, Offered, Seat
from divisorduel.play.match import State, Then
from divisorduel.record.event_json import kebab_case

LARGEST_NUMBER = 10**15 - 1
"""The largest number that servers accept. It is on no board, and divides no number of one."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class SentGame:
    """A game on its board."""

    key: str
    title: str
    board: str


@dataclass(frozen=True, slots=True)
class SentMatch:
    """A match as it is sent."""

    id: str
    version: int
    state: State
    game: SentGame
    names: tuple[str, str]
    kinds: tuple[str, str]
    joined: tuple[bool, bool]
    apart: bool
    rounds: int
    series: int
    then: Then
    undo: bool
    hints: bool
    round: int
    starter: Seat
    turns: tuple[int, ...]
    forfeit: Forfeited | None
    playable: tuple[int, ...]
    last: int | None
    results: tuple[Seat, ...]
    offer: Offered | None


@dataclass(frozen=True, slots=True)
class Presence:
    """Who is connected."""

    present: tuple[bool, bool]
    away: tuple[float | None, float | None]
    """How many seconds each player has been away; None if present."""
    watchers: int
    """How many spectators are connected."""
    claim_after: float
    """After how many seconds the opponent of a player who is away may claim the win."""


@dataclass(frozen=True, slots=True)
class Welcome:
    """The whole match, and the seats of the client; none for a spectator."""

    seats: tuple[Seat, ...]
    match: SentMatch
    presence: Presence


@dataclass(frozen=True, slots=True)
class Step:
    """What has happened: the events that lead to a version."""

    version: int
    events: tuple[dict[str, Any], ...]


@dataclass(frozen=True, slots=True)
class PresenceChange:
    """A player or a spectator has connected or left."""

    presence: Presence


@dataclass(frozen=True, slots=True)
class Done:
    """A command was carried out and saved."""

    id: int


@dataclass(frozen=True, slots=True)
class Refusal:
    """A command was refused."""

    id: int
    code: str
    reason: str
    asks: bool
    """Whether the command is accepted if the player is sure."""


@dataclass(frozen=True, slots=True)
class Complaint:
    """A message of the client could not be understood."""

    code: str
    reason: str


@dataclass(frozen=True, slots=True)
class Notice:
    """Something that the players should know."""

    text: str


@dataclass(frozen=True, slots=True)
class Joined:
    """A seat that was taken."""

    key: str
    match: SentMatch


@dataclass(frozen=True, slots=True)
class SentBoard:
    """The numbers of a board, and the number to answer at the start, if there is one."""

    pool: bool
    numbers: tuple[int, ...]
    last: int | None


Message = Welcome | Step | PresenceChange | Done | Refusal | Complaint | Notice
_KINDS: dict[str, type[Message]] = {
    "welcome": Welcome,
    "step": Step,
    "presence": PresenceChange,
    "done": Done,
    "refused": Refusal,
    "error": Complaint,
    "notice": Notice,
}


@cache
def _adapter(kind: Any) -> TypeAdapter[Any]:
    return TypeAdapter(kind)


def parse(kind: type[T], data: object) -> T:
    """Return plain data as a value. Raises `ValueError`."""
    adapter: TypeAdapter[T] = _adapter(kind)  # type: ignore[arg-type]  # classes are hashable
    return adapter.validate_python(data)


def read_message(text: str | bytes) -> Message | None:
    """Read a message; None if it is of a kind that clients may ignore. Raises `ValueError`."""
    data = json.loads(text)
    if not isinstance(data, dict):
        raise ValueError("A message must be an object.")  # noqa: TRY004  # as for other messages
    kind = _KINDS.get(str(data.get("type")))
    return None if kind is None else parse(kind, data)


def command_to_json(command: Command, *, sure: bool = False) -> Mapping[str, object]:
    """Return a command as it is sent; `sure` says to take a number even if that loses."""
    name = kebab_case(type(command))
    if isinstance(command, Take):
        return {"type": name, "number": min(command.number, LARGEST_NUMBER), "sure": sure}
    return {"type": name}
