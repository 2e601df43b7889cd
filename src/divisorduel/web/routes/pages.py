"""The page, the documentation of the API, and the files that they load."""

from pathlib import Path

from fastapi import FastAPI, Request, Response
from fastapi.responses import JSONResponse
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from divisorduel.web.schemas.asyncapi import asyncapi

FOLDER = Path(__file__).parents[1] / "static"


class Files(StaticFiles):
    """Files that browsers cache but check on each use, so that a new version appears at once."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        """Return a file."""
        response = await super().get_response(path, scope)
        response.headers["cache-control"] = "no-cache"
        return response


def add_pages(app: FastAPI) -> None:
    """Add the pages, their files, and the description of the WebSocket."""
    files = Files(directory=FOLDER)

    def add_page(path: str, file: str) -> None:
        @app.api_route(path, methods=["GET", "HEAD"], include_in_schema=False)
        async def page(request: Request) -> Response:
            return await files.get_response(file, request.scope)

    add_page("/", "index.html")
    add_page("/docs", "docs.html")
    add_page("/favicon.ico", "icon.svg")

    @app.get("/asyncapi.json", include_in_schema=False)
    async def websocket_description() -> JSONResponse:
        return JSONResponse(asyncapi(app.title, app.version))

    app.mount("/static", files)
