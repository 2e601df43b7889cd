"""Worker processes that solve positions for computer players and for the coach.

Each process has a time limit and a memory limit. A process that exceeds one is killed and replaced.
Every job first has a short try, which is enough for most. If it is not, the job waits again, for
its whole time. `FairQueue` says whose turn it is.
"""

import asyncio
import json
import logging
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from threading import Event, Lock, Timer
from typing import Any

from divisorduel.rules.errors import DuelError
from divisorduel.web.solving.fair_queue import FairQueue, JobGroup, ServerBusy

SHORT_TRY = 0.15
"""How many seconds a job has at first."""
KILL_FACTOR = 3.0
"""A process is killed after this many times its time limit."""
SECONDS_TO_WAIT = 20.0
"""How long a job waits for a process. One job of another address does not take that long."""
SECONDS_TO_START = 60.0
PAUSES = 0.1, 0.4, 1.0
"""How many seconds pass before each new attempt to start a process."""
CHOOSE = "choose"
"""The job of a computer player. All others are the coach's."""
WORKER = "divisorduel.web.solving.worker"

log = logging.getLogger("divisorduel")


class LimitExceeded(DuelError):
    """A job took more time or memory than allowed."""

    code = "too-hard"

    def __init__(self) -> None:
        super().__init__("This is too large to solve in the time allowed.")


class JobRefused(DuelError):
    """A job refused its arguments. The code is that of the job's error."""

    code = "job-refused"

    def __init__(self, code: str, reason: str) -> None:
        super().__init__(reason)
        self.code = code


class SolverPool:
    """A number of worker processes, started when the first is needed."""

    def __init__(self, count: int, seconds: float, memory: int) -> None:
        self._seconds = seconds
        self._threads = ThreadPoolExecutor(count, "solving")
        self._slots = FairQueue(count)
        self._workers = [_SolverProcess(memory) for _ in range(count)]
        self._idle = list(self._workers)

    async def run(
        self, address: str, job: str, max_wait: float, *, long: bool = False, **arguments: str | int
    ) -> Any:
        """Run one of `worker.JOBS`. It waits at most ``max_wait`` seconds for a process.

        A job that is known to be `long` has no short try. Raises `ServerBusy`, `LimitExceeded`, or
        `JobRefused` for what the job itself refuses.
        """
        asked = {"job": job, "with": arguments}
        if not long and self._seconds > SHORT_TRY:
            with suppress(LimitExceeded):
                group = JobGroup(address, for_people=job != CHOOSE)
                answer = await self._run(group, {**asked, "seconds": SHORT_TRY}, max_wait)
                if answer["finished"]:
                    return answer["answer"]
            long = True
        group = JobGroup(address, for_people=job != CHOOSE, long=long)
        return (await self._run(group, {**asked, "seconds": self._seconds}, max_wait))["answer"]

    async def _run(self, group: JobGroup, asked: dict[str, Any], max_wait: float) -> dict[str, Any]:
        await self._slots.acquire(group, max_wait)
        try:
            loop = asyncio.get_running_loop()
            running = loop.run_in_executor(self._threads, self._ask, asked)
        except RuntimeError:  # the pool was closed in the meantime
            self._slots.release(group)
            raise LimitExceeded from None

        def finished(job: "asyncio.Future[Any]") -> None:
            self._slots.release(group)
            if not job.cancelled():
                job.exception()  # mark it as retrieved, because the caller may be gone

        # Even if the caller is cancelled, the process is busy until the job is finished.
        running.add_done_callback(finished)
        return await asyncio.shield(running)

    def _ask(self, asked: dict[str, Any]) -> dict[str, Any]:
        worker = self._idle.pop()  # there are as many workers as threads
        try:
            for other in self._idle:  # so that the next job need not wait for a process
                with suppress(OSError):
                    other.start()
            answer = worker.ask(asked)
        finally:
            self._idle.append(worker)
        if "refused" in answer:
            raise JobRefused(answer["code"], answer["refused"])
        return answer

    def close(self) -> None:
        """Kill the processes."""
        self._threads.shutdown(wait=False, cancel_futures=True)
        for worker in self._workers:
            worker.close()
        self._threads.shutdown(wait=True)


class _SolverProcess:
    """One process, replaced when it fails."""

    def __init__(self, memory: int) -> None:
        self._command = [sys.executable, "-m", WORKER, str(memory)]
        self._process: subprocess.Popen[str] | None = None
        self._is_ready = False
        self._closed = Event()
        self._lock = Lock()

    def ask(self, asked: dict[str, Any]) -> dict[str, Any]:
        """Return the answer to a question. Raises `LimitExceeded`, `ServerBusy`."""
        if self._process and self._process.poll() is not None:
            self.kill()  # it was killed while it was idle
        question, limit = json.dumps(asked), KILL_FACTOR * asked["seconds"] + 1
        was_used, began = self._is_ready, time.monotonic()
        answer, in_time = self._try(question, limit)
        if not answer and in_time and was_used:
            # The caches of earlier jobs may have filled its memory. A new process has none.
            answer, in_time = self._try(question, limit - (time.monotonic() - began))
        if not answer:
            log.warning("The job %s %s.", asked["job"], "failed" if in_time else "took too long")
            raise LimitExceeded
        found: dict[str, Any] = json.loads(answer)
        return found

    def _try(self, question: str, limit: float) -> tuple[str, bool]:
        """Return the answer (empty if the process failed) and whether it came in time."""
        self._get_ready()
        began = time.monotonic()
        answer = self._exchange(question, limit)
        in_time = time.monotonic() - began < limit
        if answer and in_time:
            return answer, in_time
        self.kill()
        return "", in_time

    def _get_ready(self) -> None:
        """Start a process that answers. Raises `ServerBusy` if the system has no room for it."""
        for pause in (*PAUSES, 0.0):
            try:
                self.start()
                if self._is_ready or self._exchange("", SECONDS_TO_START):
                    self._is_ready = True
                    return
                reason = "it ended at once"
            except (OSError, RuntimeError) as error:  # no descriptors, no memory or no threads
                reason = str(error)
            self.kill()
            log.warning("A solver process could not be started: %s.", reason)
            self._closed.wait(pause)
        raise ServerBusy

    def start(self) -> None:
        """Start the process if it is not running. Raises `OSError`."""
        with self._lock:
            if self._closed.is_set():
                raise LimitExceeded
            if self._process is None:
                # In its own session, so that Ctrl-C reaches only the server, which then kills it.
                self._process = subprocess.Popen(  # noqa: S603  # our own program
                    self._command,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.DEVNULL,
                    text=True,
                    start_new_session=True,
                )

    def _exchange(self, question: str, limit: float) -> str:
        """Return the answer, or an empty string if the process has ended or was killed."""
        process = self._process
        if process is None or process.stdin is None or process.stdout is None:
            return ""
        timer = Timer(limit, process.kill)
        timer.start()
        answer = ""
        with suppress(OSError, ValueError):  # the process has ended and closed its pipes
            process.stdin.write(question + "\n")
            process.stdin.flush()
            answer = process.stdout.readline()
        timer.cancel()
        return answer if answer.endswith("\n") else ""

    def close(self) -> None:
        """Kill the process for good."""
        with self._lock:
            self._closed.set()
        self.kill()

    def kill(self) -> None:
        """Kill the process. The next job starts another."""
        process, self._process, self._is_ready = self._process, None, False
        if process is not None:
            with suppress(OSError), process:  # it may have left input unread
                process.kill()
