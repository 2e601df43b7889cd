"""Rows of a table that are solved again."""

from collections.abc import Generator, Iterable
from dataclasses import replace
from typing import Any

import pytest

from divisorduel import Limits, Series, make_table
from divisorduel.lab.check_table import TableCheck, check_table
from divisorduel.lab.executors.executor import SerialExecutor
from divisorduel.lab.table import Table

BOARDS = Series("divider", 50, 51)
EASY = Series("divider", 8, 9)


def test_a_row_that_cannot_be_solved_again_is_not_called_wrong() -> None:
    hard = make_table(BOARDS, limits=Limits(seconds=0))
    rows = tuple(
        replace(row, outcome="first", nimber=1, winning_first_moves=1, first_moves=49)
        for row in hard.rows
    )
    check = check_table(replace(hard, rows=rows), 1, limits=Limits(seconds=0))
    assert report(check) == [
        "n = 50 could not be solved again: more time or memory is needed.",
        "Solved 0 of 2 rows again: all are the same.",
    ]
    assert not check.has_passed


def test_a_row_that_differs_is_called_wrong_and_counted() -> None:
    table = make_table(EASY)
    changed = replace(table, rows=(replace(table.rows[0], nimber=7), *table.rows[1:]))
    check = check_table(changed)
    first, last = report(check)
    assert first.startswith("n = 8 is WRONG: 8,first,7,")
    assert last == "Solved 2 of 2 rows again: 1 differs."
    assert not check.has_passed


@pytest.mark.parametrize(
    ("change", "difference"),
    [
        ({"first_moves": 6}, "first_moves 6 should be 7"),
        ({"winning_moves": (5,)}, "winning_moves should be 8"),
        ({"nimber": 3, "seconds": None}, "8,first,3,1 should be 8,first,4,1"),
        ({"nimber": 3, "seconds": 1e6}, "8,first,3,1 should be 8,first,4,1"),
        ({"winning_first_moves": 2, "winning_moves": None}, "8,first,4,2 should be 8,first,4,1"),
    ],
)
def test_every_column_of_every_row_is_compared(change: dict[str, Any], difference: str) -> None:
    table = make_table(EASY)
    rows = (replace(table.rows[0], **change), *table.rows[1:])
    check = check_table(Table.of(EASY, table.version, table.solvers, rows))
    assert [*check.report()] == [
        "The hash matches.",
        f"n = 8 is WRONG: {difference}.",
        "Solved 2 of 2 rows again: 1 differs.",
    ]
    assert not check.has_passed


def test_a_list_of_winning_moves_may_be_left_out() -> None:
    table = make_table(EASY)
    rows = tuple(replace(row, winning_moves=None) for row in table.rows)
    assert check_table(replace(table, rows=rows)).has_passed


def test_rows_that_take_too_long_are_counted_and_not_called_the_same() -> None:
    table = make_table(EASY)
    check = check_table(table, limits=Limits(seconds=0))
    solved, slow = report(check)
    assert solved == "Solved 0 of 2 rows again: all are the same."
    assert slow == (
        "2 rows take longer than a check of all rows allows. "
        "To solve them, however long it takes, use --rows 2."
    )
    assert check.has_passed
    check.slow = 1
    assert report(check)[1] == (
        "1 row takes longer than a check of all rows allows. "
        "To solve it, however long it takes, use --rows 2."
    )


def test_a_check_of_all_rows_gives_each_of_them_a_second() -> None:
    class Recorder(SerialExecutor):
        def run(self, tasks: Iterable[Any]) -> Generator[tuple[Any, Any], None, None]:
            for task in tasks:
                seconds.append(task.limits.seconds)
                yield task, task.work()

    seconds: list[float | None] = []
    table = make_table(EASY)
    check_table(table, executor=Recorder())
    check_table(table, 1, executor=Recorder())
    assert seconds == [1.0, 1.0, None]


def test_a_row_that_contradicts_itself_is_wrong_even_if_it_is_not_solved_again() -> None:
    table = make_table(EASY)
    rows = (table.rows[0], replace(table.rows[1], nimber=0))
    check = check_table(replace(table, rows=rows), 1)
    reason = "the outcome contradicts the nimber"
    assert report(check) == [
        f"n = 9 is WRONG: {reason}.",
        "Solved 1 of 2 rows again: 1 differs.",
    ]
    assert not check.has_passed


def report(check: TableCheck) -> list[str]:
    """Return what a check has found, without the line about the hash."""
    return [*check.report()][1:]
