"""Checking a table: does its hash fit, and does solving give the same rows again?"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from heapq import nsmallest
from math import inf

from divisorduel.lab.executors.executor import Executor, SerialExecutor
from divisorduel.lab.table import PROVEN, Row, Table
from divisorduel.lab.tasks import Failure, Limits, Task

QUICK = 1.0
"""Rows that took fewer seconds than this are solved again by default."""


@dataclass(slots=True)
class TableCheck:
    """What a check has found so far."""

    table: Table
    rows: int
    """How many rows are to be solved again."""
    solved: int = 0
    """How many of them have been."""
    differences: dict[int, str] = field(default_factory=dict)
    """What is different, by board."""

    @property
    def is_passed(self) -> bool:
        """Whether nothing is wrong."""
        return self.table.hash_fits and not self.differences

    def report(self) -> Iterator[str]:
        """Yield sentences that say what was found."""
        fits = "fits" if self.table.hash_fits else "does NOT fit: rows have been changed"
        yield f"The hash {fits}."
        for n, difference in sorted(self.differences.items()):
            yield f"n = {n} is WRONG: {difference}."
        count = len(self.differences)
        found = "all are the same" if not count else f"{count} differ{'s' if count == 1 else ''}"
        yield f"{self.solved} of {len(self.table.rows)} rows were solved again: {found}."


def check_table(
    table: Table,
    most: int | None = None,
    *,
    limits: Limits = Limits(),  # noqa: B008  # immutable
    executor: Executor | None = None,
    on_progress: Callable[[TableCheck], None] | None = None,
) -> TableCheck:
    """Check the hash of a table, and solve rows again: the `most` quickest, or all quick ones.

    The executor does the work; without one, this process does. Raises `ExecutorError`.
    """
    rows = {row.n: row for row in rows_to_check(table, most)}
    boards, check = table.boards, TableCheck(table, len(rows))
    tasks = (Task(boards.key, boards.game(n).board, n, None, limits, boards.nimbers) for n in rows)
    if on_progress:
        on_progress(check)
    for task, answer in (executor or SerialExecutor()).run(tasks):
        check.solved += 1
        if difference := _difference(rows[task.n], answer):
            check.differences[task.n] = difference
        if on_progress:
            on_progress(check)
    return check


def rows_to_check(table: Table, most: int | None) -> list[Row]:
    """Return the rows to solve again: the `most` quickest, or all that are quick."""
    proven = [row for row in table.rows if row.is_proven]
    if most is None:
        return [row for row in proven if _seconds(row) < QUICK]
    return nsmallest(most, proven, key=_seconds)


def _seconds(row: Row) -> float:
    """Return how long a row took, infinity if that is not known."""
    return inf if row.seconds is None else row.seconds


def _difference(stated: Row, found: Row | Failure) -> str:
    if isinstance(found, Failure):
        return found.reason
    here, there = stated.cells(PROVEN), found.cells(PROVEN)
    return "" if here == there else f"{','.join(here)} should be {','.join(there)}"
