"""Worker processes that solve, so that no question keeps anybody else waiting.

Each has a limit of time and of memory. One that exceeds them is ended, and another takes its place.
"""

import asyncio
import json
import logging
import queue
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from threading import Lock, Timer
from typing import Any

from divisorduel.rules.errors import DuelError

GRACE = 3.0
"""How many times its own limit of time a worker may take before it is ended."""
MOST_WAITING = 100

log = logging.getLogger("divisorduel")


class Busy(DuelError):
    """Too many questions wait already, or this one has waited for too long."""

    code = "busy"

    def __init__(self) -> None:
        super().__init__("The server has too much to think about just now; try again in a moment.")


class NoAnswer(DuelError):
    """A question took more time or memory than there is."""

    code = "no-answer"

    def __init__(self) -> None:
        super().__init__("This is beyond what can be worked out here in the time there is.")


class SolverPool:
    """Some worker processes, each started when it is first needed."""

    def __init__(self, count: int, seconds: float, memory: int) -> None:
        self._threads = ThreadPoolExecutor(count, "solving")
        self._free = asyncio.Semaphore(count)
        self._idle: queue.SimpleQueue[_Worker] = queue.SimpleQueue()
        self._all = [_Worker(seconds, memory) for _ in range(count)]
        for worker in self._all:
            self._idle.put(worker)
        self._waiting = 0

    async def ask(self, job: str, patience: float, **arguments: str | float) -> Any:
        """Return the answer to a question that may wait for so many seconds until it is looked at.

        Raises `Busy`, `NoAnswer`, and `DuelError` for what the job itself refuses.
        """
        await self._wait_for_turn(patience)
        try:
            loop = asyncio.get_running_loop()
            asked = loop.run_in_executor(self._threads, self._ask, job, arguments)
        except RuntimeError:  # they were closed meanwhile
            self._free.release()
            raise NoAnswer from None
        # Whoever asked may have gone; the worker is free only when it has finished.
        asked.add_done_callback(self._finished)
        return await asyncio.shield(asked)

    def _finished(self, asked: "asyncio.Future[Any]") -> None:
        self._free.release()
        if not asked.cancelled():
            asked.exception()  # if nobody waits for it any more, it is no news

    async def _wait_for_turn(self, patience: float) -> None:
        if self._waiting >= MOST_WAITING:
            raise Busy
        self._waiting += 1
        try:
            async with asyncio.timeout(patience):
                await self._free.acquire()
        except TimeoutError:
            raise Busy from None
        finally:
            self._waiting -= 1

    def _ask(self, job: str, arguments: dict[str, str | float]) -> Any:
        worker = self._idle.get()
        try:
            answer = worker.ask(job, arguments)
        finally:
            self._idle.put(worker)
        if "refused" in answer:
            raise DuelError(answer["refused"])
        return answer["answer"]

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
        self._command = [
            sys.executable,
            "-m",
            "divisorduel.web.solving.worker",
            str(seconds),
            str(memory),
        ]
        self._process: subprocess.Popen[str] | None = None
        self._closed = False
        self._starting = Lock()

    def ask(self, job: str, arguments: dict[str, str | float]) -> dict[str, Any]:
        """Return the answer. Raises `NoAnswer`."""
        if self._process and self._process.poll() is not None:
            self.end()  # somebody ended it while it had nothing to do
        question = json.dumps({"job": job, "with": arguments})
        was_used = self._process is not None
        answer, in_time = self._try(question)
        if not answer and in_time and was_used:
            # What it remembers of earlier questions may have filled its memory.
            answer, in_time = self._try(question)
        if not answer:
            log.warning("No answer to %s: %s.", job, "it failed" if in_time else "out of time")
            raise NoAnswer
        found: dict[str, Any] = json.loads(answer)
        return found

    def _try(self, question: str) -> tuple[str, bool]:
        """Return the answer, empty for none, and whether there was time enough for it."""
        process = self._process or self._start()
        timer = Timer(GRACE * self._seconds + 1, process.kill)
        timer.start()
        try:
            answer = _exchange(process, question)
        finally:
            in_time = timer.is_alive()
            timer.cancel()
        if answer.endswith("\n"):
            return answer, in_time
        self.end()
        return "", in_time

    def _start(self) -> "subprocess.Popen[str]":
        with self._starting:
            if self._closed:
                raise NoAnswer
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
            with suppress(OSError):  # what was not read in time is lost
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
