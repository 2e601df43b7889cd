"""Checks a table: whether its hash fits, and whether its rows are found again."""

from collections.abc import Iterator
from heapq import nsmallest
from math import inf
from pathlib import Path

from divisorduel.lab.executors.executor import Executor
from divisorduel.lab.rows import PROVEN, Row, cells, digest
from divisorduel.lab.table import Table, TableError, read_table
from divisorduel.lab.tasks import Failure, Limits, Task

QUICK = 1.0
"""Rows that took less than so many seconds are worked out anew unless told otherwise."""


def hash_fits(table: Table) -> bool:
    """Tell whether the rows are those that the hash was taken of."""
    return digest(table.rows) == table.sha256


def read_unchanged(path: Path) -> Table:
    """Read a table. Raises `TableError`, also if its rows are not those that were written."""
    table = read_table(path)
    if not hash_fits(table):
        raise TableError(f"{path} has been changed since it was made: its hash does not fit.")
    return table


def rows_to_check(table: Table, most: int | None) -> list[Row]:
    """Return the rows to work out anew: so many, the quickest first, or all that are quick."""
    proven = [row for row in table.rows if row.is_proven]
    if most is None:
        return [row for row in proven if _seconds(row) < QUICK]
    return nsmallest(most, proven, key=_seconds)


def _seconds(row: Row) -> float:
    """Return how long a row took; for ever, if that is not known."""
    return inf if row.seconds is None else row.seconds


def differences(
    table: Table, rows: list[Row], place: Executor, limits: Limits
) -> Iterator[tuple[Row, str]]:
    """Work rows out anew, and yield each with what is different, empty if nothing is."""
    by_n = {row.n: row for row in rows}
    tasks = (
        Task(
            table.boards.key,
            table.boards.game(row.n).board,
            row.n,
            None,
            limits,
            table.boards.nimbers,
        )
        for row in rows
    )
    for task, found in place.run(tasks):
        said = by_n[task.n]
        if isinstance(found, Failure):
            yield said, found.reason
            continue
        here, there = cells(said, PROVEN), cells(found, PROVEN)
        yield said, "" if here == there else f"{','.join(here)} should be {','.join(there)}"
