"""What the routes work with: the hub, the solvers and the limits of one server process."""

import asyncio
import logging
import secrets
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from random import Random

from sqlalchemy import Engine

from divisorduel.play.players import Player
from divisorduel.store.database import DatabaseReplaced, check_file
from divisorduel.store.rooms import Rooms
from divisorduel.web.background import Background
from divisorduel.web.bot_players import BotPlayers
from divisorduel.web.live.clocks import Clocks
from divisorduel.web.live.computer_players import ComputerPlayers
from divisorduel.web.live.hub import Hub
from divisorduel.web.live.pg_listener import listen
from divisorduel.web.live.presence import REFRESH_EVERY
from divisorduel.web.rate_limit import RateLimit
from divisorduel.web.server_settings import ServerSettings
from divisorduel.web.solving.solver_pool import SolverPool
from divisorduel.web.turns import Turns

MINUTE = 60.0
CHECK_FILE_EVERY = 5.0
"""How many seconds pass before a database file that was deleted is noticed without a request."""
MESSAGES_AT_ONCE = 20
"""How many messages of one address are answered in a pass of the event loop."""
KEYS_PER_ADDRESS = 10
"""One address may send as many commands as this many keys."""

log = logging.getLogger("divisorduel")


@dataclass(frozen=True)
class Services:
    """The services of one server process."""

    hub: Hub
    solvers: SolverPool
    background: Background
    bots: BotPlayers
    settings: ServerSettings
    match_limit: RateLimit
    connection_limit: RateLimit
    question_limit: RateLimit
    command_limit: RateLimit
    """How many commands may be sent with each key."""
    address_limit: RateLimit
    """How many commands may be sent from each address."""
    turns: Turns
    """The messages over WebSockets that each address may send before others have their turn."""
    open_questions: Counter[str]
    """How many questions from each address are being answered."""


@asynccontextmanager
async def open_services(
    settings: ServerSettings, engine: Engine, bots: Mapping[str, Player]
) -> AsyncIterator[Services]:
    """Start the services, and stop them on exit."""
    process = secrets.token_hex(6)
    rooms = Rooms(engine, process)
    solvers = SolverPool(settings.workers, settings.thinking, settings.memory)
    background = Background()
    players = BotPlayers(bots)
    rng = Random()  # noqa: S311  # for games
    computers = ComputerPlayers(solvers, background, players, rng)
    hub = Hub(rooms, background, settings, Clocks(), computers)

    async def check_database() -> None:
        with suppress(DatabaseReplaced):  # it is in the log
            check_file(engine)

    regular = [
        _every(REFRESH_EVERY, hub.refresh),
        _every(min(MINUTE, settings.expire_after), hub.close_expired),
        _every(CHECK_FILE_EVERY, check_database),
    ]
    if rooms.shared:
        regular.append(listen(engine.url, process, hub.resync, hub.resync_all))
    tasks = [asyncio.create_task(task) for task in regular]
    try:
        yield _services(hub, solvers, background, players, settings)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await hub.stop()
        await asyncio.to_thread(players.close)
        background.close()
        solvers.close()
        engine.dispose()


def _services(
    hub: Hub,
    solvers: SolverPool,
    background: Background,
    bots: BotPlayers,
    settings: ServerSettings,
) -> Services:
    return Services(
        hub=hub,
        solvers=solvers,
        background=background,
        bots=bots,
        settings=settings,
        match_limit=RateLimit(settings.games_a_minute),
        connection_limit=RateLimit(settings.connections_a_minute),
        question_limit=RateLimit(settings.questions_a_minute),
        command_limit=RateLimit(settings.commands_a_minute),
        address_limit=RateLimit(KEYS_PER_ADDRESS * settings.commands_a_minute),
        turns=Turns(MESSAGES_AT_ONCE),
        open_questions=Counter(),
    )


async def _every(seconds: float, job: Callable[[], Awaitable[None]]) -> None:
    while True:
        await asyncio.sleep(seconds)
        try:
            await job()
        except Exception:
            log.exception("A regular task failed. It runs again in %g seconds.", seconds)
