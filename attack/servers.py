"""Servers to attack: ``duel serve`` on loopback, with SQLite or PostgreSQL."""

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager
from pathlib import Path

from attack.campaign import Context
from tests.conftest import DUEL
from tests.polling import wait_until
from tests.web.clients import NO_LIMITS, Server
from tests.web.databases import sqlite_in
from tests.web.postgres import NOT_INSTALLED, Cluster, find_programs, running_cluster

NewDatabase = Callable[[], str]
SECONDS_TO_START = 120


class AttackedServer(Server):
    """A server with the options given and no others; all limits are those of the defaults."""

    def __init__(
        self,
        database: str,
        folder: Path,
        *words: str,
        environment: Mapping[str, str] | None = None,
        ulimit: str = "",
    ) -> None:
        """Prepare a server. `ulimit` is given to the command of that name: "-n 64"."""
        super().__init__(database, folder, *words)
        self._environment = dict(environment or {})
        self._ulimit = ulimit

    def _command(self) -> list[str]:
        words = ["--no-open", "--port", str(self.port), "--database", self.database]
        command = [DUEL, "serve", *words, *self._words]
        if self._ulimit:
            return ["sh", "-c", f'ulimit {self._ulimit} && exec "$@"', "sh", *command]
        return command

    def _env(self) -> dict[str, str]:
        return {**super()._env(), **self._environment}

    def try_to_start(self) -> tuple[int | None, str]:
        """Start it, and wait until it answers or gives up.

        Return its exit status, None if it answers, and what it has printed.
        """
        told = self.log.stat().st_size if self.log.exists() else 0
        process = self.launch()
        for _ in wait_until("the server answers or gives up", SECONDS_TO_START):
            status = process.poll()
            said = self.log.read_bytes()[told:].decode("utf-8", "backslashreplace")
            if status is not None or " at http://" in said:
                return status, said
        raise AssertionError("unreachable")

    @property
    def file(self) -> Path:
        """The file of its SQLite database."""
        return Path(self.database.removeprefix("sqlite:///"))

    def memory(self) -> int:
        """Return how many bytes of memory it uses."""
        return self._kilobytes("VmRSS") << 10

    def peak_memory(self) -> int:
        """Return the most bytes of memory that it has used."""
        return self._kilobytes("VmHWM") << 10

    def threads(self) -> int:
        """Return how many threads it has."""
        return self._kilobytes("Threads")

    def descriptors(self) -> int:
        """Return how many file descriptors it has open."""
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))  # noqa: PTH208

    def _kilobytes(self, name: str) -> int:
        lines = Path(f"/proc/{self.process.pid}/status").read_text().splitlines()
        [line] = [line for line in lines if line.startswith(f"{name}:")]
        return int(line.split()[1])


@contextmanager
def serving(
    context: Context,
    *words: str,
    database: str | None = None,
    environment: Mapping[str, str] | None = None,
    ulimit: str = "",
) -> Iterator[AttackedServer]:
    """Run a server in a folder of its own, with SQLite unless another database is given.

    Without `words` it has the default limits; `NO_LIMITS` lets one address do anything.
    """
    folder = context.folder("server")
    url = database or sqlite_in(folder)
    with AttackedServer(url, folder, *words, environment=environment, ulimit=ulimit) as server:
        yield server


@contextmanager
def databases(context: Context) -> Iterator[dict[str, NewDatabase]]:
    """Give a way to make empty databases of each kind: "sqlite", and "postgresql" if installed."""
    with ExitStack() as stack:
        made: dict[str, NewDatabase] = {"sqlite": lambda: sqlite_in(context.folder("sqlite"))}
        if has_postgresql(context):
            made["postgresql"] = stack.enter_context(new_cluster()).new_database
        yield made


def has_postgresql(context: Context) -> bool:
    """Tell whether PostgreSQL is installed; if not, note that it was not tried."""
    if find_programs() is not None:
        return True
    context.note(f"Not tried with PostgreSQL. {NOT_INSTALLED}")
    if os.environ.get("DUEL_REQUIRE_ALL") == "1":
        context.report("find PostgreSQL", NOT_INSTALLED)
    return False


def new_cluster() -> AbstractContextManager[Cluster]:
    """Run a PostgreSQL cluster."""
    programs = find_programs()
    assert programs is not None, NOT_INSTALLED
    return running_cluster(programs)


__all__ = [
    "NO_LIMITS",
    "AttackedServer",
    "NewDatabase",
    "databases",
    "has_postgresql",
    "new_cluster",
    "serving",
    "sqlite_in",
]
