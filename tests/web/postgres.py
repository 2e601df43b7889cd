"""A temporary PostgreSQL cluster for the tests."""

import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

import psycopg

from tests.polling import wait_until

USER = "postgres"
"""The superuser of the cluster, and the account that runs it: PostgreSQL does not run as root."""
NOT_INSTALLED = "PostgreSQL is not installed. On Debian: apt-get install postgresql"


def find_programs() -> Path | None:
    """Return the folder of PostgreSQL's programs, the newest if there are several."""
    found = shutil.which("initdb")
    if found:
        return Path(found).resolve().parent
    folders = [program.parent for program in Path("/usr/lib/postgresql").glob("*/bin/initdb")]
    return max(folders, key=lambda folder: float(folder.parent.name), default=None)


@dataclass(frozen=True)
class Cluster:
    """A running cluster."""

    programs: Path
    folder: Path
    port: int
    _numbers: Iterator[int] = field(default_factory=lambda: count(1))

    def url(self, name: str) -> str:
        """Return the URL of a database."""
        return f"postgresql://{USER}@127.0.0.1:{self.port}/{name}"

    def new_database(self) -> str:
        """Create an empty database and return its URL."""
        name = f"duel{next(self._numbers)}"
        self.execute(f"CREATE DATABASE {name} TEMPLATE template0")
        return self.url(name)

    def execute(self, statement: str) -> None:
        """Execute a statement as the superuser."""
        with psycopg.connect(self.url("postgres"), autocommit=True) as connection:
            connection.execute(statement.encode())

    def start(self) -> None:
        """Start it and wait until it answers."""
        settings = {
            "port": str(self.port),
            "listen_addresses": "127.0.0.1",
            "unix_socket_directories": str(self.folder),
            "fsync": "off",  # the tests kill servers, not machines
            "max_connections": "200",
        }
        words = " ".join(f"-c {name}={value}" for name, value in settings.items())
        log = str(self.folder / "log")
        self._run("pg_ctl", "-D", self._data, "-l", log, "-w", "-o", words, "start")

    def stop(self) -> None:
        """Stop it at once."""
        self._run("pg_ctl", "-D", self._data, "-m", "immediate", "-w", "stop")

    def kill(self) -> None:
        """Kill all its processes, as a power failure would."""
        lock = Path(self._data, "postmaster.pid")
        first = int(lock.read_text().split()[0])
        children = Path(f"/proc/{first}/task/{first}/children").read_text().split()
        killed = [first, *map(int, children)]
        for process in killed:
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        for _ in wait_until("all processes have ended"):
            if not any(_is_alive(process) for process in killed):
                break
        # As long as no parent has waited for the killed processes, these files seem to be in use.
        for held in (lock, *self.folder.glob(".s.PGSQL.*.lock")):
            held.unlink()

    def create(self) -> None:
        """Create its files."""
        kind = ("-U", USER, "-A", "trust", "--locale=C", "--encoding=UTF8", "--no-sync")
        self._run("initdb", "-D", self._data, *kind)

    @property
    def _data(self) -> str:
        return str(self.folder / "data")

    def _run(self, program: str, *words: str) -> None:
        account = pwd.getpwnam(USER) if os.geteuid() == 0 else None  # it does not run as root
        command = [str(self.programs / program), *words]
        log = self.folder / f"{program}.out"
        with log.open("ab") as out:  # a pipe would stay open as long as the server runs
            done = subprocess.run(
                command,
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=out,
                cwd="/",
                user=account and account.pw_uid,
                group=account and account.pw_gid,
                extra_groups=account and [],
                check=False,
            )
        assert done.returncode == 0, f"{program} failed: {log.read_text()}"


@contextmanager
def running_cluster(programs: Path) -> Iterator[Cluster]:
    """Run a new cluster, and remove it afterwards."""
    folder = Path(tempfile.mkdtemp(prefix="duel-postgres-"))
    if os.geteuid() == 0:
        account = pwd.getpwnam(USER)
        os.chown(folder, account.pw_uid, account.pw_gid)
    cluster = Cluster(programs, folder, free_port())
    try:
        cluster.create()
        cluster.start()
        try:
            yield cluster
        finally:
            cluster.stop()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _is_alive(process: int) -> bool:
    """Tell whether a process runs; one that its parent has not waited for yet does not."""
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state not in "ZX"


def free_port() -> int:
    """Return a free port."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
