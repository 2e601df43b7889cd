"""A match that is played or watched through this process, and its listeners."""

import asyncio
from collections import Counter, deque
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import reduce
from operator import or_
from typing import Protocol

from pydantic_core import to_json

from divisorduel.play.events import Event, Seat
from divisorduel.play.match import Match
from divisorduel.store.rooms import StoredMatch
from divisorduel.web.schemas.messages import StepMessage, is_plain_move
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


class MatchLock:
    """A first-come, first-served lock for tasks, which can also be taken without waiting."""

    def __init__(self) -> None:
        self.is_held = False
        self._waiters: deque[asyncio.Future[None]] = deque()

    def acquire_now(self) -> bool:
        """Acquire the lock if it is free, and return whether it was."""
        was_held, self.is_held = self.is_held, True
        return not was_held

    def release(self) -> None:
        """Hand the lock to the task that has waited longest, or make it free."""
        while self._waiters:
            waiter = self._waiters.popleft()
            if not waiter.done():
                waiter.set_result(None)
                return
        self.is_held = False

    async def __aenter__(self) -> None:
        if self.acquire_now():
            return
        waiter: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiters.append(waiter)
        try:
            await waiter
        except asyncio.CancelledError:
            if waiter.done() and not waiter.cancelled():  # the lock had just been handed over
                self.release()
            raise

    async def __aexit__(self, *_: object) -> None:
        self.release()


@dataclass(eq=False)
class LiveMatch:
    """A match in memory. A process has at most one of these for each match."""

    opened: StoredMatch
    """The match as it was created or loaded."""
    listeners: set[Listener] = field(default_factory=set, init=False)
    """Those who are sent what happens. `add` and `discard` change it."""
    lock: MatchLock = field(default_factory=MatchLock)
    """Held while a command is decided and written."""
    until: dict[Seat, float] = field(default_factory=dict)
    """When each player's presence ends, or ended, by the steady clock of this process."""
    shown: tuple[bool, ...] = ()
    """Who was present according to the last presence message."""
    news: asyncio.TimerHandle | None = None
    """The next presence message, if one is due."""
    catching_up: asyncio.Task[None] | None = None
    """A task that will read what other processes have written, but has not begun to read."""
    address: str = ""
    """The address of a player, or of the client for whom the match was loaded.

    The computer's moves wait in its queue.
    """
    thinking: asyncio.Task[None] | None = None
    warned: bool = False
    id: str = field(init=False)
    match: Match = field(init=False)
    """The match as it is now."""
    _written: tuple[Match | None, str] = (None, "")
    _seats: Counter[int] = field(default_factory=Counter, init=False)
    """How many listeners hold each set of seats. A scan of many listeners would take too long."""

    def __post_init__(self) -> None:
        """Begin with the match as it was opened."""
        self.id, self.match = self.opened.id, self.opened.match

    @property
    def stored(self) -> StoredMatch:
        """The match as it is now, and how it is served."""
        return replace(self.opened, match=self.match)

    @property
    def view(self) -> str:
        """The match as JSON. It is written once for all who ask before it changes."""
        match, text = self._written
        if match is not self.match:
            text = to_json(match_fields(self.stored)).decode()
            self._written = self.match, text
        return text

    @property
    def here(self) -> int:
        """The seats of the players who are connected to this process, as bits."""
        return reduce(or_, (seats for seats, count in self._seats.items() if count), 0)

    @property
    def spectators(self) -> int:
        """How many spectators are connected to this process."""
        return self._seats[0]

    def add(self, listener: Listener) -> None:
        """Add a listener."""
        self.listeners.add(listener)
        self._seats[listener.seats] += 1

    def discard(self, listener: Listener) -> bool:
        """Remove a listener, and return whether it was there."""
        if listener not in self.listeners:
            return False
        self.listeners.remove(listener)
        self._seats[listener.seats] -= 1
        return True

    def broadcast(self, message: str, excluding: Listener | None = None) -> None:
        """Send a message to all listeners, or to all but one."""
        for listener in self.listeners:
            if listener is not excluding:
                listener.tell(message)

    def advance(
        self, applied: Sequence[tuple[Event, Match]], author: Listener | None = None
    ) -> str | None:
        """Advance to the match after a command that is on disk, and broadcast the step.

        Return the message, or None if no one listens. The author is left out.
        """
        before, self.match = self.match, applied[-1][1]
        if not self.listeners:
            return None
        message = self._step_message(before, applied)
        self.broadcast(message, author)
        return message

    def _step_message(self, before: Match, applied: Sequence[tuple[Event, Match]]) -> str:
        if is_plain_move(before, [event for event, _ in applied], self.match):
            return StepMessage.text_of_move(before, self.match)
        events = [event_view(event, after) for event, after in applied]
        fields = match_fields(replace(self.opened, match=before))
        return StepMessage.text(events, fields, match_fields(self.stored))
