"""A match that is played or watched through this process, and its listeners."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import reduce
from operator import or_
from typing import Protocol

from divisorduel.play.events import Event, Seat
from divisorduel.play.match import Match
from divisorduel.store.rooms import StoredMatch
from divisorduel.web.schemas.messages import StepMessage
from divisorduel.web.schemas.views import event_view, match_view

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
    """When each player's presence ends, or ended, as far as this process knows."""
    shown: tuple[bool, ...] = ()
    """Who was present according to the last presence message."""
    thinking: asyncio.Task[None] | None = None
    warned: bool = False
    _view: tuple[int, str] = (-1, "")

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
        """The match as JSON, serialised once for all listeners."""
        if self._view[0] != self.match.version:
            self._view = (self.match.version, match_view(self.stored).model_dump_json())
        return self._view[1]

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
        self.stored = replace(self.stored, match=steps[-1][1])
        if self.listeners:
            events = [event_view(event, after) for event, after in steps]
            self.broadcast(StepMessage.text(events, self.view))
