"""Finds and kills what an engine has started, even if it tries to get away."""

import os
import signal
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

ENGINE_VARIABLE = "DUEL_ENGINE"
"""The environment variable by which the children of an engine are found."""
LOOK_EVERY = 0.005
"""How many seconds pass before we check again whether a process has ended."""
SWEEPS = 20
"""How many times, at most, to look for the processes that an engine left, and to kill them."""

GUARD = """
engine=$1 mark=$2
read -r _ && exit
kill -KILL "-$engine"
for sweep in 1 2 3 4 5 6 7 8 9 10; do
    found=
    for folder in /proc/[0-9]*; do
        read -r line <"$folder/stat" || continue
        set -- ${line##*)}
        case $1 in Z | X) continue ;; esac
        if [ "$4" = "$engine" ] || grep -aqF "$mark" "$folder/environ"; then
            kill -KILL "${folder#/proc/}"
            found=yes
        fi
    done
    [ -n "$found" ] || exit
done 2>/dev/null
"""
"""A shell script that kills an engine and what it started, after our own process was killed."""


class ProcessTree:
    """A process in a session of its own, and what it has started.

    Its PID must not be given to another process: wait for the process only after `kill`.
    """

    def __init__(self, engine: int, mark: str) -> None:
        """Take the PID of the process, and the value of `ENGINE_VARIABLE` in its environment."""
        self._engine, self._mark = engine, f"{ENGINE_VARIABLE}={mark}".encode()
        self._seen: set[tuple[int, bytes]] = set()
        """The processes that it started, as far as we have looked, and when they began."""

    def others(self) -> list[int]:
        """Return the living processes of its session, those with its mark, and their children."""
        running = _running()
        found = {
            pid
            for pid, one in running.items()
            if one.session == self._engine
            or (pid, one.started) in self._seen
            or _has_mark(pid, self._mark)
        }
        found.add(self._engine)
        while new := {pid for pid, one in running.items() if one.parent in found} - found:
            found |= new
        others = found & running.keys() - {self._engine}
        self._seen |= {(pid, running[pid].started) for pid in others}
        return sorted(others)

    def kill(self) -> None:
        """Kill the process and the others, until none is left."""
        self._stop_and_kill()
        for _ in range(SWEEPS):
            if not (others := self.others()):
                break
            for other in others:
                _send(os.kill, other, signal.SIGKILL)
            time.sleep(LOOK_EVERY)

    def _stop_and_kill(self) -> None:
        """Stop everything first: what is stopped starts nothing, and its children can be found."""
        _send(os.killpg, self._engine, signal.SIGSTOP)
        stopped: set[int] = set()
        for _ in range(SWEEPS):
            if not (new := {*self.others()} - stopped):
                break
            for other in new:
                _send(os.kill, other, signal.SIGSTOP)
            stopped |= new
        _send(os.killpg, self._engine, signal.SIGKILL)
        for other in stopped:
            _send(os.kill, other, signal.SIGKILL)


def _send(how: Callable[[int, int], None], number: int, kind: signal.Signals) -> None:
    with suppress(ProcessLookupError, PermissionError):
        how(number, kind)


class _Running(NamedTuple):
    """What is known about a process."""

    parent: int
    session: int
    started: bytes
    """When it began, because PIDs are reused."""


def _running() -> dict[int, _Running]:
    """Return the living processes of this machine, if it has /proc."""
    found = {}
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError, IndexError):
            fields = (folder / "stat").read_bytes().rpartition(b")")[2].split()
            state, parent, session, started = fields[0], fields[1], fields[3], fields[19]
            if state not in (b"Z", b"X"):
                found[int(folder.name)] = _Running(int(parent), int(session), started)
    return found


def _has_mark(pid: int, mark: bytes) -> bool:
    with suppress(OSError):
        return mark in Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
    return False
