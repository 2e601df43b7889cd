"""Runs tasks on the workers of a Dask cluster."""

import logging
import time
from collections.abc import Iterable
from importlib.metadata import version
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from divisorduel.lab.executors.executor import (
    Answers,
    Executor,
    ExecutorError,
    Failure,
    T,
    Task,
)
from divisorduel.rules.errors import MissingExtra
from divisorduel.solve.budget import BudgetSpent
from divisorduel.solve.native.kernel import in_use

if TYPE_CHECKING:
    from distributed import Client, Future, Worker

    Found = Future[tuple[Any, str]]

PATIENCE = 10
"""How many seconds to wait for the scheduler to answer, and for its first worker."""
RETRIES = 1
"""How often a task is retried after an error. If a worker dies, Dask itself gives its tasks to
others, up to its setting `allowed-failures`."""
POLL = 0.1
"""Seconds between checks for answers."""
LOOK_FOR_WORKERS = 5.0
"""Seconds without an answer after which the executor checks that there are workers."""
LOOK_FOR_CLIENT = 1.0
"""Seconds between the checks of a worker that its task was not cancelled."""
GONE = (
    "The scheduler is gone. Restart it, then run the same command again: with --output, it "
    "continues from what is already solved."
)
DESERTED = "All workers have left the cluster. Waiting for one to join. Ctrl-C stops it."

log = logging.getLogger("divisorduel")


class DaskExecutor(Executor):
    """The workers of a scheduler."""

    splits_boards = True

    def __init__(self, address: str) -> None:
        """Connect to a scheduler, and check its workers. Raises `ExecutorError`."""
        self._client = _connected(address)
        try:
            self._check_versions()
            self._solvers = set(self._client.run(in_use).values())
            self.workers = sum(self._client.nthreads().values())
            self._is_deserted = False
        except BaseException:
            self._client.close()
            raise

    def __exit__(self, *_: object) -> None:
        """Close the connection."""
        self._client.close()

    @property
    def solvers(self) -> str:
        """Which solvers the workers use, in words, including workers that joined later."""
        return ", ".join(sorted(self._solvers))

    def run(self, tasks: Iterable[T]) -> Answers[T]:
        """Run tasks, and leave none of them on the cluster at the end."""
        from distributed import as_completed

        run, here = uuid4().hex, version("divisorduel")
        futures: dict[Found, T] = {}
        try:
            for task in tasks:
                name = f"duel-{task.name}-{run}"
                found = self._client.submit(work_here, task, here, key=name, retries=RETRIES)
                futures[found] = task
            # Results come with their futures: asking for one could block on a worker that has left.
            completed = as_completed(futures, with_results=True, raise_errors=False)
            latest = time.monotonic()
            while not completed.is_empty():
                for future, result in completed.next_batch(block=False):
                    yield futures[future], self._answer(result)
                    latest = time.monotonic()
                if time.monotonic() - latest > LOOK_FOR_WORKERS:
                    self._warn_if_deserted()
                    latest = time.monotonic()
                time.sleep(POLL)
        finally:
            self._client.cancel([*futures], force=True)

    def _answer(self, result: Any) -> Any:
        """Return the answer, given what Dask returns for a future: its result or its error."""
        from distributed.scheduler import KilledWorker

        if isinstance(result, BaseException):
            raise ExecutorError(GONE)
        if len(result) == 2:
            answer, solvers = result
            self._solvers.add(solvers)
            return answer
        _, error, _ = result
        if isinstance(error, KilledWorker):
            return Failure(
                "every worker that tried it died, perhaps because there was not enough memory"
            )
        return Failure(f"the worker failed: {type(error).__name__} {error}".rstrip())

    def _warn_if_deserted(self) -> None:
        was_deserted = self._is_deserted
        try:
            self._is_deserted = not self._client.nthreads()
        except OSError:
            raise ExecutorError(GONE) from None
        if self._is_deserted and not was_deserted:
            log.warning(DESERTED)

    def _check_versions(self) -> None:
        here = version("divisorduel")
        found = self._client.run(version, "divisorduel", on_error="return")
        for worker, there in found.items():
            if there != here:
                has = "no divisorduel" if isinstance(there, Exception) else f"divisorduel {there}"
                raise ExecutorError(
                    f"The worker {worker} has {has}, but this machine has {here}. "
                    "Install the same version on both sides."
                )


def _connected(address: str) -> "Client":
    try:
        from distributed import Client
    except ImportError:
        raise MissingExtra("A cluster", "cluster") from None
    # Dask logs every lost worker and connection. This module reports what matters.
    for name in ("distributed.client", "tornado.application"):
        logging.getLogger(name).setLevel(logging.CRITICAL)
    try:
        client = Client(address, timeout=PATIENCE)
    except (OSError, ValueError, TypeError) as error:
        reason = (str(error).strip().splitlines() or [type(error).__name__])[0].rstrip(".")
        raise ExecutorError(
            f"No scheduler answers at {address}: {reason}. "
            "Start one with: dask scheduler. It prints its address."
        ) from None
    try:
        client.wait_for_workers(1, timeout=PATIENCE)
    except OSError:
        client.close()
        raise ExecutorError(
            f"The scheduler at {address} has no workers. Start some with: dask worker {address}"
        ) from None
    return client


def work_here(task: Task, client_version: str) -> tuple[Any, str]:
    """Run a task in a worker, and return the answer with the solvers that the worker uses.

    Stop when the task is cancelled. A worker that joined later refuses the task if its version is
    not the client's.
    """
    from distributed import get_worker

    if (there := version("divisorduel")) != client_version:
        return Failure(f"a worker that joined later has divisorduel {there}"), in_use()
    worker = get_worker()
    name = worker.get_current_task()
    looked = time.monotonic()

    def stop_if_cancelled(_positions: int) -> None:
        nonlocal looked
        if time.monotonic() - looked > LOOK_FOR_CLIENT:
            looked = time.monotonic()
            known = worker.state.tasks.get(name)
            if known is None or known.state != "executing":
                raise BudgetSpent

    return task.within(share_of_memory(worker)).work(stop_if_cancelled), in_use()


def share_of_memory(dask_worker: "Worker") -> int | None:
    """Return the memory for each thread of a worker: half of its limit, shared equally."""
    limit = dask_worker.memory_manager.memory_limit
    return limit // 2 // dask_worker.state.nthreads if limit else None
