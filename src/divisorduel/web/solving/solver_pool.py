"""Worker processes that solve positions for computer players and for the coach.

Each process has a time limit and a memory limit. A process that exceeds one is killed and replaced.
Computer players and the coach share the processes. While both wait, they take turns. The coach's
jobs can be long, so if there are two or more processes, one is always left to computer players.
"""

import asyncio
import json
import logging
import subprocess
import sys
from collections import deque
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from threading import Lock, Timer
from typing import Any

from divisorduel.rules.errors import DuelError

GRACE = 3.0
"""A process is killed after this many times its time limit."""
MOST_WAITING = 100
"""How many jobs of each kind may wait."""
CHOOSE = "choose"
"""The job of a computer player. All others are the coach's."""
WORKER = "divisorduel.web.solving.worker"

log = logging.getLogger("divisorduel")


class SolverBusy(DuelError):
    """Too many jobs are waiting, or this one has waited too long."""

    code = "server-busy"

    def __init__(self) -> None:
        super().__init__("The server is busy. Try again in a moment.")


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


class FairQueue:
    """Hands out a number of slots, to computer players and to the coach."""

    def __init__(self, slots: int) -> None:
        self._free = slots
        self._coach_slots = max(1, slots - 1)
        self._waiting: dict[bool, deque[asyncio.Future[None]]] = {True: deque(), False: deque()}
        self._coach_was_last = False

    async def acquire(self, *, coach: bool, max_wait: float) -> None:
        """Wait for a slot. Raises `SolverBusy` after ``max_wait`` seconds."""
        waiting = self._waiting[coach]
        if len(waiting) >= MOST_WAITING:
            raise SolverBusy
        turn = asyncio.get_running_loop().create_future()
        waiting.append(turn)
        self._hand_out()
        try:
            async with asyncio.timeout(max_wait):
                await turn
        except (TimeoutError, asyncio.CancelledError) as error:
            if turn.cancelled():
                with suppress(ValueError):
                    waiting.remove(turn)
            else:  # the slot came at the same moment
                self.release(coach=coach)
            if isinstance(error, TimeoutError):
                raise SolverBusy from None
            raise

    def release(self, *, coach: bool) -> None:
        """Give a slot back."""
        self._free += 1
        self._coach_slots += coach
        self._hand_out()

    def _hand_out(self) -> None:
        while self._free:
            kinds = [coach for coach, waiting in self._waiting.items() if waiting]
            if True in kinds and not self._coach_slots:
                kinds.remove(True)
            if not kinds:
                return
            coach = kinds[0] if len(kinds) == 1 else not self._coach_was_last
            turn = self._waiting[coach].popleft()
            if not turn.done():
                turn.set_result(None)
                self._coach_was_last = coach
                self._free -= 1
                self._coach_slots -= coach


class SolverPool:
    """A number of worker processes, each started when it is first needed."""

    def __init__(self, count: int, seconds: float, memory: int) -> None:
        self._threads = ThreadPoolExecutor(count, "solving")
        self._slots = FairQueue(count)
        self._workers = [_SolverProcess(seconds, memory) for _ in range(count)]
        self._idle = list(self._workers)

    async def run(self, job: str, max_wait: float, **arguments: str | float) -> Any:
        """Run one of `worker.JOBS`. It waits at most ``max_wait`` seconds for a process.

        Raises `SolverBusy`, `LimitExceeded`, or `JobRefused` for what the job itself refuses.
        """
        coach = job != CHOOSE
        await self._slots.acquire(coach=coach, max_wait=max_wait)
        try:
            loop = asyncio.get_running_loop()
            running = loop.run_in_executor(self._threads, self._run, job, arguments)
        except RuntimeError:  # the pool was closed in the meantime
            self._slots.release(coach=coach)
            raise LimitExceeded from None

        def finished(job: "asyncio.Future[Any]") -> None:
            self._slots.release(coach=coach)
            if not job.cancelled():
                job.exception()  # mark it as retrieved, because the caller may be gone

        # Even if the caller is cancelled, the process is busy until the job is finished.
        running.add_done_callback(finished)
        return await asyncio.shield(running)

    def _run(self, job: str, arguments: dict[str, str | float]) -> Any:
        worker = self._idle.pop()  # there are as many workers as threads
        try:
            answer = worker.run(job, arguments)
        finally:
            self._idle.append(worker)
        if "refused" in answer:
            raise JobRefused(answer["code"], answer["refused"])
        return answer["answer"]

    def close(self) -> None:
        """Kill the processes."""
        self._threads.shutdown(wait=False, cancel_futures=True)
        for worker in self._workers:
            worker.close()
        self._threads.shutdown(wait=True)


class _SolverProcess:
    """One process, replaced when it fails."""

    def __init__(self, seconds: float, memory: int) -> None:
        self._seconds = seconds
        self._command = [sys.executable, "-m", WORKER, str(seconds), str(memory)]
        self._process: subprocess.Popen[str] | None = None
        self._closed = False
        self._starting = Lock()

    def run(self, job: str, arguments: dict[str, str | float]) -> dict[str, Any]:
        """Return the answer. Raises `LimitExceeded`."""
        if self._process and self._process.poll() is not None:
            self.kill()  # it was killed while it was idle
        question = json.dumps({"job": job, "with": arguments})
        was_used = self._process is not None
        answer, in_time = self._try(question)
        if not answer and in_time and was_used:
            # The caches of earlier jobs may have filled its memory. A new process has none.
            answer, in_time = self._try(question)
        if not answer:
            log.warning("The job %s %s.", job, "failed" if in_time else "ran out of time")
            raise LimitExceeded
        found: dict[str, Any] = json.loads(answer)
        return found

    def _try(self, question: str) -> tuple[str, bool]:
        """Return the answer (empty if the process failed) and whether it came in time."""
        process = self._process or self._start()
        timer = Timer(GRACE * self._seconds + 1, process.kill)
        timer.start()
        answer = ""
        with suppress(OSError, ValueError):  # the process has ended and closed its pipes
            if process.stdin and process.stdout:
                process.stdin.write(question + "\n")
                process.stdin.flush()
                answer = process.stdout.readline()
        in_time = timer.is_alive()
        timer.cancel()
        if answer.endswith("\n"):
            return answer, in_time
        self.kill()
        return "", in_time

    def _start(self) -> "subprocess.Popen[str]":
        with self._starting:
            if self._closed:
                raise LimitExceeded
            # In its own session, so that Ctrl-C reaches only the server, which then kills it.
            self._process = subprocess.Popen(  # noqa: S603  # our own program
                self._command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
                start_new_session=True,
            )
            return self._process

    def close(self) -> None:
        """Kill the process for good."""
        with self._starting:
            self._closed = True
        self.kill()

    def kill(self) -> None:
        """Kill the process. The next job starts another."""
        process, self._process = self._process, None
        if process is not None:
            with suppress(OSError), process:  # it may have left input unread
                process.kill()
