"""Executors run the tasks of a table: in this process, in several, or on a cluster."""

from abc import ABC, abstractmethod
from collections.abc import Generator, Iterable
from typing import Self

from divisorduel.lab.tasks import Answer, Piece, Task, work
from divisorduel.rules.errors import DuelError
from divisorduel.solve.native.kernel import in_use

Answers = Generator[tuple[Task, Answer], None, None]
"""Tasks with their answers."""


class ExecutorError(DuelError):
    """An executor that cannot be used. The message says why, and what to do."""

    code = "unusable-executor"


class Executor(ABC):
    """Runs tasks. At the end of its context, no process and no connection is left."""

    workers = 1
    """How many tasks it runs at the same time."""
    splits_boards = False
    """Whether boards are split by their first moves if it has more workers than boards."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:  # noqa: B027  # by default there is nothing to end
        """End processes and connections, if there are any."""

    @property
    def solvers(self) -> str:
        """Which solvers it uses, in words."""
        return in_use()

    @abstractmethod
    def run(self, tasks: Iterable[Task]) -> Answers:
        """Run tasks in any order and yield each with its answer. Closing the generator stops it."""

    def running(self) -> dict[Piece, int | None]:
        """Return the pieces known to be running, with the positions seen so far."""
        return {}


class SerialExecutor(Executor):
    """Runs one task after the other in this process."""

    def run(self, tasks: Iterable[Task]) -> Answers:
        """Run tasks, and yield each with its answer."""
        for task in tasks:
            yield task, work(task)
