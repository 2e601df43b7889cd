"""Who is there: as this process sees it, and as the others write it down.

A player counts as there while connected, and for a while after any other sign. Every process
renews that in the database, so that all of them know, and so that a game is claimed only from
somebody who has really stayed away.
"""

import asyncio
from collections.abc import Callable, Iterable
from typing import Any

from divisorduel.play.events import Seat
from divisorduel.play.players import HUMAN
from divisorduel.store.rooms import Presence, Rooms
from divisorduel.web.live.batch_writer import BatchWriter
from divisorduel.web.live.live_match import SEATS, Listener, LiveMatch, dumps, seats_in

LEASE = 30.0
"""How many seconds a player counts as there after the last sign."""
ROUND = 10.0
"""How many seconds pass between two looks at who is there."""
AT_ONCE = 25
"""Who is there is renewed for so many matches at once: no move should have to wait for that."""


class PresenceTracker:
    """Keeps who is there, for all matches at hand."""

    def __init__(
        self, rooms: Rooms, writer: BatchWriter, claim_after: float, clock: Callable[[], float]
    ) -> None:
        self._rooms = rooms
        self._writer = writer
        self._claim_after = claim_after
        self._clock = clock
        self._watching_since = clock()
        """Nobody is to blame for having been away before: the server may have been."""
        self._looked = clock()
        self._called: dict[tuple[str, Seat], float] = {}
        """When players without a connection called last; it may not be written down yet."""

    def enter(self, live: LiveMatch, listener: Listener) -> None:
        """Let somebody listen from now on."""
        new = [seat for seat in seats_in(listener.seats) if not live.is_here(seat)]
        live.listeners.add(listener)
        self.note(live, new, self._clock() + LEASE)
        self._tell(live)

    def leave(self, live: LiveMatch, listener: Listener) -> None:
        """Let somebody go, unless they were dismissed: then the seat is not theirs any more."""
        if listener not in live.listeners:
            return
        live.listeners.discard(listener)
        gone = [seat for seat in seats_in(listener.seats) if not live.is_here(seat)]
        self.note(live, gone, self._clock())
        self._tell(live)

    def saw(self, live: LiveMatch, seats: int) -> None:
        """Note that a player has called, without a connection that stays."""
        for seat in seats_in(seats):
            if not live.is_here(seat):
                self._called[live.id, seat] = self._clock()
                live.until[seat] = self._clock() + LEASE

    def joined(self, live: LiveMatch, seat: Seat) -> None:
        """Note that somebody has just taken a seat."""
        self.note(live, [seat], self._clock() + LEASE)
        self.saw(live, seat)  # whatever the database says until that is written
        self._tell(live)

    def note(self, live: LiveMatch, seats: Iterable[Seat], until: float) -> None:
        """Write down that players have come or gone; the other processes are told."""
        for seat in seats:
            live.until[seat] = until
            self._called.pop((live.id, seat), None)
            self._writer.note(Presence(live.id, seat, until, news=True))

    def presence(self, live: LiveMatch, entering: int = 0) -> dict[str, Any]:
        """Return who is there, whoever is just entering included, and how long others are away."""
        away = [None if entering & seat else self._since(live, seat) for seat in SEATS]
        return {
            "present": [gone is None for gone in away],
            "away": [None if gone is None else round(gone, 1) for gone in away],
            "watchers": sum(1 for listener in live.listeners if not listener.seats),
            "claim_after": self._claim_after,
        }

    async def has_stayed_away(self, live: LiveMatch, seat: Seat) -> bool:
        """Tell whether somebody has been away for so long that their game can be claimed."""
        if not live.match.apart or live.is_here(seat):
            return False
        await self.look(live)
        away = self._since(live, seat)
        return away is not None and away >= self._claim_after

    def _since(self, live: LiveMatch, seat: Seat) -> float | None:
        """Return for how long somebody has been away, None if they are there."""
        if live.is_here(seat) or live.match.kinds[seat - 1] != HUMAN:
            return None
        now = self._clock()
        until = live.until.get(seat, live.stored.created)
        return None if until > now else now - max(until, self._watching_since)

    def _tell(self, live: LiveMatch) -> None:
        presence = self.presence(live)
        live.shown = tuple(presence["present"])
        live.broadcast(dumps({"type": "presence", "presence": presence}))

    async def look(self, *lives: LiveMatch) -> None:
        """Read who is there; for those who are connected here, this process knows better."""
        ids = [live.id for live in lives]
        found = await asyncio.to_thread(self._rooms.who_is_there, ids) if ids else {}
        now = self._clock()
        for live in lives:
            for seat in SEATS:
                if (one := (live.id, seat)) not in found:
                    continue
                if live.is_here(seat):
                    if found[one] <= now:  # they have left another process, but not this one
                        self.note(live, [seat], now + LEASE)
                    continue
                called = self._called.get(one)
                # Whoever has called here may have left another process since.
                if called is None or called < found[one] <= now:
                    live.until[seat] = found[one]
                    self._called.pop(one, None)
                else:
                    live.until[seat] = max(found[one], called + LEASE)

    async def heard(self, live: LiveMatch) -> None:
        """Look again, after another process has written something."""
        before = dict(live.until)
        await self.look(live)
        if live.until != before:
            self._tell(live)

    def start_anew(self) -> None:
        """Begin to count anew: for a while nobody could have been seen."""
        self._watching_since = self._clock()

    async def look_around(self, lives: list[LiveMatch]) -> None:
        """Renew who is there, and tell those who wait for somebody whose time has run out."""
        now = self._clock()
        if now - self._looked > 2 * ROUND + 1:
            self.start_anew()  # this process has slept, and so did its clock
        before, self._looked = self._looked, now
        watched = [live for live in lives if live.listeners]
        alone = [live for live in watched if not (live.is_here(1) and live.is_here(2))]
        if self._rooms.shared:
            called = {live for live in lives if any((live.id, s) in self._called for s in SEATS)}
            await self.look(*called.union(alone))
        self._write_calls(before)
        await self._renew(watched)
        for live in alone:
            if tuple(self.presence(live)["present"]) != live.shown:
                self._tell(live)

    def _write_calls(self, since: float) -> None:
        """Write down who has called since then, and forget whose time has run out."""
        now, calls = self._clock(), self._called.items()
        self._writer.note(*(Presence(i, s, at + LEASE) for (i, s), at in calls if at >= since))
        self._called = {one: at for one, at in calls if at + LEASE > now}

    async def _renew(self, watched: list[LiveMatch]) -> None:
        """Write down who is still here: for the other processes, and for the list of matches."""
        lives = watched if self._rooms.shared else [live for live in watched if live.is_listed]
        for at in range(0, len(lives), AT_ONCE):
            until = self._clock() + LEASE
            for live in lives[at : at + AT_ONCE]:
                here = [seat for seat in SEATS if live.is_here(seat)]
                self._writer.note(*(Presence(live.id, seat, until) for seat in here))
            if at + AT_ONCE < len(lives):
                await asyncio.sleep(0.05)

    def everybody_leaves(self, lives: Iterable[LiveMatch]) -> None:
        """Write down that nobody is here any more."""
        for live in lives:
            self.note(live, [seat for seat in SEATS if live.is_here(seat)], self._clock())
