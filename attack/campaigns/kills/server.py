"""Kills of one server: under load, and while it starts."""

import asyncio
import time
from collections.abc import Iterator
from contextlib import contextmanager
from random import Random

from attack.campaign import Context
from attack.load import ScriptedGame, progress
from attack.scripted_match import apart
from attack.servers import NO_LIMITS, AttackedServer, serving

LENGTH = 300


class KilledServer:
    """A server that is killed and started again while many play, always with the same matches."""

    def __init__(self, server: AttackedServer, rng: Random, games: int) -> None:
        self._server = server
        self._rng = rng
        self._games = [self._new_game() for _ in range(games)]
        self._start_seconds = 1.0

    @classmethod
    @contextmanager
    def running(cls, context: Context, database: str, games: int) -> Iterator["KilledServer"]:
        """Run such a server on a new database."""
        with serving(context, *NO_LIMITS, database=database) as server:
            yield cls(server, context.rng("server", database.partition(":")[0]), games)

    def kill_under_load(self) -> None:
        """Kill the server while all play; every acknowledged command is there after a restart."""
        self._games = [self._new_game() if game.is_over else game for game in self._games]
        is_open = asyncio.run(self._play_until_killed(self._rng.randint(1, 12)))
        assert not all(is_open), "no one was playing any more"
        self._restart()

    def kill_during_start(self) -> None:
        """Kill the server, start it, and kill it again before it is ready."""
        self._server.kill()
        self._server.launch()
        time.sleep(self._rng.random() * self._start_seconds * 1.2)
        self._server.kill()
        self._restart()

    def _new_game(self) -> ScriptedGame:
        return ScriptedGame(self._server.url, apart(self._rng, LENGTH))

    def _restart(self) -> None:
        began = time.monotonic()
        self._server.restart()
        self._start_seconds = time.monotonic() - began
        for game in self._games:
            game.check(self._server.url)
        asyncio.run(self._continue())

    async def _continue(self) -> None:
        """Play one more command of each game."""
        stop = asyncio.Event()
        moves = [game.play([self._server.url], stop) for game in self._games]
        playing = [asyncio.create_task(one) for one in moves]
        await progress(self._games, playing, 1)
        stop.set()
        assert all(await asyncio.gather(*playing)), "a connection was lost without cause"

    async def _play_until_killed(self, moves: int) -> list[bool]:
        """Play until each game has had this many moves on average; return the games not cut off.

        The kill comes at the very instant of an answer, or a moment later.
        """
        left = moves * len(self._games)
        at_once = self._rng.random() < 0.7

        def count() -> None:
            nonlocal left
            left -= 1
            if left == 0 and at_once:
                self._server.process.kill()

        for game in self._games:
            game.on_told = count
        stop, url = asyncio.Event(), self._server.url
        playing = [asyncio.create_task(game.play([url], stop)) for game in self._games]
        while left > 0 and not all(task.done() for task in playing):
            await asyncio.sleep(0.005)
        await asyncio.sleep(self._rng.random() * 0.02)
        self._server.kill()
        for game in self._games:
            game.on_told = lambda: None
        return await asyncio.gather(*playing)
