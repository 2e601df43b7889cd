"""The page, the documentation of the API, and the files that they load."""

import asyncio
import json
from collections.abc import Callable
from functools import partial
from typing import Any

from fastapi import FastAPI, Request, Response
from fastapi.encoders import jsonable_encoder
from fastapi.responses import RedirectResponse

from divisorduel.web.page_files import ADDRESS, FOLDER, PAGE, SERVICE_WORKER, PageFiles
from divisorduel.web.schemas import responses, views
from divisorduel.web.schemas.asyncapi import asyncapi
from divisorduel.web.schemas.problems import api_error
from divisorduel.web.static_files import CHECKED, IMMUTABLE, StaticFile

PAGES = {
    "/": PAGE,
    "/docs": "docs.html",
    "/favicon.ico": "icon.svg",
    "/service-worker.js": SERVICE_WORKER,
}


def add_pages(app: FastAPI, bots: tuple[str, ...] = ()) -> None:
    """Add the pages, their files, and the descriptions of the API.

    `bots` are the kinds of the server's engines.
    """
    files = PageFiles(FOLDER, {"catalogue.json": catalogue(bots)})

    def add_page(path: str, file: str) -> None:
        @app.api_route(path, methods=["GET", "HEAD"], include_in_schema=False)
        async def page(request: Request) -> Response:
            return files[file].answer(request.headers, CHECKED)

    for path, file in PAGES.items():
        add_page(path, file)

    @app.api_route("/static/{path:path}", methods=["GET", "HEAD"], include_in_schema=False)
    async def static(path: str, request: Request) -> Response:
        if path in files:
            return files[path].answer(request.headers, CHECKED)
        version, _, name = path.partition("/")
        if name not in files:
            raise api_error("not-found")
        if version == files.version:
            return files[name].answer(request.headers, IMMUTABLE)
        # A page of another version, which was open while the server was updated.
        return RedirectResponse(f"{ADDRESS}{name}", headers={"cache-control": "no-store"})

    _add_description(app, "/openapi.json", app.openapi)
    _add_description(app, "/asyncapi.json", partial(asyncapi, app.title, app.version))


def _add_description(app: FastAPI, path: str, describe: Callable[[], dict[str, Any]]) -> None:
    """Add a description of the API. It is made once, in a thread, when it is first asked for."""
    made: asyncio.Task[StaticFile] | None = None

    def make() -> StaticFile:
        file = StaticFile(json.dumps(describe()).encode(), "application/json")
        _ = file.brotli, file.gzip
        return file

    @app.api_route(path, methods=["GET", "HEAD"], include_in_schema=False)
    async def description(request: Request) -> Response:
        nonlocal made
        made = made or asyncio.create_task(asyncio.to_thread(make))
        return (await asyncio.shield(made)).answer(request.headers, CHECKED)


def catalogue(bots: tuple[str, ...] = ()) -> bytes:
    """Return what `/api/games` and `/api/options` answer, as a file that browsers can keep."""
    answers = {"games": views.rule_books(), "options": responses.OptionsOut(bots=bots)}
    values = jsonable_encoder(answers)
    return json.dumps(values, ensure_ascii=False, separators=(",", ":")).encode()
