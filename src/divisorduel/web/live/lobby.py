"""The list of open matches, shared fairly among the addresses of their hosts.

The addresses are kept in memory, and only as long as the hosts are present.
"""

import asyncio
import math
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import islice

from sqlalchemy.exc import SQLAlchemyError

from divisorduel.store.rooms import Rooms, StoredMatch
from divisorduel.web.background import Background
from divisorduel.web.live.clocks import Clocks
from divisorduel.web.live.live_match import LiveMatch
from divisorduel.web.live.presence import LEASE

LONGEST_LIST = 50
"""How many open matches are listed."""
PLACES = 40
"""How many of them are shared among the addresses. The others are for hosts that we do not know."""
REMEMBERED = 3 * LEASE
"""For how many seconds after a call a match counts; it is listed for at most that long."""
MOST_LEFT_OUT = 30_000
"""How many matches a query can leave out."""
EVERYONE = "everyone"
"""The address for which the list is read."""
SECONDS_LISTED = 1.0
"""How long the list is used before it is read again."""


@dataclass(frozen=True, slots=True)
class OpenMatch:
    """An open match whose host has called."""

    live_id: str
    address: str
    created: float
    seen: float


class Lobby:
    """Lists the open matches, and knows those whose hosts have called this process."""

    def __init__(self, rooms: Rooms, background: Background, clocks: Clocks) -> None:
        self._rooms, self._background, self._clocks = rooms, background, clocks
        self._open: dict[str, OpenMatch] = {}
        self._list: asyncio.Task[list[StoredMatch]] | None = None
        self._listed_at = math.inf
        """When the list was read; infinity if that has not begun."""
        self._reading = asyncio.Lock()

    async def open_matches(self) -> list[StoredMatch]:
        """Return the matches that any visitor may join.

        They are read once a second, and again after a change. While they are being read, all who
        ask after a change wait for the same next reading.
        """
        if self._list is None or self._clocks.steady() >= self._listed_at + SECONDS_LISTED:
            self._list, self._listed_at = asyncio.create_task(self._read()), math.inf
        return await asyncio.shield(self._list)

    async def _read(self) -> list[StoredMatch]:
        async with self._reading:
            self._listed_at = self._clocks.steady()
            return await self._read_now()

    async def _read_now(self) -> list[StoredMatch]:
        now = self._clocks.wall()
        # No host was seen later than a lease from now, unless the clock has been set back.
        excluding = self._left_out()
        read = partial(self._rooms.waiting, LONGEST_LIST, now - LEASE, now + 2 * LEASE, excluding)
        try:
            return await self._background.run(read, address=EVERYONE, long=False)
        except SQLAlchemyError:
            self.read_again()
            raise

    def read_again(self) -> None:
        """Read the list again when it is needed, because a match was opened, joined or closed."""
        if self._listed_at < math.inf:  # otherwise the next reading has not begun
            self._list = None

    def note(self, live: LiveMatch) -> None:
        """Note that the host of a match is present, if the match is listed and open."""
        if live.address and live.opened.listed and live.match.state == "waiting":
            created = live.opened.created
            seen = self._clocks.steady()
            self._open[live.id] = OpenMatch(live.id, live.address, created, seen)
        else:
            self._open.pop(live.id, None)

    def refresh(self, lives: Iterable[LiveMatch]) -> None:
        """Note the hosts that are connected, and forget those that have left."""
        for live in lives:
            if live.here:
                self.note(live)
        oldest = self._clocks.steady() - REMEMBERED
        self._open = {one.live_id: one for one in self._open.values() if one.seen >= oldest}

    def _left_out(self) -> list[str]:
        """Return the matches that are not listed, because their address has had its share."""
        by_address: defaultdict[str, list[OpenMatch]] = defaultdict(list)
        for one in self._open.values():
            by_address[one.address].append(one)
        share = fair_share({address: len(found) for address, found in by_address.items()})
        beyond = (
            one.live_id
            for found in by_address.values()
            for one in sorted(found, key=lambda one: -one.created)[share:]
        )
        return [*islice(beyond, MOST_LEFT_OUT)]


def fair_share(counts: Mapping[str, int]) -> int:
    """Return how many matches each address may list, at least one, so that the places suffice."""
    share, left, waiting = 0, PLACES, sorted(counts.values())
    while waiting:
        step = max(1, min(waiting[0] - share, left // len(waiting)))
        share, left = share + step, left - step * len(waiting)
        waiting = [count for count in waiting if count > share]
        if left < len(waiting):
            break
    return max(share, 1)
