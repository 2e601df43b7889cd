"""What a server sends, as frozen values, and commands as they are sent to it.

These are the parts of the server's schema that a client needs; others are ignored, so a newer
server may send more.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any, TypeVar

from pydantic import AfterValidator, FailFast, Field, TypeAdapter

from divisorduel.play.commands import Command, Take
from divisorduel.play.events import Event, Forfeited, Offered, Seat
from divisorduel.play.match import MOST_ROUNDS, State, Then
from divisorduel.record.event_json import KINDS, check_wrong_number, kebab_case

LARGEST_NUMBER = 10**15 - 1
"""The largest number that servers accept. It is on no board, and divides no number on one."""
MOST_EVENTS = 10_000
"""The most events of a step: several times as many as a command can cause."""

T = TypeVar("T")

# A server may be broken or hostile: no value is larger than the program can handle.
Text = Annotated[str, Field(max_length=10_000)]
Kind = Annotated[str, Field(pattern="^[A-Za-z0-9:._-]{1,50}$")]
Count = Annotated[int, Field(ge=0, le=1 << 53)]
SentNumber = Annotated[int, Field(ge=0, le=LARGEST_NUMBER)]
Numbers = Annotated[tuple[SentNumber, ...], FailFast()]
Rounds = Annotated[int, Field(ge=1, le=MOST_ROUNDS)]
Seconds = Annotated[float, Field(ge=-1e9, le=1e9, allow_inf_nan=False)]
SentForfeit = Annotated[Forfeited, AfterValidator(check_wrong_number)]
Seats = Annotated[tuple[Seat, ...], Field(max_length=2)]


@dataclass(frozen=True, slots=True)
class SentGame:
    """A game on its board."""

    key: Text
    title: Text
    board: Text


@dataclass(frozen=True, slots=True)
class SentMatch:
    """A match as it is sent."""

    id: Text
    version: Count
    state: State
    game: SentGame
    names: tuple[Text, Text]
    kinds: tuple[Kind, Kind]
    joined: tuple[bool, bool]
    apart: bool
    rounds: Rounds
    series: Rounds
    then: Then
    undo: bool
    hints: bool
    round: Rounds
    starter: Seat
    turns: Numbers
    forfeit: SentForfeit | None
    playable: Numbers
    last: SentNumber | None
    results: Annotated[tuple[Seat, ...], Field(max_length=MOST_ROUNDS), FailFast()]
    offer: Offered | None


@dataclass(frozen=True, slots=True)
class Presence:
    """Who is connected."""

    present: tuple[bool, bool]
    away: tuple[Seconds | None, Seconds | None]
    """How many seconds each player has been away; None if present."""
    watchers: Count
    """How many spectators are connected."""
    claim_after: Seconds
    """After how many seconds the opponent of a player who is away may claim the win."""


@dataclass(frozen=True, slots=True)
class Welcome:
    """The whole match, and the seats of the client; none for a spectator."""

    seats: Seats
    match: SentMatch
    presence: Presence


@dataclass(frozen=True, slots=True)
class SentStep:
    """What has happened: the events that lead to a version."""

    version: Count
    events: Annotated[tuple[dict[str, Any], ...], Field(max_length=MOST_EVENTS), FailFast()]


@dataclass(frozen=True, slots=True)
class PresenceChange:
    """A player or a spectator has connected or left."""

    presence: Presence


@dataclass(frozen=True, slots=True)
class Done:
    """A command was carried out and saved."""

    id: Count


@dataclass(frozen=True, slots=True)
class SentRefusal:
    """A command was refused."""

    id: Count
    code: Text
    reason: Text
    asks: bool
    """Whether the command is accepted if the player is sure."""


@dataclass(frozen=True, slots=True)
class Complaint:
    """A request or a message of the client was refused or could not be understood."""

    code: Text
    reason: Text


@dataclass(frozen=True, slots=True)
class Notice:
    """Something that the players should know."""

    text: Text


@dataclass(frozen=True, slots=True)
class SentSeat:
    """A seat that was taken."""

    key: Text
    match: SentMatch


@dataclass(frozen=True, slots=True)
class SentBoard:
    """Where the rounds of a match begin, as a position code."""

    code: Text


Message = Welcome | SentStep | PresenceChange | Done | SentRefusal | Complaint | Notice
_KINDS: dict[str, type[Message]] = {
    "welcome": Welcome,
    "step": SentStep,
    "presence": PresenceChange,
    "done": Done,
    "refused": SentRefusal,
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


def read_event(data: Mapping[str, Any]) -> Event | None:
    """Read an event; None if it comes from a newer server. Raises `ValueError`."""
    kind = KINDS.get(str(data.get("type")))
    return None if kind is None else check_wrong_number(parse(kind, data))


def command_to_json(command: Command, *, sure: bool = False) -> Mapping[str, object]:
    """Return a command as it is sent; `sure` says to take a number even if that loses."""
    name = kebab_case(type(command))
    if isinstance(command, Take):
        return {"type": name, "number": min(command.number, LARGEST_NUMBER), "sure": sure}
    return {"type": name}
