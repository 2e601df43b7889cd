"""The messages of a WebSocket.

A match is serialised once per version, and its JSON is copied into every message that contains it.
"""

from typing import Annotated, Literal

from pydantic import BaseModel, Field, TypeAdapter
from pydantic_core import to_json

from divisorduel.play.events import Seat
from divisorduel.web.schemas.requests import RequestBody, Submission
from divisorduel.web.schemas.responses import EventOut, MatchOut, PresenceOut, Problem, RefusedOut

# --- from a client


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


read_message = TypeAdapter[CommandMessage | PingMessage](
    Annotated[CommandMessage | PingMessage, Field(discriminator="type")]
).validate_json


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
    """The match has changed. Everyone connected gets this, before the sender gets done."""

    type: Literal["step"] = "step"
    events: list[EventOut]
    match: MatchOut

    @staticmethod
    def text(events: list[EventOut], match: str) -> str:
        """Write the message; the match is JSON already."""
        return f'{{"type":"step","events":{to_json(events).decode()},"match":{match}}}'


class PresenceMessage(BaseModel):
    """A player or a spectator has connected or left."""

    type: Literal["presence"] = "presence"
    presence: PresenceOut


class DoneMessage(BaseModel):
    """Your command was carried out and saved."""

    type: Literal["done"] = "done"
    id: int
    version: int = Field(description="The version of the match after the command.")


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


RECEIVED: tuple[type[BaseModel], ...] = (HelloMessage, CommandMessage, PingMessage)
SENT: tuple[type[BaseModel], ...] = (
    WelcomeMessage, StepMessage, PresenceMessage, DoneMessage, RefusedMessage, ErrorMessage,
    NoticeMessage, PongMessage,
)  # fmt: skip
