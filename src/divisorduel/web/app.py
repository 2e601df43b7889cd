"""The application: routes, pages and error handlers put together."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from importlib.metadata import version

from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse

from divisorduel.play.players import Player
from divisorduel.store.database import claim, open_database
from divisorduel.web.bot_players import kind_of
from divisorduel.web.routes import coach, matches, positions, sharing, websocket
from divisorduel.web.routes.pages import add_pages
from divisorduel.web.schemas.problems import ERRORS, answer_to
from divisorduel.web.security import HEADERS, Guard
from divisorduel.web.server_settings import ServerSettings
from divisorduel.web.services import open_services

ABOUT = """\
Two-player games about divisors and multiples. To play, send commands; each names the version of the
match that you have seen. To follow a match, connect to the WebSocket at `/api/matches/{id}/live`,
which `/asyncapi.json` describes.
"""


def application(settings: ServerSettings, bots: Mapping[str, Player] | None = None) -> FastAPI:
    """Return the application. Raises `StoreError` if its database cannot be used.

    It offers engines by name, as `bots`, and closes them when it stops.
    """
    claimed = claim(settings.database)
    engine = open_database(settings.database)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        with claimed:
            async with open_services(settings, engine, bots or {}) as services:
                app.state.services = services
                yield

    app = FastAPI(
        title="Divisor Duel",
        version=version("divisorduel"),
        description=ABOUT,
        lifespan=lifespan,
        openapi_url=None,  # the pages serve it
        docs_url=None,
        redoc_url=None,
    )
    app.add_middleware(Guard, private=settings.is_private)
    for routes in (
        *matches.ROUTERS,
        coach.routes,
        positions.routes,
        sharing.routes,
        websocket.routes,
    ):
        app.include_router(routes)
    add_pages(app, tuple(map(kind_of, bots or {})))
    for kind in (*ERRORS, Exception):
        app.add_exception_handler(kind, _answer)
    return app


async def _answer(_: Request, error: Exception) -> JSONResponse:
    """Answer every error in one shape: a code for programs and a sentence for people."""
    status, problem = answer_to(error)
    # The answer to an unexpected error bypasses the guard, which adds these headers to all others.
    return JSONResponse(
        problem.model_dump(), status, {**HEADERS, **(getattr(error, "headers", None) or {})}
    )
