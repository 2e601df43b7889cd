"""The application: routes, pages and error handlers put together."""

import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from http import HTTPStatus
from importlib.metadata import version

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from sqlalchemy.exc import SQLAlchemyError
from starlette.exceptions import HTTPException

from divisorduel.rules.errors import DuelError
from divisorduel.store.database import claim, open_database
from divisorduel.web.routes import coach, matches, websocket
from divisorduel.web.routes.pages import add_pages
from divisorduel.web.schemas.problems import PROBLEMS, ApiError, problem, problem_of
from divisorduel.web.schemas.responses import Problem
from divisorduel.web.security import Guard
from divisorduel.web.services import open_services
from divisorduel.web.settings import Settings
from divisorduel.web.solving.solver_pool import LimitExceeded, SolverBusy

log = logging.getLogger("divisorduel")

ABOUT = """\
Two-player games of divisors and multiples. You play a match by commands, each made for the version
of the match that you have seen, and follow it over a WebSocket at `/api/matches/{id}/live`, which
`/asyncapi.json` describes.
"""


def application(settings: Settings) -> FastAPI:
    """Return the application. Raises `StoreError` if its database cannot be used."""
    claimed = claim(settings.database)
    engine = open_database(settings.database)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        with claimed:
            async with open_services(settings, engine) as services:
                app.state.services = services
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
    for routes in (*matches.ROUTERS, coach.routes, websocket.routes):
        app.include_router(routes)
    add_pages(app)
    _add_error_handlers(app)
    return app


def _add_error_handlers(app: FastAPI) -> None:
    """Answer every refusal in one shape: a code for programs and a sentence for people."""

    @app.exception_handler(RequestValidationError)
    async def invalid(_: Request, error: RequestValidationError) -> JSONResponse:
        first = error.errors()[0]
        # The location names the types that a value could have had; those are not in the request.
        where = ".".join(str(part) for part in first["loc"][1:] if "-" not in str(part))
        told = f"{where}: {first['msg']}" if where else first["msg"]
        return _answer(422, problem("invalid-request", problem=told))

    @app.exception_handler(DuelError)
    async def refused(_: Request, error: DuelError) -> JSONResponse:
        status = 503 if isinstance(error, SolverBusy | LimitExceeded) else 422
        return _answer(status, problem_of(error))

    @app.exception_handler(SQLAlchemyError)
    async def database_failed(_: Request, error: SQLAlchemyError) -> JSONResponse:
        log.error("The database failed: %s", " ".join(str(error).split()))
        return _answer(503, problem("database-unavailable"))

    @app.exception_handler(HTTPException)
    async def http_error(_: Request, error: HTTPException) -> JSONResponse:
        if isinstance(error, ApiError):
            return _answer(error.status_code, error.problem, error.headers)
        code = HTTPStatus(error.status_code).phrase.lower().replace(" ", "-")
        told = problem(code) if code in PROBLEMS else Problem(code=code, reason=error.detail)
        return _answer(error.status_code, told, error.headers)


def _answer(status: int, told: Problem, headers: object = None) -> JSONResponse:
    return JSONResponse(told.model_dump(), status, headers)  # type: ignore[arg-type]  # a mapping
