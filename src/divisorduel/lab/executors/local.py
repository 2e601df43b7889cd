"""Runs tasks in processes on this machine."""

import os
import signal
import threading
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator
from contextlib import contextmanager, suppress
from itertools import islice
from multiprocessing import get_context, parent_process
from multiprocessing.connection import Connection, wait
from typing import TYPE_CHECKING, Any

from divisorduel.lab.executors.executor import Answers, Executor, Failure, T, Task
from divisorduel.solve.native.native_nimbers import half_of_the_memory
from divisorduel.system import cores

if TYPE_CHECKING:
    from ctypes import c_ulonglong

ATTEMPTS = 2
"""How many times a task is started before it is reported as failed."""
DIED = (
    f"the process that was solving it died {ATTEMPTS} times, perhaps because there was not enough "
    "memory: try fewer --jobs, or a smaller --memory for each"
)
TOO_LITTLE_MEMORY = "there was not enough memory: try fewer --jobs, or a smaller --memory for each"

_SPAWN = get_context("spawn")


class LocalExecutor(Executor):
    """Processes on this machine. If one dies, its task is started again in a new process."""

    def __init__(self, jobs: int | None = None) -> None:
        """Use this many processes, or one for each core. They start when they are needed.

        Tasks without a memory limit share half of the machine's memory.
        """
        self.workers = jobs or cores()
        self._idle: list[_Worker] = []
        self._busy: dict[Connection, tuple[_Worker, Any]] = {}

    def __exit__(self, *_: object) -> None:
        """End all processes at once."""
        self._stop()
        while self._idle:
            self._idle.pop().end()

    def running(self) -> dict[Any, int | None]:
        """Return the pieces that are running, with the positions seen so far."""
        return {task.piece: worker.positions.value for worker, task in [*self._busy.values()]}

    def run(self, tasks: Iterable[T]) -> Answers[T]:
        """Run tasks, and yield each with its answer."""
        waiting = iter(tasks)
        deaths: Counter[Hashable] = Counter()
        try:
            for task in islice(waiting, self.workers):
                self._start(task)
            while self._busy:
                # Without a timeout, Windows would not notice Ctrl-C.
                for connection in wait([*self._busy], timeout=0.2):
                    assert isinstance(connection, Connection)  # noqa: S101
                    worker, task = self._busy.pop(connection)
                    answer = worker.answer()
                    if answer is None:
                        worker.end()
                        deaths[task.piece] += 1
                        if deaths[task.piece] < ATTEMPTS:
                            self._start(task)
                            continue
                        answer = Failure(DIED)
                    else:
                        self._idle.append(worker)
                    yield task, answer
                    if (following := next(waiting, None)) is not None:
                        self._start(following)
        finally:
            self._stop()

    def _start(self, task: Task) -> None:
        worker = self._idle.pop() if self._idle else _Worker()
        self._busy[worker.connection] = worker, task
        worker.start(task.within(half_of_the_memory() // self.workers))

    def _stop(self) -> None:
        """End the busy processes."""
        while self._busy:
            self._busy.popitem()[1][0].end()


class _Worker:
    """One process, and the connection to it."""

    def __init__(self) -> None:
        self.positions: c_ulonglong = _SPAWN.RawValue("Q", 0)
        self.connection, theirs = _SPAWN.Pipe()
        self.process = _SPAWN.Process(target=_serve, args=(theirs, self.positions), daemon=True)
        with _ctrl_c_blocked():
            self.process.start()
        theirs.close()

    def start(self, task: Task) -> None:
        self.positions.value = 0
        with suppress(OSError):  # it died while it was idle: `answer` notices
            self.connection.send(task)

    def answer(self) -> Any:
        """Return the answer to the task, or None if the process has died."""
        try:
            return self.connection.recv()
        except (EOFError, OSError):
            return None

    def end(self) -> None:
        """End the process at once, whatever it is doing."""
        self.process.kill()
        self.process.join()
        self.connection.close()


@contextmanager
def _ctrl_c_blocked() -> Iterator[None]:
    """Block Ctrl-C in the processes started here: this process ends them itself."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _serve(connection: Connection, positions: "c_ulonglong") -> None:
    """Run tasks in a worker process until the executor ends it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()

    def report(seen: int) -> None:
        positions.value = seen

    while (task := _received(connection)) is not None:
        try:
            answer = task.work(report)
        except MemoryError:
            answer = Failure(TOO_LITTLE_MEMORY)
        except Exception as error:  # one task must not end the others
            answer = Failure(f"the solver failed: {type(error).__name__} {error}".rstrip())
        with suppress(OSError):  # the parent has ended
            connection.send(answer)


def _received(connection: Connection) -> Task | None:
    """Return the next task, or None if the parent has ended."""
    try:
        task: Task = connection.recv()
    except (EOFError, OSError):
        return None
    return task


def _end_with_parent() -> None:
    """End this process when its parent ends, even by kill -9."""
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
