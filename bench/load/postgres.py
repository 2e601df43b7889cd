"""A PostgreSQL cluster of its own, with the settings that PostgreSQL comes with."""

import os
import shutil
import subprocess
from pathlib import Path
from signal import SIGINT

from bench.load.processes import Server, ServerError, free_port

DEBIAN = Path("/usr/lib/postgresql")
"""Where Debian and Ubuntu keep the programs, off the PATH."""
USER = "postgres"
"""Whom it runs as if we are root, since PostgreSQL refuses to run as root."""


class Cluster:
    """A running cluster, with an empty database at `url`."""

    def __init__(self, folder: Path) -> None:
        """Make it in a folder and start it. Raises `ServerError`."""
        programs, user = programs_folder(), USER if os.geteuid() == 0 else None
        if programs is None:
            raise ServerError("PostgreSQL was not found.")
        data, port = folder / "cluster", free_port()
        data.mkdir()
        if user:
            shutil.chown(data, user, user)
        words: list[str | Path] = [
            programs / "initdb",
            "--pgdata",
            data,
            "--username",
            "duel",
            "--auth",
            "trust",
        ]
        words += ["--encoding", "UTF8", "--locale", "C"]
        ran = subprocess.run(
            words,
            cwd=data,
            capture_output=True,
            text=True,
            check=False,
            user=user,
            group=user,
            extra_groups=[] if user else None,
        )
        if ran.returncode:
            raise ServerError(f"PostgreSQL could not be set up; initdb said:\n{ran.stderr}")
        settings = ["listen_addresses=127.0.0.1", f"port={port}", "unix_socket_directories="]
        self._server = Server(
            [programs / "postgres", "-D", data, *(w for s in settings for w in ("-c", s))],
            "ready to accept connections",
            folder=data,
            user=user,
            end=SIGINT,  # a fast shutdown, which does not wait for clients
        )
        self.url = f"postgresql://duel@127.0.0.1:{port}/postgres"

    def cpu(self) -> float:
        """Return the processor time of all its processes."""
        return self._server.cpu()

    def stop(self) -> None:
        """Shut it down."""
        self._server.stop()


def programs_folder() -> Path | None:
    """Return where the newest PostgreSQL's programs are, or None."""
    if found := shutil.which("initdb"):
        return Path(found).resolve().parent
    folders = [path.parent for path in DEBIAN.glob("*/bin/initdb")]
    return max(folders, key=lambda path: float(path.parent.name), default=None)
