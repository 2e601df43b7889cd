"""The server's application in this process: requests and messages without a network in between."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, TypeVar

from attack.description import Json
from divisorduel.web.app import application
from divisorduel.web.protocols.direct_socket import EXTENSION, OnMessage
from divisorduel.web.server_settings import ServerSettings
from tests.web.databases import sqlite_in

T = TypeVar("T")
Headers = dict[str, str]
SECONDS = 60.0
"""How long a request may take; solvers have much less."""


@dataclass(frozen=True)
class Answer:
    """The answer to a request."""

    status: int
    headers: Headers
    body: bytes

    @property
    def json(self) -> Any:
        """The body as JSON."""
        return json.loads(self.body)


class Application:
    """A running application, on a database of its own, without limits on how often it is called."""

    def __init__(self, folder: Path, **settings: Any) -> None:
        plenty = {
            one.name: 10**9 for one in fields(ServerSettings) if one.name.endswith("_a_minute")
        }
        chosen = ServerSettings(database=sqlite_in(folder), **{**plenty, **settings})
        self._loop = asyncio.new_event_loop()
        self.app: Any = application(chosen)
        self._lifespan = self.app.router.lifespan_context(self.app)
        self.run(self._lifespan.__aenter__())

    def run(self, what: Awaitable[T]) -> T:
        """Run the application until something is done."""

        async def within_time() -> T:
            async with asyncio.timeout(SECONDS):
                return await what

        return self._loop.run_until_complete(within_time())

    def close(self) -> None:
        """Stop it."""
        self.run(self._lifespan.__aexit__(None, None, None))
        self._loop.close()

    @property
    def openapi(self) -> Json:
        """How the application describes its calls."""
        described: Json = self.app.openapi()
        return described

    def call(self, method: str, path: str, body: bytes = b"", **headers: str) -> Answer:
        """Make a request; in the names of headers, write ``_`` for ``-``."""
        return self.run(self._call(method, path, body, headers))

    def post(self, path: str, body: object, key: str | None = None) -> Answer:
        """Post JSON."""
        more = {"authorization": f"Bearer {key}"} if key else {}
        data = json.dumps(body).encode()
        return self.call("POST", path, data, content_type="application/json", **more)

    def get(self, path: str, key: str | None = None) -> Answer:
        """Get something."""
        more = {"authorization": f"Bearer {key}"} if key else {}
        return self.call("GET", path, b"", **more)

    async def _call(self, method: str, path: str, body: bytes, headers: Headers) -> Answer:
        said = [{"type": "http.request", "body": body, "more_body": False}]
        told: list[Json] = []

        async def receive() -> Json:
            return said.pop() if said else {"type": "http.disconnect"}

        async def send(message: Json) -> None:
            told.append(message)

        await self.app(scope("http", path, headers, method=method), receive, send)
        return Answer(
            status=told[0]["status"],
            headers={k.decode(): v.decode("latin-1") for k, v in told[0]["headers"]},
            body=b"".join(message.get("body", b"") for message in told[1:]),
        )


class Connection:
    """A WebSocket of the application."""

    def __init__(self, running: Application, path: str, **headers: str) -> None:
        """Connect, and wait until that is accepted or refused."""
        self._running = running
        self._said: asyncio.Queue[Json] = asyncio.Queue()
        self._told: asyncio.Queue[Json] = asyncio.Queue()
        self._said.put_nowait({"type": "websocket.connect"})
        self.code: int | None = None
        """The code with which it was closed."""
        opened = {**scope("websocket", path, headers), "extensions": {EXTENSION: self}}
        served = running.app(opened, self._said.get, self._told.put)
        self._task = running._loop.create_task(served)  # noqa: SLF001  # they belong together
        self.next()

    # --- what the route uses once it has taken the connection over, as of `DirectSocket`

    def take_over(self, on_message: OnMessage, on_lost: Callable[[], None]) -> None:
        """Hand all messages to a callback from now on, and call the other one at the end."""

        async def hand_over() -> None:
            while (said := await self._said.get())["type"] == "websocket.receive":
                on_message(said.get("text"))
            on_lost()

        self._reader = asyncio.get_running_loop().create_task(hand_over())

    def send_now(self, *texts: str) -> None:
        """Tell the client something."""
        for text in texts:
            self._told.put_nowait({"type": "websocket.send", "text": text})

    def pause(self) -> None:
        """Read nothing more; here everything has been read already."""

    def resume(self) -> None:
        """Read again."""

    # --- what the client uses

    def send(self, said: str | bytes) -> None:
        """Send a message."""
        part = "text" if isinstance(said, str) else "bytes"
        self._said.put_nowait({"type": "websocket.receive", part: said})

    def next(self) -> Json | None:
        """Return the next message; None if the connection was closed or has just been accepted."""
        return self._running.run(self._next())

    async def _next(self) -> Json | None:
        told = asyncio.ensure_future(self._told.get())
        await asyncio.wait([told, self._task], return_when=asyncio.FIRST_COMPLETED)
        if not told.done():
            told.cancel()
            self._task.result()
            raise AssertionError("the application left without closing the connection")
        message = told.result()
        if message["type"] == "websocket.close":
            self.code = message.get("code", 1000)
            return None
        return json.loads(message["text"]) if message["type"] == "websocket.send" else None

    def close(self) -> None:
        """Leave, and wait until the application has noticed."""
        self._said.put_nowait({"type": "websocket.disconnect", "code": 1000})
        self._running.run(self._task)


def scope(kind: str, path: str, headers: Headers, method: str = "GET") -> Json:
    """Describe a connection from this machine, as ASGI does."""
    path, _, query = path.partition("?")
    sent = {"host": "localhost", **{k.replace("_", "-"): v for k, v in headers.items()}}
    return {
        "type": kind,
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": method,
        "scheme": "http" if kind == "http" else "ws",
        "path": path,
        "raw_path": path.encode("utf-8", "replace"),
        "query_string": query.encode(),
        "root_path": "",
        "headers": [(k.encode(), v.encode("latin-1", "replace")) for k, v in sent.items()],
        "client": ("127.0.0.1", 50_000),
        "server": ("127.0.0.1", 8_721),
        "subprotocols": [],
        "state": {},
    }
