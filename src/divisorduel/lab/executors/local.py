"""Tasks done by processes on this machine."""

import os
import signal
import threading
from collections.abc import Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from itertools import islice
from multiprocessing import get_context, parent_process
from typing import Any

from divisorduel.lab.executors.executor import Answers
from divisorduel.lab.tasks import Answer, Failure, Piece, Task, work
from divisorduel.solve.native.kernel import in_use

ATTEMPTS = 2
"""How often a task is begun before the death of its process is its own fault."""

_SPAWN = get_context("spawn")
_positions: Any = None
"""In a worker process: where it tells how many positions it has seen."""


class LocalExecutor:
    """So many processes, each with its own pool: when one dies, it is known whose task it had."""

    def __init__(self, jobs: int) -> None:
        self.workers = jobs
        self.solvers = in_use()
        self._busy: dict[Future[Answer], tuple[_Worker, Task]] = {}

    def running(self) -> dict[Piece, int | None]:
        """Return what is being done now, and how many positions it has seen."""
        return {task.piece: worker.positions for worker, task in [*self._busy.values()]}

    def run(self, tasks: Iterable[Task]) -> Answers:
        """Do tasks, each once more if its process dies; at the end no process is left."""
        waiting = iter(tasks)
        idle: list[_Worker] = []
        attempts: dict[Piece, int] = {}
        try:
            for task in islice(waiting, self.workers):
                self._begin(_Worker(), task)
            while self._busy:
                done, _ = wait(self._busy, timeout=0.2, return_when=FIRST_COMPLETED)
                for future in done:
                    worker, task = self._busy.pop(future)
                    answer = _answer(future)
                    idle.append(worker)
                    if answer is not None:
                        yield task, answer
                        following = next(waiting, None)
                    else:
                        attempts[task.piece] = attempts.get(task.piece, 1) + 1
                        if attempts[task.piece] > ATTEMPTS:
                            yield task, Failure(_DIED)
                            following = next(waiting, None)
                        else:
                            following = task
                    if following is not None:
                        self._begin(idle.pop(), following)
        finally:
            for worker in (*idle, *(worker for worker, _ in self._busy.values())):
                worker.end()
            self._busy.clear()

    def _begin(self, worker: "_Worker", task: Task) -> None:
        if worker.is_dead:
            worker.end()
            worker = _Worker()
        self._busy[worker.submit(task)] = worker, task


_DIED = (
    f"the process that solved it died {ATTEMPTS} times, perhaps for want of memory: "
    "try again with fewer --jobs, or less --memory for each"
)


def _answer(future: "Future[Answer]") -> Answer | None:
    """Return the answer to a task, or None if its process has died."""
    error = future.exception()
    if error is None:
        return future.result()
    if isinstance(error, BrokenProcessPool):
        return None
    if isinstance(error, MemoryError):
        return Failure("there was not enough memory: try again with fewer --jobs, or less --memory")
    return Failure(f"the solver failed: {type(error).__name__} {error}".rstrip())


class _Worker:
    """One process."""

    def __init__(self) -> None:
        self._positions = _SPAWN.Value("Q", 0, lock=False)
        self._pool = ProcessPoolExecutor(1, _SPAWN, _prepare, (self._positions,))
        with _ctrl_c_held_back():
            self._pid = self._pool.submit(os.getpid)
        self._latest: Future[Answer] | None = None

    @property
    def positions(self) -> int:
        return int(self._positions.value)

    @property
    def is_dead(self) -> bool:
        return self._latest is not None and isinstance(self._latest.exception(), BrokenProcessPool)

    def submit(self, task: Task) -> "Future[Answer]":
        self._positions.value = 0
        with suppress(BrokenProcessPool):
            self._latest = self._pool.submit(_work, task)
            return self._latest
        self._latest = Future()
        self._latest.set_exception(BrokenProcessPool())
        return self._latest

    def end(self) -> None:
        """End the process at once, whatever it is doing."""
        with suppress(BrokenProcessPool, ProcessLookupError):
            os.kill(self._pid.result(), getattr(signal, "SIGKILL", signal.SIGTERM))
        self._pool.shutdown(wait=True, cancel_futures=True)


@contextmanager
def _ctrl_c_held_back() -> Iterator[None]:
    """Start a process that never hears Ctrl-C: it is ended by this one, without a word."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _prepare(positions: Any) -> None:
    """Make a new process ready: it ends with the one that started it, even by kill -9."""
    global _positions
    _positions = positions
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _work(task: Task) -> Answer:
    return work(task, _tell)


def _tell(positions: int) -> None:
    _positions.value = positions
