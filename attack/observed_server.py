"""Runs ``duel`` and counts its asyncio tasks on request, which cannot be seen from outside.

Run as ``python -m attack.observed_server FILE serve …``. Whenever the file is empty, the number of
tasks of asyncio that are not done is written into it.
"""

import asyncio
import gc
import sys
import threading
import time
from pathlib import Path

from attack.servers import AttackedServer
from tests.polling import wait_until

SECONDS_BETWEEN_LOOKS = 0.1


class ObservedServer(AttackedServer):
    """A server whose tasks can be counted."""

    def tasks(self) -> int:
        """Return how many tasks it has."""
        self._count.write_text("")
        for _ in wait_until("the tasks are counted"):
            if counted := self._count.read_text():
                return int(counted)
        raise AssertionError("unreachable")

    @property
    def _count(self) -> Path:
        return self._folder / "tasks"

    def _command(self) -> list[str]:
        words = [sys.executable, "-m", "attack.observed_server", str(self._count)]
        return [*words, *super()._command()[1:]]


def main() -> None:
    """Watch the file in a thread, and run ``duel`` with the other words."""
    name, *words = sys.argv[1:]
    threading.Thread(target=_watch, args=(Path(name),), daemon=True).start()
    sys.argv[1:] = words
    from divisorduel.cli.main import main as duel

    duel()


def _watch(file: Path) -> None:
    while True:
        time.sleep(SECONDS_BETWEEN_LOOKS)
        if file.exists() and not file.stat().st_size:
            file.write_text(str(_tasks()))


def _tasks() -> int:
    found = (one for one in gc.get_objects() if isinstance(one, asyncio.Task))
    return sum(not task.done() for task in found)


if __name__ == "__main__":
    main()
