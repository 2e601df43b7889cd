"""Which players are present.

A player is present while connected, and for a while after each HTTP call. Every process renews this
in the database, so that all processes know who is present and no game is claimed from a player who
is connected to another process.

Times in memory are those of the steady clock; times in the database are times of day.
"""

import asyncio
from collections.abc import Iterable

from divisorduel.play.events import Seat
from divisorduel.play.players import HUMAN
from divisorduel.store.rooms import PlayerPresence, Rooms
from divisorduel.web.live.batch_writer import BatchWriter
from divisorduel.web.live.clocks import LARGEST_DRIFT, Clocks
from divisorduel.web.live.live_match import SEATS, Listener, LiveMatch, seats_in
from divisorduel.web.schemas.messages import PresenceMessage
from divisorduel.web.schemas.responses import PresenceOut

LEASE = 30.0
"""How many seconds a player stays present after the last sign of life."""
REFRESH_EVERY = 10.0
"""How many seconds pass between two refreshes."""
LONGEST_PAUSE = 2 * REFRESH_EVERY + 1
"""After a longer pause of the server, absence is counted from zero again."""
BATCH_SIZE = 25
"""How many matches are renewed at once. More would make moves wait too long for the writer."""
SPECTATORS_EVERY = 0.25
"""How many seconds pass between two messages about spectators."""
PAUSE = 0.05
"""How many seconds pass before more are renewed."""


