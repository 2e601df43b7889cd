"""The page, the documentation of the API, and the files that they load."""

from pathlib import Path

from fastapi import FastAPI, Request, Response
from fastapi.responses import JSONResponse
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from divisorduel.web.schemas.asyncapi import asyncapi

FOLDER = Path(__file__).parents[1] / "static"


class Files(StaticFiles):
    """Files that browsers cache but check each time, so that a new version appears at once."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        """Return a file."""
        response = await super().get_response(path, scope)
        response.headers["cache-control"] = "no-cache"
        return response


def add_pages(app: FastAPI) -> None:
    """Add the pages, their files, and the description of the WebSocket."""

    @app.api_route("/", methods=["GET", "HEAD"], include_in_schema=False)
    async def page(request: Request) -> Response:
        return await Files(directory=FOLDER).get_response("index.html", request.scope)

    @app.api_route("/docs", methods=["GET", "HEAD"], include_in_schema=False)
    async def docs(request: Request) -> Response:
        return await Files(directory=FOLDER).get_response("docs.html", request.scope)

    @app.get("/asyncapi.json", include_in_schema=False)
    async def websocket_description() -> JSONResponse:
        return JSONResponse(asyncapi(app.title, app.version))

    @app.get("/favicon.ico", include_in_schema=False)
    async def icon(request: Request) -> Response:
        return await Files(directory=FOLDER).get_response("icon.svg", request.scope)

    app.mount("/static", Files(directory=FOLDER))
