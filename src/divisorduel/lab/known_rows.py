"""Rows that need not be solved: those of tables that are there already."""

from pathlib import Path

from divisorduel.lab.formats import Column, column_of_b_file
from divisorduel.lab.rows import Row
from divisorduel.lab.series import Series
from divisorduel.lab.table import Table, TableError
from divisorduel.lab.table_check import read_unchanged
from divisorduel.lab.tasks import Piece
from divisorduel.rules.errors import BoardError

Known = tuple[dict[Piece, Row], set[str]]
"""Rows, and the solvers that they come from."""

ADVICE = "Choose another name, or remove it."


def rows_of(path: Path, boards: Series, version: str) -> Known:
    """Return the proven rows of a table, as far as they are of these boards. Raises `TableError`.

    So boards that were not solved in time get another chance.
    """
    return _rows(read_unchanged(path), path, boards, version)


def rows_to_go_on_from(path: Path, boards: Series, version: str) -> Known:
    """Return what is known by the table that is to be written, if it is there already.

    So a longer table begins where a shorter one ended. Raises `TableError` if the file holds
    anything that would be lost.
    """
    if not path.exists():
        return {}, set()
    try:
        table = read_unchanged(path)
        known = _rows(table, path, boards, version)
    except TableError as error:
        raise TableError(f"{error} {ADVICE}") from None
    if not boards.goes_on(table.boards):
        raise TableError(f"{path} is there already, made by: {table.boards.command}. {ADVICE}")
    return known


def _rows(table: Table, path: Path, boards: Series, version: str) -> Known:
    if not boards.is_like(table.boards):
        raise TableError(f"{path} has other boards, made by: {table.boards.command}.")
    if table.version != version:
        raise TableError(f"{path} was made by version {table.version}, and this is {version}.")
    numbers = boards.numbers
    rows: dict[Piece, Row] = {
        (row.n, None): row for row in table.rows if row.is_proven and row.n in numbers
    }
    return rows, set(table.solvers.split(", "))


def refuse_to_lose(path: Path, boards: Series, column: Column | None) -> None:
    """Raise `TableError` if a file is there that the b-file of a column would not hold as well.

    Without a column it is the nimber, which tells the outcome, or where there is none the outcome.
    """
    if not path.exists():
        return
    try:
        command, there = column_of_b_file(path.read_text(encoding="utf-8"))
        is_held = boards.goes_on(Series.of_command(command)) and there in (
            (column,) if column else ("nimber", "outcome")
        )
    except (OSError, ValueError, BoardError):
        raise TableError(
            f"{path} is there already, and is no b-file of a table. {ADVICE}"
        ) from None
    if not is_held:
        raise TableError(f"{path} is there already: the {there} column of {command}. {ADVICE}")
