"""Servers as child processes."""

import os
import socket
import subprocess
import sys
from collections import deque
from collections.abc import Mapping, Sequence
from pathlib import Path
from signal import SIGTERM, Signals
from threading import Thread

PATIENCE = 20
"""After so many seconds a server that was asked to end is killed."""


class ServerError(Exception):
    """A server that did not start, with what it said."""


class Server:
    """A child process that says when it is ready."""

    def __init__(
        self,
        words: Sequence[str | Path],
        ready: str,
        *,
        environment: Mapping[str, str] | None = None,
        folder: Path | None = None,
        user: str | None = None,
        end: Signals = SIGTERM,
    ) -> None:
        """Start it and wait for a line that holds the word. Raises `ServerError`.

        The user, if any, is whom it runs as; the signal is what ends it.
        """
        self._end = end
        self._said: deque[str] = deque(maxlen=20)
        self._process = subprocess.Popen(
            [str(word) for word in words],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env={**os.environ, **(environment or {})},
            cwd=folder,
            user=user,
            group=user,
            extra_groups=[] if user else None,
            start_new_session=True,  # Ctrl-C is for the driver, which ends its children in order
        )
        self._ready = False
        try:
            self._wait_for(ready)
        except BaseException:
            self.stop()
            raise
        Thread(target=self._listen, daemon=True).start()

    def cpu(self) -> float:
        """Return the seconds of processor time that it and its children have used."""
        return cpu_seconds(self._process.pid)

    def stop(self) -> None:
        """End it and wait until it is gone; if it is gone already, show what it said."""
        if self._process.poll() is None:
            self._process.send_signal(self._end)
        elif self._ready:
            print(f"A server has ended by itself; it said:\n{''.join(self._said)}", file=sys.stderr)
        try:
            self._process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def _wait_for(self, ready: str) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self._said.append(line)
            if ready in line:
                self._ready = True
                return
        raise ServerError(f"{self._process.args!r} did not start; it said:\n{''.join(self._said)}")

    def _listen(self) -> None:
        assert self._process.stdout is not None
        with self._process.stdout as lines:
            self._said.extend(lines)


def free_port() -> int:
    """Return a port that nobody uses right now."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        port: int = server.getsockname()[1]
        return port


def busy_seconds() -> float:
    """Return how many seconds all cores together have been busy, by Linux's /proc."""
    user, nice, system, _idle, _waiting, *rest = map(
        int, Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:9]
    )
    return (user + nice + system + sum(rest)) / os.sysconf("SC_CLK_TCK")


def cpu_seconds(root: int) -> float:
    """Return the seconds of processor time of a process and its descendants, by Linux's /proc."""
    parents, ticks = {}, {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
        except OSError:  # it has just ended
            continue
        pid = int(stat.parent.name)
        parents[pid], ticks[pid] = int(fields[1]), int(fields[11]) + int(fields[12])
    family, grown = {root}, True
    while grown:
        children = {pid for pid, parent in parents.items() if parent in family} - family
        family |= children
        grown = bool(children)
    return sum(ticks.get(pid, 0) for pid in family) / os.sysconf("SC_CLK_TCK")
