"""Rows of a table that are solved again."""

from dataclasses import replace

from divisorduel import Limits, Series, make_table
from divisorduel.lab.check_table import TableCheck, check_table

BOARDS = Series("divider", 50, 51)
EASY = Series("divider", 8, 9)


def test_a_row_that_cannot_be_solved_again_is_not_called_wrong() -> None:
    hard = make_table(BOARDS, limits=Limits(seconds=0))
    rows = tuple(replace(row, outcome="first", nimber=1) for row in hard.rows)
    check = check_table(replace(hard, rows=rows), 1, limits=Limits(seconds=0))
    assert report(check) == [
        "n = 50 could not be solved again: more time or memory is needed.",
        "Solved 0 of 2 rows again: all are the same.",
    ]
    assert not check.is_passed


def test_a_row_that_differs_is_called_wrong_and_counted() -> None:
    table = make_table(EASY)
    changed = replace(table, rows=(replace(table.rows[0], nimber=7), *table.rows[1:]))
    check = check_table(changed)
    first, last = report(check)
    assert first.startswith("n = 8 is WRONG: 8,first,7,")
    assert last == "Solved 2 of 2 rows again: 1 differs."
    assert not check.is_passed


def report(check: TableCheck) -> list[str]:
    """Return what a check has found, without the line about the hash."""
    return [*check.report()][1:]
