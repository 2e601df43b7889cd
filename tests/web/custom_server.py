"""A server with any settings.

Run as ``python -m tests.web.custom_server DATABASE '{"thinking": 0.5}'``.
"""

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from divisorduel.web.app import application
from divisorduel.web.server import bind, run
from divisorduel.web.server_settings import ServerSettings
from tests.web.clients import Server
from tests.web.databases import sqlite_in


class CustomServer(Server):
    """A server with any settings, in a separate process."""

    def _command(self) -> list[str]:
        return [sys.executable, "-m", "tests.web.custom_server", self.database, *self._words]


@contextmanager
def custom_server(folder: Path, **settings: Any) -> Iterator[Server]:
    """Run a server with these settings."""
    words = json.dumps(settings)
    with CustomServer(sqlite_in(folder), folder, words) as server:
        yield server


def main() -> None:
    """Run it."""
    database, words = sys.argv[1:]
    settings = ServerSettings(database=database, port=0, **json.loads(words))
    with bind(settings) as taken:
        at = f"http://127.0.0.1:{taken.getsockname()[1]}/"
        run(application(settings), settings, taken, lambda: print(f"It is at {at}", flush=True))


if __name__ == "__main__":
    main()
