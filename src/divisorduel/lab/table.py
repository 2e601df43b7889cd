"""Tables: rows with their provenance, and how they are read back."""

import csv
import json
from collections.abc import Iterable
from dataclasses import dataclass, replace
from math import isfinite
from pathlib import Path
from typing import Any

from divisorduel.lab.rows import COLUMNS, Row, digest
from divisorduel.lab.series import Series
from divisorduel.rules.game import Game
from divisorduel.rules.numbers import is_whole
from divisorduel.store.match_files import StoreError

_COUNTS = ("n", "nimber", "winning_first_moves", "first_moves", "positions")
_MOST = 10**50
"""No count is larger."""
PROVENANCE = ("command", "version", "solvers", "sha256")
"""What every file says of itself, in this order."""


class TableError(StoreError):
    """A file that is no table, or not the one that is needed."""


@dataclass(frozen=True, slots=True)
class Table:
    """The rows of some boards, ascending, and how they came about."""

    boards: Series
    version: str
    solvers: str
    rows: tuple[Row, ...]
    sha256: str
    """The hash that came with the rows; that they fit is another matter."""

    @classmethod
    def of(cls, boards: Series, version: str, solvers: str, rows: Iterable[Row]) -> "Table":
        """Return a table with the hash of its rows."""
        kept = tuple(rows)
        return cls(boards, version, solvers, kept, digest(kept))

    @property
    def provenance(self) -> dict[str, str]:
        """What the table's file says of itself."""
        said = (self.boards.command, self.version, self.solvers, self.sha256)
        return dict(zip(PROVENANCE, said, strict=True))

    @property
    def has_nimbers(self) -> bool:
        """Whether the nimbers of this game are worth stating."""
        return any(row.nimber is not None for row in self.rows)

    def row_of(self, game: Game) -> Row | None:
        """Return what it says of a game, if anything."""
        if game.book.key != self.boards.key:
            return None
        found = next((row for row in self.rows if row.n == game.size and row.is_proven), None)
        return found if found and self.boards.game(found.n) == game else None


def read_table(path: Path) -> Table:
    """Read a table from a CSV or JSON file. Raises `TableError`."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", "") or "it is no text"
        raise TableError(f"{path} cannot be read: {reason}.") from None
    try:
        table = _from_json(text) if text.lstrip().startswith("{") else _from_csv(text)
    except (ValueError, KeyError, TypeError, RecursionError):
        raise TableError(
            f"{path} is no table that duel table has written as CSV or JSON."
        ) from None
    if [row.n for row in table.rows] != [*table.boards.numbers]:
        raise TableError(f"{path} is not whole: its rows are not those of {table.boards.command}.")
    return table


def _from_json(text: str) -> Table:
    data = json.loads(text)
    return _table(data, (row_from(found) for found in data["rows"]))


def _from_csv(text: str) -> Table:
    lines = text.splitlines()
    said = (line[2:].partition(": ") for line in lines if line.startswith("# "))
    rows = csv.DictReader(line for line in lines if not line.startswith("#"))
    if tuple(rows.fieldnames or ()) != COLUMNS:
        raise ValueError("these are not the columns of a table")
    return _table({name: text for name, _, text in said}, (_row(found) for found in rows))


def _table(said: dict[str, Any], rows: Iterable[Row]) -> Table:
    _, version, solvers, sha256 = (str(said[name]) for name in PROVENANCE)
    boards = Series.of_command(str(said["command"]))
    return replace(Table.of(boards, version, solvers, rows), sha256=sha256)


def _row(found: dict[str, str]) -> Row:
    """Read a row of CSV."""
    numbers: dict[str, Any] = {
        name: float(cell) if name == "seconds" else int(cell)
        for name, cell in found.items()
        if name != "outcome" and cell
    }
    return row_from({**numbers, "outcome": found["outcome"]})


def row_from(found: dict[str, Any]) -> Row:
    """Return a row, given its columns. Raises `ValueError`, `KeyError` or `TypeError`."""
    if found["outcome"] not in ("first", "second", "?"):
        raise ValueError(f"{found['outcome']!r} is no outcome")
    for name in _COUNTS:
        value = found.get(name)
        if value is not None and (not is_whole(value) or not 0 <= value <= _MOST):
            raise ValueError(f"{value!r} is no number for {name}")
    if not isfinite(found.get("seconds") or 0):
        raise ValueError("a time has an end")
    moves = found.get("winning_moves")
    return Row(**{**found, "winning_moves": None if moves is None else tuple(moves)})
