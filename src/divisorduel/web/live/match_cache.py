"""The matches in memory, and the loading of others."""

import asyncio
from collections import Counter, OrderedDict
from functools import partial
from sys import getsizeof
from weakref import WeakValueDictionary

from divisorduel.play.match import Match
from divisorduel.store.rooms import Rooms
from divisorduel.web.background import Background
from divisorduel.web.live.live_match import LiveMatch
from divisorduel.web.live.presence import PresenceTracker

MOST_IDLE, MOST_IDLE_BYTES = 2_000, 100_000_000
"""How many recently used matches stay in memory even if no one follows them, and their size."""
MATCH_BYTES, ROUND_BYTES, MOVE_BYTES = 4_000, 300, 40
"""About how much memory a match takes, and each of its rounds and moves."""
LONG_RECORD, LONG_MATCH = 5_000, 500
"""A match with more characters of its record, or more steps, takes longer to load than others."""


class MatchCache:
    """Holds every match in use once, and loads the others when they are needed."""

    def __init__(self, rooms: Rooms, background: Background, presence: PresenceTracker) -> None:
        self._rooms, self._background, self._presence = rooms, background, presence
        # A match that is in use stays in this dictionary, so it is never held twice.
        self._live: WeakValueDictionary[str, LiveMatch] = WeakValueDictionary()
        self._recent: OrderedDict[str, LiveMatch] = OrderedDict()
        self._sizes: Counter[str] = Counter()
        """How many bytes the recent matches take, or took when they were last asked for."""
        self._bytes = 0
        self._loading: dict[str, dict[str, asyncio.Task[LiveMatch | None]]] = {}
        """The matches that are being loaded, and for which addresses."""

    def get(self, match_id: str) -> LiveMatch | None:
        """Return a match if it is in memory."""
        return self._live.get(match_id)

    def all(self) -> list[LiveMatch]:
        """Return the matches in memory."""
        return list(self._live.values())

    def add(self, live: LiveMatch) -> LiveMatch:
        """Keep a match that is being used, and evict the least recently used ones."""
        self._live[live.id] = live
        self._drop(live.id)
        self._recent[live.id] = live
        self._sizes[live.id] = size_of(live.match)
        self._bytes += self._sizes[live.id]
        while len(self._recent) > MOST_IDLE or self._bytes > MOST_IDLE_BYTES:
            self._drop(next(iter(self._recent)))
        return live

    def remove(self, live: LiveMatch) -> None:
        """Remove a match, which is then loaded again on request."""
        self._live.pop(live.id, None)
        self._drop(live.id)

    def _drop(self, match_id: str) -> None:
        """Evict a match, which stays in memory while it is in use."""
        self._recent.pop(match_id, None)
        self._bytes -= self._sizes.pop(match_id, 0)

    async def load(self, match_id: str, address: str) -> LiveMatch | None:
        """Load a match for a client. Return None if no match has that id.

        A match that is being loaded for another address is loaded again: this client does not wait
        for the other jobs of that address. Raises `UnreadableMatch` and `ServerBusy`.
        """
        loading = self._loading.setdefault(match_id, {})
        if address not in loading:
            loading[address] = asyncio.create_task(self._load(match_id, address))
        return await asyncio.shield(loading[address])

    def is_loading(self, match_id: str) -> bool:
        """Return whether a match is being loaded."""
        return match_id in self._loading

    async def loaded(self, match_id: str) -> LiveMatch | None:
        """Wait for a match to finish loading, then return it if it is in memory."""
        tasks = self._loading.get(match_id, {}).values()
        await asyncio.gather(*map(asyncio.shield, tasks), return_exceptions=True)
        return self.get(match_id)

    async def _load(self, match_id: str, address: str) -> LiveMatch | None:
        try:
            run = partial(self._background.run, address=address)
            characters, steps = await run(partial(self._rooms.length_of, match_id), long=False)
            is_long = characters > LONG_RECORD or steps > LONG_MATCH
            stored = await run(partial(self._rooms.open, match_id), long=is_long)
            if (live := self.get(match_id)) is not None:  # loaded for another address
                return live
            if stored is None:
                return None
            live = self.add(LiveMatch(stored, address=address))
            await self._presence.load(live)
            return live
        finally:
            del self._loading[match_id][address]
            if not self._loading[match_id]:
                del self._loading[match_id]


def size_of(match: Match) -> int:
    """Return about how many bytes of memory a match takes."""
    rounds = sum(ROUND_BYTES + MOVE_BYTES * len(played.moves) for played in match.played)
    # On a board of large numbers, a position is large. Only the last two rounds have any.
    positions = (
        one for played in match.played[-2:] for one in (played.position, *played.snapshots)
    )
    return MATCH_BYTES + rounds + sum(getsizeof(one.playable) for one in positions)
