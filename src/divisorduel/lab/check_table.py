"""Checks a table: its hash must match, and solving its rows again must give the same rows."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from heapq import nsmallest
from math import inf

from divisorduel.lab.executors.executor import Executor, SerialExecutor
from divisorduel.lab.table import PROVEN, Row, Table
from divisorduel.lab.tasks import Failure, Limits, tasks_of

QUICK = 1.0
"""Rows that took fewer seconds than this are solved again by default."""


@dataclass(slots=True)
class TableCheck:
    """What a check has found so far."""

    table: Table
    solved: int = 0
    """How many rows have been solved again."""
    differences: dict[int, str] = field(default_factory=dict)
    """The boards whose rows differ, and how."""
    failures: dict[int, str] = field(default_factory=dict)
    """The boards that could not be solved again, and why."""

    @property
    def is_passed(self) -> bool:
        """Whether the hash matches, every chosen row was solved again, and none differs."""
        return self.table.hash_matches and not self.differences and not self.failures

    def report(self) -> Iterator[str]:
        """Yield sentences about what was found."""
        matches = "matches" if self.table.hash_matches else "does NOT match: rows were changed"
        yield f"The hash {matches}."
        for n, difference in sorted(self.differences.items()):
            yield f"n = {n} is WRONG: {difference}."
        for n, reason in sorted(self.failures.items()):
            yield f"n = {n} could not be solved again: {reason}."
        count = len(self.differences)
        found = "all are the same" if not count else f"{count} differ{'s' if count == 1 else ''}"
        yield f"Solved {self.solved} of {len(self.table.rows)} rows again: {found}."


def check_table(
    table: Table,
    most: int | None = None,
    *,
    limits: Limits = Limits(),  # noqa: B008  # immutable
    executor: Executor | None = None,
    on_progress: Callable[[TableCheck], None] = lambda _: None,
) -> TableCheck:
    """Check the hash of a table, and solve rows again: the `most` quickest, or all quick ones.

    The executor does the work; without one, this process does. Raises `ExecutorError`.
    """
    check = TableCheck(table)
    rows = {row.n: row.cells(PROVEN) for row in rows_to_check(table, most)}
    others = {(row.n, None) for row in table.rows if row.n not in rows}
    tasks = tasks_of(table.series, others, limits)
    for task, answer in (executor or SerialExecutor()).run(tasks):
        if isinstance(answer, Failure):
            check.failures[task.n] = answer.reason
        elif not answer.is_proven:
            check.failures[task.n] = "more time or memory is needed"
        else:
            check.solved += 1
            if (found := answer.cells(PROVEN)) != rows[task.n]:
                check.differences[task.n] = f"{','.join(rows[task.n])} should be {','.join(found)}"
        on_progress(check)
    return check


def rows_to_check(table: Table, most: int | None) -> list[Row]:
    """Return the rows to solve again: the `most` quickest, or all that are quick."""
    proven = (row for row in table.rows if row.is_proven)
    seconds = {row: inf if row.seconds is None else row.seconds for row in proven}
    if most is None:
        return [row for row in seconds if seconds[row] < QUICK]
    return nsmallest(most, seconds, key=seconds.__getitem__)
