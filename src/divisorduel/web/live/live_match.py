"""A match that is played or watched through this process, and its listeners."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import reduce
from operator import or_
from typing import Protocol

from pydantic_core import to_json

from divisorduel.play.events import Event, Seat
from divisorduel.play.match import Match
from divisorduel.store.rooms import StoredMatch
from divisorduel.web.schemas.messages import StepMessage
from divisorduel.web.schemas.responses import MatchFields
from divisorduel.web.schemas.views import event_view, match_fields

SEATS: tuple[Seat, Seat] = (1, 2)


def seats_in(bits: int) -> list[Seat]:
    """Return the seats whose bits are set."""
    return [seat for seat in SEATS if bits & seat]


class Listener(Protocol):
    """A player or spectator who is sent what happens."""

    seats: int

    def tell(self, message: str) -> None:
        """Send a message; must not block."""

    def dismiss(self) -> None:
        """Disconnect, because the listener's key is no longer valid."""


@dataclass(eq=False)
class LiveMatch:
    """A match in memory. A process has at most one of these for each match."""

    stored: StoredMatch
    listeners: set[Listener] = field(default_factory=set)
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    until: dict[Seat, float] = field(default_factory=dict)
    """When each player's presence ends, or ended, by the steady clock of this process."""
    shown: tuple[bool, ...] = ()
    """Who was present according to the last presence message."""
    address: str = ""
    """The address of a player, for the queue in which the computer's moves wait."""
    thinking: asyncio.Task[None] | None = None
    warned: bool = False
    _fields: MatchFields | None = None

    @property
    def id(self) -> str:
        """The id of the match."""
        return self.stored.id

    @property
    def match(self) -> Match:
        """The match as it is now."""
        return self.stored.match

    @property
    def view(self) -> str:
        """The match as JSON."""
        return to_json(self._current_fields()).decode()

    def _current_fields(self) -> MatchFields:
        if self._fields is None or self._fields["version"] != self.match.version:
            self._fields = match_fields(self.stored)
        return self._fields

    @property
    def here(self) -> int:
        """The seats of the players who are connected to this process, as bits."""
        return reduce(or_, (listener.seats for listener in self.listeners), 0)

    def broadcast(self, message: str) -> None:
        """Send a message to all listeners."""
        for listener in self.listeners:
            listener.tell(message)

    def advance(self, steps: Sequence[tuple[Event, Match]]) -> None:
        """Advance to the match after a command that is on disk, and broadcast the step."""
        before = self._current_fields() if self.listeners else None
        self.stored = replace(self.stored, match=steps[-1][1])
        if before is not None:
            events = [event_view(event, after) for event, after in steps]
            self.broadcast(StepMessage.text(events, before, self._current_fields()))
