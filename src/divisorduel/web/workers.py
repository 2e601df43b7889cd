"""Worker processes that solve, so that no question keeps anybody else waiting.

Each has a limit of time and of memory. One that exceeds them is ended, and another takes its place.
"""

import asyncio
import json
import queue
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from threading import Lock, Timer
from typing import Any

from divisorduel.rules.errors import DuelError

GRACE = 3.0
"""How many times its own limit of time a worker may take before it is ended."""
MOST_WAITING = 200


class Busy(DuelError):
    """Too many questions wait already."""


class NoAnswer(DuelError):
    """A question took more time or memory than there is."""


class Workers:
    """Some worker processes, each started when it is first needed."""

    def __init__(self, count: int, seconds: float, memory: int) -> None:
        self._threads = ThreadPoolExecutor(count, "solving")
        self._idle: queue.SimpleQueue[_Worker] = queue.SimpleQueue()
        self._all = [_Worker(seconds, memory) for _ in range(count)]
        for worker in self._all:
            self._idle.put(worker)
        self._waiting = 0

    async def ask(self, job: str, **arguments: str | float) -> Any:
        """Return the answer to a question. Raises `Busy` and `NoAnswer`."""
        if self._waiting >= MOST_WAITING:
            raise Busy("The server has too much to think about just now; try again in a moment.")
        self._waiting += 1
        try:
            loop = asyncio.get_running_loop()
            return await loop.run_in_executor(self._threads, self._ask, job, arguments)
        finally:
            self._waiting -= 1

    def _ask(self, job: str, arguments: dict[str, str | float]) -> Any:
        worker = self._idle.get()
        try:
            return worker.ask(job, arguments)
        finally:
            self._idle.put(worker)

    def close(self) -> None:
        """End the processes."""
        self._threads.shutdown(wait=False, cancel_futures=True)
        for worker in self._all:
            worker.close()
        self._threads.shutdown(wait=True)


class _Worker:
    """One process; it lives until it fails."""

    def __init__(self, seconds: float, memory: int) -> None:
        self._seconds = seconds
        self._command = [sys.executable, "-m", "divisorduel.web.worker", str(seconds), str(memory)]
        self._process: subprocess.Popen[str] | None = None
        self._closed = False
        self._starting = Lock()

    def ask(self, job: str, arguments: dict[str, str | float]) -> Any:
        process = self._process or self._start()
        timer = Timer(GRACE * self._seconds + 1, process.kill)
        timer.start()
        try:
            answer = _exchange(process, json.dumps({"job": job, "with": arguments}))
        finally:
            timer.cancel()
        if answer.endswith("\n"):
            return json.loads(answer)["answer"]
        self.end()
        raise NoAnswer("This is beyond what can be worked out here in the time there is.")

    def _start(self) -> "subprocess.Popen[str]":
        with self._starting:
            if self._closed:
                raise NoAnswer("The server is stopping.")
            # In a session of its own, so that Ctrl-C reaches the server alone, which then ends it.
            self._process = subprocess.Popen(  # noqa: S603  # the program is our own
                self._command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
                start_new_session=True,
            )
            return self._process

    def close(self) -> None:
        """End the process for good."""
        with self._starting:
            self._closed = True
        self.end()

    def end(self) -> None:
        """End the process; the next question starts another."""
        process, self._process = self._process, None
        if process is None:
            return
        process.kill()
        process.wait()
        for pipe in (process.stdin, process.stdout):
            if pipe:
                pipe.close()


def _exchange(process: "subprocess.Popen[str]", question: str) -> str:
    """Return the line that answers a line; the empty text if the process ended instead."""
    if process.stdin is None or process.stdout is None:
        return ""
    try:
        process.stdin.write(question + "\n")
        process.stdin.flush()
        return process.stdout.readline()
    except (OSError, ValueError):  # it has ended, and its pipes are closed
        return ""
