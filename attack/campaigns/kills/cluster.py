"""Kills of PostgreSQL and of two servers on it, in turn."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import ExitStack, contextmanager
from random import Random

from attack.campaign import Context
from attack.load import ScriptedGame, progress
from attack.scripted_match import apart
from attack.servers import NO_LIMITS, new_cluster, serving
from tests.web.clients import Server
from tests.web.postgres import Cluster

LENGTH = 300


class KilledCluster:
    """Two servers on one PostgreSQL. Some matches are played at one of them, some at both."""

    def __init__(
        self, cluster: Cluster, servers: tuple[Server, Server], rng: Random, games: int
    ) -> None:
        self._cluster = cluster
        self._servers = servers
        self._rng = rng
        self._games = [self._new_game(number) for number in range(games)]

    @classmethod
    @contextmanager
    def running(cls, context: Context, games: int) -> Iterator["KilledCluster"]:
        """Run PostgreSQL and two servers."""
        with ExitStack() as stack:
            cluster = stack.enter_context(new_cluster())
            url = cluster.new_database()
            here = stack.enter_context(serving(context, *NO_LIMITS, database=url))
            there = stack.enter_context(serving(context, *NO_LIMITS, database=url))
            yield cls(cluster, (here, there), context.rng("cluster"), games)

    def kill_here(self) -> None:
        """Kill the first server; the players at the other do not notice."""
        self._kill_server(self._servers[0])

    def kill_there(self) -> None:
        """Kill the second server; the players at the other do not notice."""
        self._kill_server(self._servers[1])

    def kill_database(self) -> None:
        """Kill PostgreSQL and start it again; all continue where they were."""

        async def kill() -> None:
            self._cluster.kill()
            await asyncio.sleep(self._rng.random())
            await asyncio.to_thread(self._cluster.start)

        asyncio.run(self._play(kill, None))
        self._check()

    def _kill_server(self, victim: Server) -> None:
        async def kill() -> None:
            victim.kill()

        asyncio.run(self._play(kill, victim))
        victim.restart()
        self._check()

    def _check(self) -> None:
        for game in self._games:
            for server in self._servers:
                game.check(server.url)

    def _new_game(self, number: int) -> ScriptedGame:
        return ScriptedGame(self._servers[number % 2].url, apart(self._rng, LENGTH))

    def _urls(self, number: int) -> list[str]:
        """Return where the two players of a game are: both at one server, or one at each."""
        here, there = (server.url for server in self._servers)
        return [[here], [there], [here, there], [there, here]][number % 4]

    async def _play(self, kill: Callable[[], Awaitable[None]], victim: Server | None) -> None:
        """Play, kill in the middle of it, and play until the others have made progress."""
        for number, game in enumerate(self._games):
            if len(game.script.commands) - game.told < 2 * LENGTH // 3:
                self._games[number] = self._new_game(number)
        stop, playing = asyncio.Event(), []
        for number, game in enumerate(self._games):
            moves = game.play(self._urls(number), stop, patient=True)
            playing.append(asyncio.create_task(moves))
        await progress(self._games, playing, self._rng.randint(1, 6))
        await kill()
        spared = [
            number
            for number in range(len(self._games))
            if victim is None or victim.url not in self._urls(number)
        ]
        await progress([self._games[number] for number in spared], playing, 2)
        stop.set()
        is_open = await asyncio.gather(*playing)
        cut = [number for number in spared if not is_open[number]]
        assert not cut, f"the players of games {cut} lost their connections without cause"