class PresenceTracker:
    """Tracks who is present in the matches in memory."""

    def __init__(
        self, rooms: Rooms, writer: BatchWriter, claim_after: float, clocks: Clocks
    ) -> None:
        self._rooms, self._writer = rooms, writer
        self._claim_after, self._clocks = claim_after, clocks
        self._clock = clocks.steady
        self._counting_since = self._clock()
        """Absence before this time does not count, because the server itself may have been down."""
        self._refreshed = self._clock()
        """When the last refresh began."""
        self._awake = self._clock()
        """When the server last showed that it is neither asleep nor held up."""
        self._called: dict[tuple[str, Seat], float] = {}
        """When players without a connection last called. Not all of it is in the database yet."""

    def begin(self, live: LiveMatch) -> None:
        """Note that a match was just created, and no one is connected yet."""
        live.until = dict.fromkeys(SEATS, self._clock())

    def connect(self, live: LiveMatch, listener: Listener) -> None:
        """Add a listener to a match."""
        new = listener.seats & ~live.here
        live.add(listener)
        self._mark(live, new, self._clock() + LEASE)
        self._tell_soon(live)

    def disconnect(self, live: LiveMatch, listener: Listener) -> None:
        """Remove a listener, unless it was dismissed and so removed before."""
        if live.discard(listener):
            self._mark(live, listener.seats & ~live.here, self._clock())
            self._tell_soon(live)

    def touch(self, live: LiveMatch, seats: int) -> None:
        """Renew the presence of players who have made an HTTP call."""
        for seat in seats_in(seats & ~live.here):
            self._called[live.id, seat] = self._clock()
            live.until[seat] = self._clock() + LEASE

    def joined(self, live: LiveMatch, seat: Seat) -> None:
        """Mark a player who has just joined as present."""
        self._mark(live, seat, self._clock() + LEASE)
        self.touch(live, seat)  # the database may say otherwise until that is written
        self._tell(live)

    def _mark(self, live: LiveMatch, seats: int, until: float) -> None:
        """Write that players have come or gone, and notify the other processes."""
        for seat in seats_in(seats):
            live.until[seat] = until
            self._called.pop((live.id, seat), None)
            until_wall = self._clocks.to_wall(until)
            self._writer.add_presence(PlayerPresence(live.id, seat, until_wall, news=True))

    def of(self, live: LiveMatch, connecting: int = 0) -> PresenceOut:
        """Return who is present, the seats `connecting` included, and how long others were away."""
        one, two = (None if connecting & seat else self._away(live, seat) for seat in SEATS)
        return PresenceOut(
            present=(one is None, two is None),
            away=(None if one is None else round(one, 1), None if two is None else round(two, 1)),
            watchers=live.spectators,
            claim_after=self._claim_after,
        )

    async def has_stayed_away(self, live: LiveMatch, seat: Seat) -> bool:
        """Tell whether a player has been away long enough for the opponent to claim the win."""
        if not live.match.apart or live.here & seat:
            return False
        await self.load(live)
        away = self._away(live, seat)
        return away is not None and away >= self._claim_after

    def _check_clocks(self) -> None:
        """Count absence from zero again after sleep, a change of the clock or a busy time."""
        have_jumped = self._clocks.have_jumped()
        if have_jumped or self._clock() - self._awake > LONGEST_PAUSE:
            self.reset()

    def _away(self, live: LiveMatch, seat: Seat) -> float | None:
        """Return how many seconds a player has been away, or None if present."""
        if live.here & seat or live.match.kinds[seat - 1] != HUMAN:
            return None
        now = self._clock()
        until = live.until.get(seat, self._counting_since)
        return None if until > now else now - max(until, self._counting_since)

    def _tell_soon(self, live: LiveMatch) -> None:
        """Tell everyone who is present: at once if a player has come or gone.

        News of spectators is collected, or a crowd that comes at the same time would be told about
        each of its members.
        """
        if self.of(live).present != live.shown:
            self._tell(live)
        elif live.news is None:
            loop = asyncio.get_running_loop()
            live.news = loop.call_later(SPECTATORS_EVERY, self._tell, live)

    def _tell(self, live: LiveMatch) -> None:
        if live.news is not None:
            live.news.cancel()
            live.news = None
        presence = self.of(live)
        live.shown = presence.present
        live.broadcast(PresenceMessage(presence=presence).model_dump_json())

    async def load(self, *lives: LiveMatch) -> None:
        """Read who is present. For players connected here, this process knows better."""
        ids = [live.id for live in lives]
        found = await asyncio.to_thread(self._rooms.present_until, ids) if ids else {}
        self._check_clocks()
        now = self._clock()
        for live in lives:
            for seat in SEATS:
                if (one := (live.id, seat)) not in found:
                    continue
                called, until = self._called.get(one), self._clocks.to_steady(found[one])
                if live.here & seat:
                    if until <= now:  # the player has left another process, but not this one
                        self._mark(live, seat, now + LEASE)
                elif until > now + LEASE + LARGEST_DRIFT:
                    # The clock has been set back since. The player is present for one more lease.
                    self._mark(live, seat, now + LEASE)
                # A player who called here may have left another process since.
                elif called is None or called < until <= now:
                    live.until[seat] = until
                    self._called.pop(one, None)
                else:
                    live.until[seat] = max(until, called + LEASE)

    async def sync(self, live: LiveMatch) -> None:
        """Read again who is present, after another process has written something."""
        before = dict(live.until)
        await self.load(live)
        if live.until != before:
            self._tell(live)

    def reset(self) -> None:
        """Count absence only from now on, because until now it could not be observed."""
        self._counting_since = self._clock()

    async def refresh(self, lives: list[LiveMatch]) -> None:
        """Renew the presence of connected players, and tell the others who is no longer present."""
        self._check_clocks()
        before, self._refreshed = self._refreshed, self._clock()
        self._awake = self._refreshed
        watched = [live for live in lives if live.listeners]
        alone = [live for live in watched if live.here != 3]
        if self._rooms.shared:
            called = {live for live in lives if any((live.id, s) in self._called for s in SEATS)}
            await self.load(*called.union(alone))
        self._write_calls(before)
        await self._renew(watched)
        for live in alone:
            if self.of(live).present != live.shown:
                self._tell(live)

    def _write_calls(self, since: float) -> None:
        """Write who has called since a time, and drop the calls that no longer count."""
        now, calls = self._clock(), self._called.items()
        for one, at in calls:
            if at >= since:
                self._writer.add_presence(PlayerPresence(*one, self._clocks.to_wall(at + LEASE)))
        self._called = {one: at for one, at in calls if at + LEASE > now}

    async def _renew(self, watched: list[LiveMatch]) -> None:
        """Write who is still connected, for other processes and the list of open matches."""
        if self._rooms.shared:
            lives = watched
        else:
            lives = [one for one in watched if one.stored.listed and one.match.state == "waiting"]
        for at in range(0, len(lives), BATCH_SIZE):
            until = self._clocks.to_wall(self._clock() + LEASE)
            for live in lives[at : at + BATCH_SIZE]:
                here = [PlayerPresence(live.id, seat, until) for seat in seats_in(live.here)]
                self._writer.add_presence(*here)
            if at + BATCH_SIZE < len(lives):
                await asyncio.sleep(PAUSE)
                self._check_clocks()
                self._awake = self._clock()

    def disconnect_all(self, lives: Iterable[LiveMatch]) -> None:
        """Write that the players connected here have left."""
        for live in lives:
            self._mark(live, live.here, self._clock())
