"""Steady load on a server for as long as wanted: its memory, descriptors and tasks stay flat."""

import asyncio
from contextlib import suppress
from dataclasses import dataclass
from statistics import median

from attack.campaign import Context
from attack.load import ScriptedGame
from attack.observed_server import ObservedServer
from attack.scripted_match import apart
from attack.servers import NO_LIMITS
from tests.polling import wait_until
from tests.web.clients import HERE, LINK, Client, Socket, joined_match, my_turn, solo

CACHED = 2_000
"""How many matches a server keeps in memory; until there are more, its memory grows."""
GAMES = 10
MORE_MEMORY = 32 << 20
"""How many bytes of growth do not count: an allocator gives little back."""
MORE_DESCRIPTORS = 20
"""How many more descriptors do not count: a pool of connections to the database varies."""
MORE_TASKS = 6


@dataclass(frozen=True)
class Sample:
    """What an idle server uses."""

    memory: int
    descriptors: int
    tasks: int


class SteadyLoad:
    """Players who come, play, ask, watch and leave, some of them rudely."""

    def __init__(self, context: Context, kind: str, database: str) -> None:
        self.server = ObservedServer(database, context.folder("soak"), *NO_LIMITS)
        self.samples: list[Sample] = []
        self.commands = 0
        self._kind = kind
        self._rng = context.rng("soak", kind)

    def warm_up(self, matches: int) -> None:
        """Create matches until the cache of the server is full."""
        wanted = {"game": "chain", "players": [HERE, LINK], "board": {"to": 60}}
        with Client(self.server.url) as client:
            for _ in range(matches):
                client.post("/matches", 201, **wanted)
        self.cycle()

    def cycle(self) -> None:
        """Let many play, watch and ask; then wait until the server is idle again, and look."""
        url = self.server.url
        games = [ScriptedGame(url, apart(self._rng, 30)) for _ in range(GAMES)]
        asyncio.run(_play(games, url))
        for game in games:
            assert game.is_over, f"{game.id} was not played to the end: {game.refusals}"
            game.check(url)
            self.commands += game.told
        self._come_and_go()
        self._ask()
        self.samples.append(self._look())

    def _come_and_go(self) -> None:
        """Connect and leave, rudely and politely, with a right key and a wrong one."""
        with (
            joined_match(self.server.url) as match,
            match.one.listen() as ann,
            match.watch.listen(),
            match.watch.listen() as guest,
            Socket(self.server.url, match.id, None, hello=False) as stranger,
        ):
            ann.do("take", number=8)
            guest.drop()
            match.two.listen().drop()
            stranger.send(type="hello", key="x" * 24)
            assert stranger.closed_with() == 4403

    def _ask(self) -> None:
        """Play against a computer, and ask the coach."""
        with solo(self.server.url, board={"to": 20}) as match:
            match.one.take(8)
            if my_turn(match)["to_move"] == 1:
                match.one.post(f"{match.one.at}/hint", step=self._rng.randint(1, 3))
            match.one.do("forfeit")

    def _look(self) -> Sample:
        """Wait until the connections are closed, and measure."""
        expected = self.samples[0].descriptors if self.samples else 0
        with suppress(AssertionError):  # if they stay open, the samples show it
            for _ in wait_until("the connections are closed", 10):
                if self.server.descriptors() <= expected + 2:
                    break
        tasks = self.server.tasks()
        return Sample(self.server.memory(), self.server.descriptors(), tasks)

    def check(self) -> str:
        """Check that nothing grows, and return the figures."""
        third = max(1, len(self.samples) // 3)
        first, last = self.samples[:third], self.samples[-third:]
        grown = {
            "memory": median(s.memory for s in last) - median(s.memory for s in first),
            "descriptors": median(s.descriptors for s in last)
            - median(s.descriptors for s in first),
            "tasks": median(s.tasks for s in last) - median(s.tasks for s in first),
        }
        begin, end = self.samples[0], self.samples[-1]
        figures = (
            f"{self._kind}: {len(self.samples)} rounds, {self.commands:,} commands; "
            f"memory {begin.memory >> 20} to {end.memory >> 20} MB, "
            f"descriptors {begin.descriptors} to {end.descriptors}, "
            f"tasks {begin.tasks} to {end.tasks}."
        )
        assert grown["memory"] <= MORE_MEMORY, f"memory grows: {figures}"
        assert grown["descriptors"] <= MORE_DESCRIPTORS, f"descriptors grow: {figures}"
        assert grown["tasks"] <= MORE_TASKS, f"tasks grow: {figures}"
        return figures


async def _play(games: list[ScriptedGame], url: str) -> None:
    stop = asyncio.Event()
    is_open = await asyncio.gather(*(game.play([url], stop) for game in games))
    assert all(is_open), "a connection was lost without cause"
