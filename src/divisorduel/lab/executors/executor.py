"""Where the work on a table is done."""

from collections.abc import Generator, Iterable
from typing import Protocol

from divisorduel.lab.tasks import Answer, Piece, Task
from divisorduel.rules.errors import DuelError

Answers = Generator[tuple[Task, Answer], None, None]
"""Tasks with their answers."""


class ExecutorError(DuelError):
    """A place that cannot be used; the message says why, and what to do."""


class Executor(Protocol):
    """Processes on this machine, or a cluster."""

    @property
    def workers(self) -> int:
        """How many tasks it does at a time."""

    @property
    def solvers(self) -> str:
        """Which solvers serve there, in words."""

    def run(self, tasks: Iterable[Task]) -> Answers:
        """Do tasks in any order, and yield each with its answer when it is there.

        Whoever closes the iterator ends what is still being done.
        """

    def running(self) -> dict[Piece, int | None]:
        """Return what is being done now and how many positions it has seen, where that is known."""
