"""What the routes work with: the hub, the solvers and the limits of one server process."""

import asyncio
import logging
import secrets
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from random import Random

from sqlalchemy import Engine

from divisorduel.store.rooms import Rooms
from divisorduel.web.live.hub import Hub
from divisorduel.web.live.pg_listener import listen
from divisorduel.web.live.presence import REFRESH_EVERY
from divisorduel.web.rate_limit import RateLimit
from divisorduel.web.settings import Settings
from divisorduel.web.solving.solver_pool import SolverPool

MINUTE = 60.0

log = logging.getLogger("divisorduel")


@dataclass(frozen=True)
class Services:
    """The services of one server process."""

    hub: Hub
    solvers: SolverPool
    settings: Settings
    match_limit: RateLimit
    connection_limit: RateLimit
    question_limit: RateLimit
    command_limit: RateLimit
    open_questions: Counter[str]
    """How many questions from each address are being answered."""


@asynccontextmanager
async def open_services(settings: Settings, engine: Engine) -> AsyncIterator[Services]:
    """Start the services, and stop them on exit."""
    process = secrets.token_hex(6)
    rooms = Rooms(engine, process)
    solvers = SolverPool(settings.workers, settings.thinking, settings.memory)
    hub = Hub(rooms, solvers, settings, time.time, Random())  # noqa: S311  # for games
    regular = [
        _every(REFRESH_EVERY, hub.refresh),
        _every(min(MINUTE, settings.expire_after), hub.close_expired),
    ]
    if rooms.shared:
        regular.append(listen(engine.url, process, hub.resync, hub.resync_all))
    tasks = [asyncio.create_task(task) for task in regular]
    try:
        yield Services(
            hub=hub,
            solvers=solvers,
            settings=settings,
            match_limit=RateLimit(settings.games_a_minute),
            connection_limit=RateLimit(settings.connections_a_minute),
            question_limit=RateLimit(settings.questions_a_minute),
            command_limit=RateLimit(settings.commands_a_minute),
            open_questions=Counter(),
        )
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await hub.stop()
        solvers.close()
        engine.dispose()


async def _every(seconds: float, job: Callable[[], Awaitable[None]]) -> None:
    while True:
        await asyncio.sleep(seconds)
        try:
            await job()
        except Exception:
            log.exception("A regular task failed. It runs again in %g seconds.", seconds)
