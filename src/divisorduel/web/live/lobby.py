"""Shares the list of open matches fairly among the addresses of their hosts.

The addresses are kept in memory, and only as long as the hosts are present.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from itertools import islice

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


@dataclass(frozen=True, slots=True)
class OpenMatch:
    """An open match whose host has called."""

    live_id: str
    address: str
    created: float
    seen: float


class Lobby:
    """Knows the open matches whose hosts have called this process."""

    def __init__(self, clock: Callable[[], float]) -> None:
        """Use a steady clock."""
        self._clock = clock
        self._open: dict[str, OpenMatch] = {}

    def note(self, live: LiveMatch) -> None:
        """Note that the host of a match is present, if the match is listed and open."""
        if live.address and live.opened.listed and live.match.state == "waiting":
            created = live.opened.created
            self._open[live.id] = OpenMatch(live.id, live.address, created, self._clock())
        else:
            self._open.pop(live.id, None)

    def refresh(self, lives: Iterable[LiveMatch]) -> None:
        """Note the hosts that are connected, and forget those that have left."""
        for live in lives:
            if live.here:
                self.note(live)
        oldest = self._clock() - REMEMBERED
        self._open = {one.live_id: one for one in self._open.values() if one.seen >= oldest}

    def left_out(self) -> list[str]:
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
