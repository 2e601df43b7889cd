"""The checkpoint of a table: each row is on disk as soon as it is known.

It is a file of JSON lines beside the table. The first line names the boards; the others are rows,
each with its first move, or null for a whole board. Each line ends with a hash of the rest of it.
If the program is killed, at worst the last line is incomplete.
"""

from contextlib import ExitStack
from dataclasses import asdict
from pathlib import Path
from typing import Any, Self

from divisorduel.lab.formats import row_from
from divisorduel.lab.series import Series
from divisorduel.lab.table import Row, TableError
from divisorduel.lab.tasks import Piece
from divisorduel.rules.numbers import is_whole
from divisorduel.store.atomic_file import exclusive_use
from divisorduel.store.journal import DamagedJournal, Journal

BEGINNING = b'{"command": "duel table '
"""How every checkpoint begins."""


class Checkpoint:
    """The file beside a table that is being made. It is locked within the context."""

    def __init__(self, table: Path, series: Series, version: str) -> None:
        self.path = table.with_name(f"{table.name}.partial")
        self.series = series
        self.version = version
        self.solvers: set[str] = set()
        """The solvers that found the rows."""
        self._journal = Journal(self.path, BEGINNING)
        self._header: dict[str, str] = {}
        self._table = table
        self._held = ExitStack()

    def __enter__(self) -> Self:
        """Lock the file. Raises `StoreError`."""
        taken = (
            f"{self.path} is being written by another process. "
            "Let it finish, or choose another name for the table."
        )
        self._held.enter_context(exclusive_use(self._table, taken))
        return self

    def __exit__(self, *_: object) -> None:
        self._held.close()

    def open(self, solvers: str) -> dict[Piece, Row]:
        """Return the saved rows, and prepare to add rows of these solvers. Raises `StoreError`."""
        self.solvers.add(solvers)
        header = {"command": self.series.command, "version": self.version, "solvers": solvers}
        try:
            rows = self._rows(self._journal.read())
        except DamagedJournal:
            raise self._damaged() from None
        self._journal.trim()
        if self._header != header:
            self._journal.append(header)
        return rows

    def add(self, piece: Piece, row: Row) -> None:
        """Add a row, and return when it is on disk. Raises `StoreError`."""
        self._journal.append({"move": piece[1], **asdict(row)})

    def _rows(self, lines: list[dict[str, Any]]) -> dict[Piece, Row]:
        if not lines:
            return {}
        try:
            headers = [line for line in lines if "command" in line]
            commands = [(Series.of_command(line["command"]), line["version"]) for line in headers]
            self.solvers |= {line["solvers"] for line in headers}
            are_shown = all(map(str.isprintable, self.solvers))
            self._header = headers[-1]
            moves = [(line.pop("move"), row_from(line)) for line in lines if "move" in line]
        except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
            raise self._damaged() from None
        for series, version in commands:
            if version != self.version:
                raise self._of_another(f"version {version}, but this is version {self.version}")
            if not self.series.includes(series):
                raise self._of_another(f"another command: {series.command}")
        numbers = self.series.numbers
        are_ours = all(row.n in numbers and (move is None or is_whole(move)) for move, row in moves)
        if not (are_ours and are_shown):
            raise self._damaged()
        if any(row.contradiction for move, row in moves if move is None):
            raise self._damaged()
        return {(row.n, move): row for move, row in moves}

    def _damaged(self) -> TableError:
        return TableError(
            f"{self.path} is damaged. Remove it, or choose another name for the table."
        )

    def _of_another(self, other: str) -> TableError:
        return TableError(
            f"{self.path} was left by {other}. "
            "Finish that table, remove the file, or choose another name for the table."
        )
