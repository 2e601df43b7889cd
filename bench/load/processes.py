"""Runs servers as child processes, and measures their CPU time."""

import os
import socket
import subprocess
import sys
from collections import deque
from collections.abc import Mapping, Sequence
from pathlib import Path
from signal import SIGTERM, Signals
from threading import Thread

STOP_TIMEOUT = 20
"""How many seconds a server has to stop before it is killed."""


class ServerError(Exception):
    """A server did not start."""


class Server:
    """A child process that prints a line when it is ready."""

    def __init__(
        self,
        command: Sequence[str | Path],
        ready: str,
        *,
        environment: Mapping[str, str] | None = None,
        folder: Path | None = None,
        user: str | None = None,
        stop_signal: Signals = SIGTERM,
    ) -> None:
        """Start the process and wait for a line that contains `ready`. Raises `ServerError`.

        It runs as `user` if given, and stops on `stop_signal`.
        """
        self._stop_signal = stop_signal
        self._output: deque[str] = deque(maxlen=20)
        self._process = subprocess.Popen(
            [str(word) for word in command],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env={**os.environ, **(environment or {})},
            cwd=folder,
            user=user,
            group=user,
            extra_groups=[] if user else None,
            # Ctrl-C must reach only the driver, which stops its children.
            start_new_session=True,
        )
        self._ready = False
        try:
            self._wait_for(ready)
        except BaseException:
            self.stop()
            raise
        Thread(target=self._drain_output, daemon=True).start()

    def cpu(self) -> float:
        """Return the CPU seconds used by the process and its children."""
        return cpu_seconds(self._process.pid)

    def stop(self) -> None:
        """Stop the process and wait for it. If it has exited by itself, print its output."""
        if self._process.poll() is None:
            self._process.send_signal(self._stop_signal)
        elif self._ready:
            print(
                f"A server exited by itself. Its output:\n{''.join(self._output)}", file=sys.stderr
            )
        try:
            self._process.wait(STOP_TIMEOUT)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def _wait_for(self, ready: str) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self._output.append(line)
            if ready in line:
                self._ready = True
                return
        raise ServerError(
            f"{self._process.args!r} did not start. Its output:\n{''.join(self._output)}"
        )

    def _drain_output(self) -> None:
        assert self._process.stdout is not None
        with self._process.stdout as lines:
            self._output.extend(lines)


def free_port() -> int:
    """Return a free port."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        port: int = server.getsockname()[1]
        return port


def busy_seconds() -> float:
    """Return the busy seconds of all cores together, from /proc on Linux."""
    user, nice, system, _idle, _waiting, *rest = map(
        int, Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:9]
    )
    return (user + nice + system + sum(rest)) / os.sysconf("SC_CLK_TCK")


def cpu_seconds(root: int) -> float:
    """Return the CPU seconds of a process and its descendants, from /proc on Linux."""
    parents, ticks = {}, {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
        except OSError:  # the process has just exited
            continue
        pid = int(stat.parent.name)
        parents[pid], ticks[pid] = int(fields[1]), int(fields[11]) + int(fields[12])
    processes, found_more = {root}, True
    while found_more:
        children = {pid for pid, parent in parents.items() if parent in processes} - processes
        processes |= children
        found_more = bool(children)
    return sum(ticks.get(pid, 0) for pid in processes) / os.sysconf("SC_CLK_TCK")
