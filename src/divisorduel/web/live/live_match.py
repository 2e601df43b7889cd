"""A match that is being played or watched through this process, and those who listen to it."""

import asyncio
from dataclasses import dataclass, field, replace
from typing import Protocol

from divisorduel.play.events import Seat
from divisorduel.play.room import Room, RoomEvent
from divisorduel.store.rooms import StoredMatch
from divisorduel.web.schemas.match_views import event_view, match_view
from divisorduel.web.schemas.messages import StepMessage

SEATS: tuple[Seat, Seat] = (1, 2)


def seats_in(bits: int) -> list[Seat]:
    """Return the seats that are kept as bits."""
    return [seat for seat in SEATS if bits & seat]


class Listener(Protocol):
    """Somebody who is told what happens."""

    seats: int

    def tell(self, message: str) -> None:
        """Pass a message on; must not wait."""

    def dismiss(self) -> None:
        """Tell nothing more: the key they came with opens the match no longer."""


@dataclass(eq=False)
class LiveMatch:
    """A match at hand. There is one for each match, for as long as anybody holds it."""

    opened: StoredMatch
    listeners: set[Listener] = field(default_factory=set)
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    until: dict[Seat, float] = field(default_factory=dict)
    """Until when each player is there, or since when away, as far as is known."""
    shown: tuple[bool, ...] = ()
    """Who was there when it was last told."""
    thinking: asyncio.Task[None] | None = None
    warned: bool = False
    _view: tuple[int, str] = (-1, "")

    @property
    def id(self) -> str:
        """The match's name."""
        return self.opened.id

    @property
    def room(self) -> Room:
        """The room as it stands."""
        return self.opened.room

    @property
    def view(self) -> str:
        """The match as JSON; it is written once for everybody."""
        if self._view[0] != self.room.version:
            self._view = (self.room.version, match_view(self.opened).model_dump_json())
        return self._view[1]

    @property
    def is_listed(self) -> bool:
        """Whether anybody may find it and join."""
        return self.opened.listed and self.room.state == "waiting"

    def is_here(self, seat: Seat) -> bool:
        """Tell whether a player is connected to this very process."""
        return any(listener.seats & seat for listener in self.listeners)

    def tell(self, message: str) -> None:
        """Tell everybody."""
        for listener in self.listeners:
            listener.tell(message)

    def show(self, events: tuple[RoomEvent, ...], after: Room) -> None:
        """Take a step that is on disk and led to the given room, and tell everybody."""
        self.opened = replace(self.opened, room=after)
        if self.listeners:
            self.tell(StepMessage.text([event_view(event) for event in events], self.view))
