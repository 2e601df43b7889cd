"""The command in processes that have imported it already, because imports take most of its time.

``python -m tests.preloaded_duel`` imports the command once and forks for each run.
"""

import atexit
import gc
import json
import os
import pkgutil
import socket
import subprocess
import sys
from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any, NoReturn

import divisorduel
from divisorduel.cli.main import main

ROOT = Path(__file__).parents[1]
LEFT_OUT = ("divisorduel.web", "divisorduel.terminal.fullscreen", "divisorduel.store.migrations")
"""Few commands import these, and those need seconds anyway."""
LONGEST_REQUEST = 1 << 20
LONGEST_RUN = 300
"""In seconds."""


class PreloadedDuel:
    """Runs the installed command, started with a given environment, faster than a new process."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._socket, there = socket.socketpair()
        self._socket.settimeout(LONGEST_RUN)
        with there:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "tests.preloaded_duel", str(there.fileno())],
                env={**environment, "PYTHONPATH": str(ROOT)},
                pass_fds=[there.fileno()],
                cwd=ROOT,
            )

    def close(self) -> None:
        """End the process."""
        self._socket.close()
        self._process.wait()

    def run(
        self, words: Sequence[str], typed: bytes, environment: Mapping[str, str], folder: Path
    ) -> "subprocess.CompletedProcess[bytes]":
        """Run the command with this input and return what it printed."""
        with TemporaryFile() as stdin, TemporaryFile() as stdout, TemporaryFile() as stderr:
            stdin.write(typed)
            stdin.seek(0)
            request = {"words": [*words], "environment": {**environment}, "folder": str(folder)}
            files = [stdin.fileno(), stdout.fileno(), stderr.fileno()]
            socket.send_fds(self._socket, [json.dumps(request).encode()], files)
            status = int(self._socket.recv(64))
            stdout.seek(0)
            stderr.seek(0)
            return subprocess.CompletedProcess([*words], status, stdout.read(), stderr.read())


def preload() -> None:
    """Import the command and what most runs of it need."""
    for module in pkgutil.walk_packages(divisorduel.__path__, "divisorduel.", onerror=print):
        if not module.name.startswith(LEFT_OUT) and not module.name.endswith("__main__"):
            import_module(module.name)


def serve(there: socket.socket) -> None:
    """Fork for each request and answer with the exit status. Return in the forked process."""
    while True:
        data, files, _, _ = socket.recv_fds(there, LONGEST_REQUEST, 3)
        if not data:
            os._exit(0)
        if child := os.fork():
            for file in files:
                os.close(file)
            status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
            there.send(str(status).encode())
            continue
        there.close()
        become(json.loads(data), files)
        return


def become(request: dict[str, Any], files: Sequence[int]) -> None:
    """Take the streams, arguments, environment and folder of a run."""
    for number, file in enumerate(files):
        os.dup2(file, number)
        os.close(file)
    kinds = (("stdin", "r"), ("stdout", "w"), ("stderr", "w"))
    for number, (name, mode) in enumerate(kinds):
        old = getattr(sys, name)
        new = open(number, mode, encoding=old.encoding, errors=old.errors, closefd=False)  # noqa: SIM115
        setattr(sys, name, new)
        setattr(sys, f"__{name}__", new)
    os.environ.clear()
    os.environ.update(request["environment"])
    os.chdir(request["folder"])
    sys.argv = ["duel", *request["words"]]


def finish(end: SystemExit) -> NoReturn:
    """Exit as the interpreter does, but skip its teardown, which takes longer."""
    assert end.code is None or isinstance(end.code, int)
    atexit._run_exitfuncs()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(end.code or 0)


if __name__ == "__main__":
    preload()
    gc.freeze()
    serve(socket.socket(fileno=int(sys.argv[1])))
    try:
        main()
    except SystemExit as end:
        finish(end)
