"""The page and whatever it loads: files of ours, and nothing from elsewhere."""

from pathlib import Path

from fastapi import FastAPI, Request, Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

FOLDER = Path(__file__).parents[1] / "static"


class Files(StaticFiles):
    """Files that a browser keeps, but asks after each time: so a new version is seen at once."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        """Return a file."""
        response = await super().get_response(path, scope)
        response.headers["cache-control"] = "no-cache"
        return response


def add_pages(app: FastAPI) -> None:
    """Add the page, the page of the API, and their files."""

    @app.api_route("/", methods=["GET", "HEAD"], include_in_schema=False)
    async def page(request: Request) -> Response:
        return await Files(directory=FOLDER).get_response("index.html", request.scope)

    @app.api_route("/docs", methods=["GET", "HEAD"], include_in_schema=False)
    async def docs(request: Request) -> Response:
        return await Files(directory=FOLDER).get_response("docs.html", request.scope)

    @app.get("/favicon.ico", include_in_schema=False)
    async def icon(request: Request) -> Response:
        return await Files(directory=FOLDER).get_response("icon.svg", request.scope)

    app.mount("/static", Files(directory=FOLDER))
