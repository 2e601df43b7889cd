"""The server: the application put together, and run."""

import asyncio
import gc
import logging
import os
import secrets
import socket
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from importlib.metadata import version
from random import Random

from fastapi import FastAPI, HTTPException, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from sqlalchemy import Engine
from sqlalchemy.exc import SQLAlchemyError
from starlette.exceptions import HTTPException as AnyHTTPException

from divisorduel.rules.errors import DuelError
from divisorduel.store.database import claim, open_database
from divisorduel.store.rooms import Rooms
from divisorduel.web.dependencies import Services
from divisorduel.web.live.batch_writer import UNREACHABLE
from divisorduel.web.live.hub import Hub
from divisorduel.web.live.pg_listener import hear
from divisorduel.web.live.presence import ROUND
from divisorduel.web.rate_limit import RateLimit
from divisorduel.web.routes import coach, matches, websocket
from divisorduel.web.routes.pages import add_pages
from divisorduel.web.security import Guard
from divisorduel.web.settings import Settings
from divisorduel.web.solving.solver_pool import Busy, NoAnswer, SolverPool

MINUTE = 60.0
SELDOM = 20_000, 20, 50
"""How often garbage is looked for; nearly all of ours is gone without."""
log = logging.getLogger("divisorduel")

ABOUT = """\
Two-player games of divisors and multiples. Matches are played by commands, each made for the
version of the match that its author has seen, and watched over a WebSocket at
`/api/matches/{id}/live`.
"""


def application(settings: Settings) -> FastAPI:
    """Return the application. Raises `StoreError` if its database cannot be used."""
    claimed = claim(settings.database)
    engine = open_database(settings.database)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        with claimed:
            async with _serving(settings, engine) as server:
                app.state.server = server
                yield

    app = FastAPI(
        title="Divisor Duel",
        version=version("divisorduel"),
        description=ABOUT,
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
    )
    app.add_middleware(Guard, private=settings.is_private)
    app.include_router(matches.routes)
    app.include_router(coach.routes)
    app.include_router(websocket.routes)
    add_pages(app)
    _add_refusals(app)
    return app


@asynccontextmanager
async def _serving(settings: Settings, engine: Engine) -> AsyncIterator[Services]:
    process = secrets.token_hex(6)
    rooms = Rooms(engine, process)
    rng = Random()  # noqa: S311  # for games; secrets are drawn elsewhere
    # Computers at play and questions to the coach do not wait for each other.
    counts = (settings.workers + 1) // 2, max(1, settings.workers // 2)
    players, coach = (SolverPool(count, settings.thinking, settings.memory) for count in counts)
    hub = Hub(rooms, players, settings, time.time, rng)
    tasks = [
        asyncio.create_task(_every(ROUND, hub.look_around)),
        asyncio.create_task(_every(min(MINUTE, settings.expire_after), hub.close_old)),
    ]
    if rooms.shared:
        hearing = hear(engine.url, process, hub.heard, hub.heard_nothing)
        tasks.append(asyncio.create_task(hearing))
    try:
        yield Services(
            hub=hub,
            coach=coach,
            settings=settings,
            clock=time.time,
            rng=rng,
            creating=RateLimit(settings.games_a_minute, time.monotonic),
            connecting=RateLimit(settings.connections_a_minute, time.monotonic),
            asking=RateLimit(settings.questions_a_minute, time.monotonic),
            asking_now=Counter(),
            commanding=RateLimit(settings.commands_a_minute, time.monotonic),
        )
    finally:
        for task in tasks:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task
        await hub.stop()
        for workers in (players, coach):
            workers.close()
        engine.dispose()


async def _every(seconds: float, job: Callable[[], Awaitable[None]]) -> None:
    while True:
        await asyncio.sleep(seconds)
        try:
            await job()
        except Exception:
            log.exception("A regular task failed; it is tried again in %g seconds.", seconds)


def _add_refusals(app: FastAPI) -> None:
    """Let everything that is refused come back in one shape, with a sentence for people."""

    @app.exception_handler(RequestValidationError)
    async def misshapen(_: Request, error: RequestValidationError) -> JSONResponse:
        first = error.errors()[0]
        # The kinds that a value could have been are no part of where it stands.
        where = ".".join(str(part) for part in first["loc"][1:] if "-" not in str(part))
        return _refusal(422, f"{where}: {first['msg']}." if where else f"{first['msg']}.")

    @app.exception_handler(DuelError)
    async def refused(_: Request, error: DuelError) -> JSONResponse:
        return _refusal(503 if isinstance(error, Busy | NoAnswer) else 422, str(error))

    @app.exception_handler(SQLAlchemyError)
    async def not_kept(_: Request, error: SQLAlchemyError) -> JSONResponse:
        log.error("The database failed: %s", " ".join(str(error).split()))
        return _refusal(503, UNREACHABLE)

    @app.exception_handler(AnyHTTPException)
    async def other(_: Request, error: HTTPException) -> JSONResponse:
        return _refusal(error.status_code, str(error.detail), error.headers)


def _refusal(status: int, reason: str, headers: object = None) -> JSONResponse:
    return JSONResponse({"reason": reason}, status, headers)  # type: ignore[arg-type]  # a mapping


class AddressError(DuelError):
    """An address that the server cannot listen on."""

    code = "unusable-address"


def listen(settings: Settings) -> socket.socket:
    """Listen at the address of the settings. Raises `AddressError`."""
    try:
        return _bound(settings)
    except OSError as error:
        raise AddressError(
            f"{settings.host} port {settings.port} cannot be used: {error.strerror or error}.\n"
            "Choose another port with --port; --port 0 takes any free one."
        ) from None


def _bound(settings: Settings) -> socket.socket:
    family, kind, protocol, _, address = socket.getaddrinfo(
        settings.host, settings.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
    )[0]
    taken = socket.socket(family, kind, protocol)
    try:
        if os.name == "posix":
            # A server that has just been stopped must not keep its own address from the next one.
            taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        taken.bind(address)
    except OSError:
        taken.close()
        raise
    return taken


def run(app: FastAPI, settings: Settings, at: socket.socket, ready: Callable[[], None]) -> None:
    """Serve at an address until somebody stops it; `ready` is called when it answers."""
    import uvicorn

    class Announcing(uvicorn.Server):
        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets)
            ready()

    config = uvicorn.Config(
        app,
        log_level="warning",
        access_log=False,
        ws="websockets-sansio",
        ws_max_size=20_000,
        ws_ping_interval=60.0,  # the page sends a sign of life more often itself
        ws_ping_timeout=30.0,
        ws_per_message_deflate=False,
        server_header=False,
        proxy_headers=bool(settings.proxy),
        forwarded_allow_ips=settings.proxy or None,
        timeout_graceful_shutdown=3,
    )
    # What was loaded to get here stays to the end: looking through it for garbage, again and again,
    # would keep players waiting for a tenth of a second at a time.
    gc.collect()
    gc.freeze()
    gc.set_threshold(*SELDOM)
    Announcing(config).run(sockets=[at])
