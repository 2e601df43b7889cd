"""Checks a table: its hash must match, and solving its rows again must give the same rows.

A table may come from a stranger, so nothing in it decides which rows are solved again.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace

from divisorduel.lab.executors.executor import Executor, SerialExecutor
from divisorduel.lab.table import PROVEN, Row, Table
from divisorduel.lab.tasks import Failure, Limits, tasks_of
from divisorduel.words.listing import numbers_text

SECONDS = 1.0
"""How long each row may take by default; rows that take longer are not checked."""


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
    slow: int = 0
    """How many rows take longer than a check of all rows allows."""

    @property
    def has_passed(self) -> bool:
        """Whether the hash matches, and no row differs or failed. Slow rows are not checked."""
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
        if self.slow:
            rows, them = f"{self.slow} rows take", "them"
            if self.slow == 1:
                rows, them = "1 row takes", "it"
            yield (
                f"{rows} longer than a check of all rows allows. "
                f"To solve {them}, however long it takes, use --rows {len(self.table.rows)}."
            )


def check_table(
    table: Table,
    most: int | None = None,
    *,
    limits: Limits = Limits(),  # noqa: B008  # immutable
    executor: Executor | None = None,
    on_progress: Callable[[TableCheck], None] = lambda _: None,
) -> TableCheck:
    """Check the hash of a table, and solve rows again: the `most` smallest boards, or all.

    Without `most`, each row may take a second, unless the limits say otherwise, and rows that take
    longer are only counted. The executor does the work; without one, this process does. Raises
    `ExecutorError`.
    """
    check = TableCheck(table)
    check.differences |= {row.n: row.contradiction for row in table.rows if row.contradiction}
    if most is None and limits.seconds is None:
        limits = replace(limits, seconds=SECONDS)
    rows = {row.n: row for row in rows_to_check(table, most)}
    others = {(row.n, None) for row in table.rows if row.n not in rows}
    tasks = tasks_of(table.series, others, limits)
    for task, answer in (executor or SerialExecutor()).run(tasks):
        if isinstance(answer, Failure):
            check.failures[task.n] = answer.reason
        elif answer.is_proven:
            check.solved += 1
            if difference := _difference(rows[task.n], answer):
                check.differences[task.n] = difference
        elif most is None:
            check.slow += 1
        else:
            check.failures[task.n] = "more time or memory is needed"
        on_progress(check)
    return check


def rows_to_check(table: Table, most: int | None) -> list[Row]:
    """Return the rows to solve again: the `most` smallest boards that are proven, or all."""
    return [row for row in table.rows if row.is_proven][:most]


def _difference(row: Row, found: Row) -> str | None:
    """Say how a row differs from what was found; a list of winning moves may be left out."""
    for columns in (PROVEN, ("first_moves",)):
        if (wrong := row.cells(columns)) != (right := found.cells(columns)):
            name = "" if columns is PROVEN else f"{columns[0]} "
            return f"{name}{','.join(wrong)} should be {','.join(right)}"
    if row.winning_moves is None or found.winning_moves in (None, row.winning_moves):
        return None
    return f"winning_moves should be {numbers_text(found.winning_moves)}"
