"""The messages of a WebSocket.

A match is sent whole once, in the welcome. After that only what has changed is sent, in messages
that are written once for all listeners.
"""

from collections.abc import Sequence
from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field, TypeAdapter
from pydantic_core import to_json

from divisorduel.play.events import Event, NumberTaken, Seat
from divisorduel.play.match import Match
from divisorduel.record.event_json import event_to_json
from divisorduel.rules.numbers import members
from divisorduel.web.schemas.requests import RequestBody, Submission
from divisorduel.web.schemas.responses import (
    EventOut,
    MatchChanges,
    MatchFields,
    MatchOut,
    PresenceOut,
    Problem,
    RefusedOut,
)
from divisorduel.web.schemas.views import legal

# --- from a client

LONGEST = 1_000
"""The longest message of a client, in characters."""


class HelloMessage(RequestBody):
    """Say who you are. Send this first, within ten seconds."""

    type: Literal["hello"]
    key: str = Field(max_length=100)


class CommandMessage(Submission):
    """Send a command. The answer, done or refused, repeats its id."""

    type: Literal["command"]
    id: int = Field(ge=0, lt=1 << 53)


class PingMessage(RequestBody):
    """Check that the connection is alive."""

    type: Literal["ping"]


class SyncMessage(RequestBody):
    """Ask for the whole match. Send this if a step does not follow the last one."""

    type: Literal["sync"]


_validator = TypeAdapter[CommandMessage | PingMessage | SyncMessage](
    Annotated[CommandMessage | PingMessage | SyncMessage, Field(discriminator="type")]
).validator


def read_message(text: str) -> CommandMessage | PingMessage | SyncMessage:
    """Return a message after the first. Raises `ValidationError`."""
    message: CommandMessage | PingMessage | SyncMessage = _validator.validate_json(text)
    return message


# --- from the server


class WelcomeMessage(BaseModel):
    """The answer to hello: the match and the seats you play for."""

    type: Literal["welcome"] = "welcome"
    seats: list[Seat] = Field(description="Empty for a spectator.")
    match: MatchOut
    presence: PresenceOut

    @staticmethod
    def text(seats: list[Seat], match: str, presence: PresenceOut) -> str:
        """Write the message; the match is JSON already."""
        there = presence.model_dump_json()
        return f'{{"type":"welcome","seats":{seats},"match":{match},"presence":{there}}}'


class StepMessage(BaseModel):
    """The match has changed. Everyone connected gets this, before the sender gets "done".

    Apply it to the previous version of the match. If you have a different one, send sync.
    """

    type: Literal["step"] = "step"
    version: int = Field(description="The version it leads to.")
    events: list[EventOut]
    changes: MatchChanges = Field(description="The fields of the match that have new values.")
    added: dict[str, list[int]] = Field(description="What was added at the end of a list.")
    removed: dict[str, list[int]] = Field(description="What was removed from a list.")

    @staticmethod
    def text(events: list[EventOut], before: MatchFields, after: MatchFields) -> str:
        """Write the message about the difference between two matches."""
        changes, added, removed = dict[str, Any](), dict[str, Any](), dict[str, Any]()
        for name, new in after.items():
            old = before[name]
            if new is old or new == old or name == "version":
                continue
            if name == "turns" and new[: len(old)] == old:
                added[name] = new[len(old) :]
            elif name in ("playable", "legal") and (gone := _removed(old, new)) is not None:
                removed[name] = gone
            else:
                changes[name] = new
        step = {"type": "step", "version": after["version"], "events": events}
        return to_json({**step, "changes": changes, "added": added, "removed": removed}).decode()

    @staticmethod
    def text_of_move(before: Match, after: Match) -> str:
        """Write the same message about a plain move, several times as fast: most steps are one."""
        was, now, number = before.current.position, after.current.position, after.current.moves[-1]
        changes: dict[str, Any] = {"to_move": after.current.to_move}
        removed: dict[str, Any] = {}
        if now.last != was.last:
            changes["last"] = now.last
        old, new = legal(before.game, was), legal(after.game, now)
        if old != new:
            if (gone := _removed(old, new)) is None:
                changes["legal"] = new
            else:
                removed["legal"] = gone
        if now.playable != was.playable:
            if now.playable & ~was.playable:
                changes["playable"] = members(now.playable)
            else:
                removed["playable"] = members(was.playable & ~now.playable)
        step = {
            "type": "step",
            "version": after.version,
            "events": [event_to_json(NumberTaken(number))],
            "changes": changes,
            "added": {"turns": (number,)},
            "removed": removed,
        }
        return to_json(step).decode()


def is_plain_move(before: Match, events: Sequence[Event], after: Match) -> bool:
    """Tell whether all that has happened is that a number was taken, and the round is not over."""
    return (
        len(events) == 1
        and isinstance(events[0], NumberTaken)
        and after.current.winner is None
        and not before.undone
        and before.offer is None
    )


def _removed(old: Sequence[int], new: Sequence[int]) -> list[int] | None:
    """Return what must be removed from a list to get another; None if more has changed."""
    kept = set(new)
    if len(new) < len(old) // 2 or not kept.issubset(old):
        return None
    return [number for number in old if number not in kept]


class PresenceMessage(BaseModel):
    """A player or a spectator has connected or left."""

    type: Literal["presence"] = "presence"
    presence: PresenceOut


class DoneMessage(BaseModel):
    """Your command was carried out and saved."""

    type: Literal["done"] = "done"
    id: int
    version: int = Field(description="The version of the match after the command.")

    @staticmethod
    def text(command: int, version: int) -> str:
        """Write the message about the command with this id."""
        return f'{{"type":"done","id":{command},"version":{version}}}'


class RefusedMessage(RefusedOut):
    """Your command was refused. The match has not changed."""

    type: Literal["refused"] = "refused"
    id: int


class ErrorMessage(Problem):
    """Your message could not be understood."""

    type: Literal["error"] = "error"


class NoticeMessage(BaseModel):
    """Something the players should know."""

    type: Literal["notice"] = "notice"
    text: str


class PongMessage(BaseModel):
    """The answer to ping."""

    type: Literal["pong"] = "pong"


RECEIVED: tuple[type[BaseModel], ...] = (
    HelloMessage, CommandMessage, PingMessage, SyncMessage,
)  # fmt: skip
SENT: tuple[type[BaseModel], ...] = (
    WelcomeMessage, StepMessage, PresenceMessage, DoneMessage, RefusedMessage, ErrorMessage,
    NoticeMessage, PongMessage,
)  # fmt: skip
