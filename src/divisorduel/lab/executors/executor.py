"""What does the work on a table: this process, others on this machine, or a cluster."""

from collections.abc import Generator, Iterable
from contextlib import AbstractContextManager
from typing import Protocol

from divisorduel.lab.tasks import Answer, Piece, Task, work
from divisorduel.rules.errors import DuelError
from divisorduel.solve.native.kernel import in_use

Answers = Generator[tuple[Task, Answer], None, None]
"""Tasks with their answers."""


class ExecutorError(DuelError):
    """An executor that cannot be used. The message says why, and what to do."""

    code = "unusable-executor"


class Executor(AbstractContextManager["Executor"], Protocol):
    """Does tasks. At the end of its context, no process and no connection is left."""

    workers: int
    """How many tasks it does at a time."""
    splits_boards: bool
    """Whether boards are split by their first moves if it has more workers than boards."""

    @property
    def solvers(self) -> str:
        """Which solvers it uses, in words."""

    def run(self, tasks: Iterable[Task]) -> Answers:
        """Do tasks in any order, and yield each with its answer.

        Closing the generator stops the tasks that are running.
        """

    def running(self) -> dict[Piece, int | None]:
        """Return the pieces that are running, with the positions seen so far where known."""


class SerialExecutor(AbstractContextManager["SerialExecutor"]):
    """Does one task after the other in this process."""

    workers = 1
    splits_boards = False

    def __init__(self) -> None:
        self.solvers = in_use()

    def __exit__(self, *_: object) -> None:
        """Do nothing: nothing is left."""

    def running(self) -> dict[Piece, int | None]:
        """Return nothing: this process works, so it cannot look at the same time."""
        return {}

    def run(self, tasks: Iterable[Task]) -> Answers:
        """Do tasks, and yield each with its answer."""
        for task in tasks:
            yield task, work(task)
