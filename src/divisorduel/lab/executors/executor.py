"""Executors run tasks: in this process, in several, or on a cluster."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Hashable, Iterable
from dataclasses import dataclass
from typing import Any, Protocol, Self, TypeVar

from divisorduel.rules.errors import DuelError
from divisorduel.solve.native.kernel import in_use


class Task(Protocol):
    """A piece of work that any process on any machine can do: a value that can be pickled."""

    @property
    def piece(self) -> Hashable:
        """What it is a piece of: no two tasks of a run have the same one."""

    @property
    def name(self) -> str:
        """A name for logs, in letters, digits and dashes."""

    def within(self, memory: int | None) -> Self:
        """Return the task with a limit on its memory in bytes, unless it has one."""

    def work(self, on_progress: Callable[[int], None] | None = None) -> Any:
        """Do the work, and return the answer."""


T = TypeVar("T", bound=Task)


@dataclass(frozen=True, slots=True)
class Failure:
    """Why a task has no answer, in words that can follow "n = 5: "."""

    reason: str


Answers = Generator[tuple[T, Any], None, None]
"""Tasks with their answers; the answer is a `Failure` if the work could not be done."""


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
    def run(self, tasks: Iterable[T]) -> Answers[T]:
        """Run tasks in any order and yield each with its answer. Closing the generator stops it."""

    def running(self) -> dict[Any, int | None]:
        """Return the pieces known to be running, with the positions seen so far."""
        return {}


class SerialExecutor(Executor):
    """Runs one task after the other in this process."""

    def run(self, tasks: Iterable[T]) -> Answers[T]:
        """Run tasks, and yield each with its answer."""
        for task in tasks:
            yield task, task.work()
