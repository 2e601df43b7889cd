"""Tasks done by the workers of a Dask cluster."""

import logging
import time
from collections.abc import Iterable
from dataclasses import replace
from importlib.metadata import version
from typing import TYPE_CHECKING
from uuid import uuid4

from divisorduel.lab.executors.executor import Answers, ExecutorError
from divisorduel.lab.tasks import Answer, Failure, Piece, Task, work
from divisorduel.solve.budget import OutOfTime
from divisorduel.solve.native.kernel import in_use

if TYPE_CHECKING:
    from distributed import Client, Future, Worker

    Found = Future[tuple[Answer, str]]

PATIENCE = 10
"""How many seconds the scheduler has to answer, and to have a worker."""
RETRIES = 1
"""How often a task is tried again after an error. A worker that dies is another matter: Dask gives
its tasks to others, up to its own setting `allowed-failures`."""
HEARD = 1.0
"""How many seconds pass before a worker notices that nobody waits for its answer any more."""


class DaskExecutor:
    """The workers of a scheduler. Raises `ExecutorError` if they cannot be used."""

    def __init__(self, address: str) -> None:
        self._client = _connected(address)
        try:
            self._check_versions()
            self._solvers = set(self._client.run(in_use).values())
            self.workers = sum(self._client.nthreads().values())
        except BaseException:
            self._client.close()
            raise

    @property
    def solvers(self) -> str:
        """Which solvers serve there, in words: also those of workers that came later."""
        return ", ".join(sorted(self._solvers))

    def running(self) -> dict[Piece, int | None]:
        """Return nothing: which of its tasks a cluster is at is shown by Dask's own page."""
        return {}

    def run(self, tasks: Iterable[Task]) -> Answers:
        """Do tasks; at the end nothing is left of them on the cluster, and it is let go."""
        from distributed import as_completed

        run, here = uuid4().hex, version("divisorduel")
        futures: dict[Found, Task] = {}
        try:
            for task in tasks:
                name = f"duel-{task.key}-{task.n}-{task.move or 'all'}-{run}"
                found = self._client.submit(work_here, task, here, key=name, retries=RETRIES)
                futures[found] = task
            for future in as_completed(futures):
                yield futures[future], self._answer(future)
        finally:
            self._client.cancel([*futures], force=True)
            self._client.close()

    def _answer(self, future: "Found") -> Answer:
        from distributed import CancelledError
        from distributed.scheduler import KilledWorker

        try:
            answer, solvers = future.result()
        except KilledWorker:
            return Failure("every worker that tried it died, perhaps for want of memory")
        except (OSError, CancelledError):
            raise ExecutorError(
                "The scheduler is gone. Start it again, and then the same command: "
                "what it has written with --output is kept, and it goes on from there."
            ) from None
        except Exception as error:  # whatever went wrong in the worker
            return Failure(f"the worker failed: {type(error).__name__} {error}".rstrip())
        self._solvers.add(solvers)
        return answer

    def _check_versions(self) -> None:
        here = version("divisorduel")
        found = self._client.run(version, "divisorduel", on_error="return")
        for worker, there in found.items():
            if isinstance(there, Exception):
                raise ExecutorError(
                    f"The worker {worker} has no divisorduel. "
                    f"Install version {here} there, and start it again."
                )
            if there != here:
                raise ExecutorError(
                    f"The worker {worker} has divisorduel {there}, and this is {here}. "
                    "Install the same version on both sides."
                )


def _connected(address: str) -> "Client":
    try:
        from distributed import Client
    except ImportError:
        raise ExecutorError(
            "For a cluster, Dask is needed: pip install 'divisorduel[cluster]'"
        ) from None
    # What Dask logs of a worker that died is no news: its tasks are done by others.
    logging.getLogger("distributed.client").setLevel(logging.CRITICAL)
    try:
        client = Client(address, timeout=PATIENCE)
    except (OSError, ValueError, TypeError) as error:
        raise ExecutorError(
            f"No scheduler answers at {address}: {_first_line(error)} "
            "Start one with dask scheduler, which prints its address."
        ) from None
    try:
        client.wait_for_workers(1, timeout=PATIENCE)
    except OSError:
        client.close()
        raise ExecutorError(
            f"The scheduler at {address} has no workers. Start some with dask worker {address}"
        ) from None
    return client


def _first_line(error: Exception) -> str:
    return f"{str(error).strip().splitlines()[0].rstrip('.')}." if str(error).strip() else ""


def work_here(task: Task, wanted: str) -> tuple[Answer, str]:
    """Do a task in a worker, for as long as somebody waits for the answer.

    Return the solvers that serve here as well. A worker that came later may have another version
    than is wanted.
    """
    from distributed import get_worker

    if (there := version("divisorduel")) != wanted:
        return Failure(f"a worker that came later has divisorduel {there}"), in_use()
    worker = get_worker()
    if task.limits.memory is None:
        task = replace(task, limits=replace(task.limits, memory=share_of_memory(worker)))
    name = worker.get_current_task()
    heard = time.monotonic()

    def listen(_positions: int) -> None:
        nonlocal heard
        if time.monotonic() - heard > HEARD:
            heard = time.monotonic()
            known = worker.state.tasks.get(name)
            if known is None or known.state != "executing":
                raise OutOfTime

    return work(task, listen), in_use()


def share_of_memory(dask_worker: "Worker") -> int | None:
    """Return half of what Dask lets a worker have, for each of its threads."""
    limit = dask_worker.memory_manager.memory_limit
    return limit // 2 // dask_worker.state.nthreads if limit else None
