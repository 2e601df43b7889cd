"""The engines that a server offers. Each chooses one move at a time, in a thread of its own.

Addresses take turns.
"""

import asyncio
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from random import Random

from divisorduel.play.match import MatchError
from divisorduel.play.players import BOT, Player, is_bot
from divisorduel.rules.game import Game
from divisorduel.rules.position import Position
from divisorduel.web.solving.fair_queue import FairQueue, JobGroup

LONGEST_REMARK = 200
MOST_REMARKS = 3
"""How many remarks of an engine about one move are shown."""


def kind_of(name: str) -> str:
    """Return the kind of an engine: ``bot:NAME``."""
    return f"{BOT}:{name}"


class BotPlayers:
    """The engines by their kinds, as in ``bot:NAME``."""

    def __init__(self, players: Mapping[str, Player]) -> None:
        """Offer players by their names."""
        self._players = {kind_of(name): player for name, player in players.items()}
        self._threads = {kind: ThreadPoolExecutor(1, kind) for kind in self._players}
        self._queues = {kind: FairQueue(1) for kind in self._players}

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds that can be chosen."""
        return tuple(self._players)

    def check(self, kinds: tuple[str, str], game: str) -> None:
        """Raise `MatchError` unless this server has all engines of a match, and they play it."""
        for kind in filter(is_bot, kinds):
            name = kind.removeprefix(f"{BOT}:")
            if kind not in self._players:
                raise MatchError(f"This server does not have the engine {name!r}.")
            if not self._players[kind].plays(game):
                raise MatchError(f"{name} does not play this game. Choose another opponent.")

    async def choose(
        self, kind: str, address: str, game: Game, position: Position, rng: Random
    ) -> tuple[int, tuple[str, ...]]:
        """Return an engine's move and its remarks, for a match of a client at this address.

        Raises `PlayerFault`, `PlayerResigned`, or `ServerBusy` if too many matches of the address
        are waiting.
        """
        player, queue = self._players[kind], self._queues[kind]
        group = JobGroup(address, for_people=False)

        def job() -> tuple[int, tuple[str, ...]]:
            player.remarks()  # those about another match
            move = player.choose(game, position, rng)
            return move, tuple(text[:LONGEST_REMARK] for text in player.remarks()[-MOST_REMARKS:])

        await queue.acquire(group, max_wait=None)
        try:
            return await asyncio.get_running_loop().run_in_executor(self._threads[kind], job)
        finally:
            queue.release(group)

    def close(self) -> None:
        """End the engines, even those that are thinking."""
        for thread in self._threads.values():
            thread.shutdown(wait=False, cancel_futures=True)
        for player in self._players.values():
            player.close()
        for thread in self._threads.values():
            thread.shutdown()
