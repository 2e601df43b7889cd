"""A server with other settings: ``python -m tests.web.tight DATABASE '{"thinking": 0.5}'``."""

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from divisorduel.web.app import application, listen, run
from divisorduel.web.settings import Settings
from tests.web.clients import Server
from tests.web.databases import sqlite_in


class TightServer(Server):
    """Such a server as a separate process."""

    def _command(self) -> list[str]:
        return [sys.executable, "-m", "tests.web.tight", self.database, *self._words]


@contextmanager
def tight(folder: Path, **settings: Any) -> Iterator[Server]:
    """Run such a server with two solver processes: one for computer players, one for the coach."""
    words = json.dumps({"workers": 1, **settings})
    with TightServer(sqlite_in(folder), folder, words) as server:
        yield server


def main() -> None:
    """Run it."""
    database, words = sys.argv[1:]
    settings = Settings(database=database, port=0, **json.loads(words))
    with listen(settings) as taken:
        at = f"http://127.0.0.1:{taken.getsockname()[1]}/"
        run(application(settings), settings, taken, lambda: print(f"It is at {at}", flush=True))


if __name__ == "__main__":
    main()
