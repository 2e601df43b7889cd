"""A temporary PostgreSQL cluster with default settings."""

import os
import shutil
import subprocess
from pathlib import Path
from signal import SIGINT

from bench.load.processes import Server, ServerError, free_port

DEBIAN = Path("/usr/lib/postgresql")
"""Where Debian and Ubuntu keep the programs, which are not on the PATH."""
USER = "postgres"
"""The user to run as if we are root, because PostgreSQL refuses to run as root."""


class Cluster:
    """A running cluster, with an empty database at `url`."""

    def __init__(self, folder: Path) -> None:
        """Create the cluster in a folder and start it. Raises `ServerError`."""
        programs, user = programs_folder(), USER if os.geteuid() == 0 else None
        if programs is None:
            raise ServerError("PostgreSQL was not found.")
        data, port = folder / "cluster", free_port()
        data.mkdir()
        if user:
            shutil.chown(data, user, user)
        command: list[str | Path] = [
            programs / "initdb",
            "--pgdata",
            data,
            "--username",
            "duel",
            "--auth",
            "trust",
        ]
        command += ["--encoding", "UTF8", "--locale", "C"]
        ran = subprocess.run(
            command,
            cwd=data,
            capture_output=True,
            text=True,
            check=False,
            user=user,
            group=user,
            extra_groups=[] if user else None,
        )
        if ran.returncode:
            raise ServerError(
                f"Creating the PostgreSQL cluster failed. Output of initdb:\n{ran.stderr}"
            )
        settings = ["listen_addresses=127.0.0.1", f"port={port}", "unix_socket_directories="]
        self._server = Server(
            [programs / "postgres", "-D", data, *(w for s in settings for w in ("-c", s))],
            "ready to accept connections",
            folder=data,
            user=user,
            stop_signal=SIGINT,  # a fast shutdown, which does not wait for clients
        )
        self.url = f"postgresql://duel@127.0.0.1:{port}/postgres"

    def cpu(self) -> float:
        """Return the CPU time of all its processes."""
        return self._server.cpu()

    def stop(self) -> None:
        """Stop the cluster."""
        self._server.stop()


def programs_folder() -> Path | None:
    """Return the folder of the newest PostgreSQL programs, or None."""
    if found := shutil.which("initdb"):
        return Path(found).resolve().parent
    folders = [path.parent for path in DEBIAN.glob("*/bin/initdb")]
    return max(folders, key=lambda path: float(path.parent.name), default=None)
