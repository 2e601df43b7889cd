"""The file formats of tables: CSV and JSON, which can be read back, and OEIS b-files."""

import csv
import json
import re
from collections.abc import Iterable
from dataclasses import asdict
from itertools import takewhile
from pathlib import Path
from typing import Any, Literal, get_args

from divisorduel.lab.series import Series
from divisorduel.lab.table import COLUMNS, PROVENANCE, Outcome, Row, Table, TableError, csv_text
from divisorduel.rules.errors import DuelError, one_of
from divisorduel.rules.game import Game
from divisorduel.rules.numbers import is_whole, json_data, number_from_json
from divisorduel.store.atomic_file import read_text

Format = Literal["csv", "json", "b-file"]
Column = Literal["nimber", "outcome", "winning_first_moves", "first_moves", "positions"]

ENDINGS: dict[str, Format] = {".csv": "csv", ".json": "json", ".txt": "b-file", ".b": "b-file"}

_COUNTS = ("n", "nimber", "winning_first_moves", "first_moves", "positions")
_LARGEST = 10**50
"""No count in a table is larger than this."""
_LONGEST = 1e12
"""No board takes more seconds than this."""
_GAP = re.compile("# ends before n = [0-9]+, which is not known")


class FormatError(DuelError):
    """A file name whose extension is not that of a known format."""

    code = "unknown-format"


def format_of(path: Path) -> Format:
    """Return the format for the extension of a file's name. Raises `FormatError`."""
    ending = path.suffix.lower()
    if ending not in ENDINGS:
        raise FormatError(f"{path} has an unknown file extension. Use {one_of(ENDINGS)}.")
    return ENDINGS[ending]


def write_table(table: Table, form: Format, column: Column | None = None) -> str:
    """Write a table as text; in a b-file, one column of it."""
    if form == "b-file":
        return as_b_file(table, column)
    return as_csv(table) if form == "csv" else as_json(table)


def as_csv(table: Table) -> str:
    """Write a table as CSV, below comments with its provenance."""
    return _comments(table) + csv_text(table.rows, COLUMNS)


def as_json(table: Table) -> str:
    """Write a table as JSON, one row on each line, with the winning moves."""
    fields = (f"{json.dumps(k)}: {json.dumps(v)},\n" for k, v in table.provenance.items())
    rows = ",\n".join(json.dumps(json_data(asdict(row))) for row in table.rows)
    return f'{{\n{"".join(fields)}"rows": [\n{rows}\n]\n}}\n'


def as_b_file(table: Table, column: Column | None = None) -> str:
    """Write one column as lines ``n a(n)``, up to the first board whose value is not known."""
    chosen = column or ("nimber" if table.has_nimbers else "outcome")
    known = [*takewhile(lambda row: _number(row, chosen) is not None, table.rows)]
    heading = f"# column: {chosen}{' (1: first, 0: second)' if chosen == 'outcome' else ''}\n"
    missing = ""
    if len(known) < len(table.rows):
        missing = f"# ends before n = {table.rows[len(known)].n}, which is not known\n"
    lines = (f"{row.n} {_number(row, chosen)}\n" for row in known)
    return _comments(table) + heading + missing + "".join(lines)


def read_b_file(text: str) -> tuple[Series, str, dict[int, int]]:
    """Return the series, the column and the values of a b-file.

    Raises `ValueError` or `LookupError` for anything that `as_b_file` does not write.
    """
    lines = [line for line in text.splitlines() if not _GAP.fullmatch(line)]
    comments = [line[2:].split(": ", 1) for line in lines if line.startswith("#")]
    names = [name for name, _ in comments]
    if names != [*PROVENANCE, "column"]:
        raise ValueError("these are not the comments of a b-file")
    fields = dict(comments)
    values = (line.split(" ") for line in lines if not line.startswith("#"))
    found = {int(n): int(value) for n, value in values}
    return Series.of_command(fields["command"]), fields["column"].split()[0], found


def _comments(table: Table) -> str:
    return "".join(f"# {name}: {text}\n" for name, text in table.provenance.items())


def _number(row: Row, column: Column) -> int | None:
    if not row.is_proven:
        return None
    if column == "outcome":
        return int(row.outcome == "first")
    found: int | None = getattr(row, column)
    return found


def read_table(path: Path, *, may_be_changed: bool = False) -> Table:
    """Read a table from a CSV or JSON file. Raises `StoreError`.

    A table whose hash does not match its rows, or with a row that contradicts itself, is refused,
    unless it `may_be_changed`.
    """
    text = read_text(path)
    try:
        table = _from_json(text) if text.lstrip().startswith("{") else _from_csv(text)
    except (ValueError, KeyError, TypeError, RecursionError, csv.Error):
        raise TableError(
            f"{path} is not a table. Use a CSV or JSON file written by duel table."
        ) from None
    if [row.n for row in table.rows] != [*table.series.numbers]:
        raise TableError(f"{path} is incomplete: its rows do not match {table.series.command}.")
    if not (may_be_changed or table.hash_matches):
        raise TableError(
            f"{path} was changed after it was made: its hash does not match. "
            f"The command duel table --check {path} checks its rows."
        )
    for row in table.rows if not may_be_changed else ():
        if row.contradiction:
            raise TableError(f"{path} is wrong at n = {row.n}: {row.contradiction}.")
    return table


def _from_json(text: str) -> Table:
    data = json.loads(text)
    return _table(data, (row_from(row) for row in data["rows"]))


def _from_csv(text: str) -> Table:
    lines = text.splitlines()
    fields = (line[2:].partition(": ") for line in lines if line.startswith("# "))
    rows = csv.DictReader(line for line in lines if not line.startswith("#"))
    if tuple(rows.fieldnames or ()) != COLUMNS:
        raise ValueError("these are not the columns of a table")
    return _table({name: text for name, _, text in fields}, (_row_from_csv(row) for row in rows))


def _table(fields: dict[str, Any], rows: Iterable[Row]) -> Table:
    version, solvers, sha256 = (str(fields[name]) for name in ("version", "solvers", "sha256"))
    if not f"{version}{solvers}{sha256}".isprintable():
        raise ValueError("these are not the words of a table")
    return Table(Series.of_command(fields["command"]), version, solvers, tuple(rows), sha256)


def _row_from_csv(cells: dict[str, str]) -> Row:
    numbers = {k: json.loads(cell) for k, cell in cells.items() if cell and k != "outcome"}
    return row_from({**numbers, "outcome": cells["outcome"]})


def row_from(found: dict[str, Any]) -> Row:
    """Return a row, given its columns. Raises `ValueError`, `KeyError` or `TypeError`."""
    if not isinstance(found, dict):
        raise TypeError("a row has names for its columns")
    found = {name: number_from_json(value) for name, value in found.items()}
    moves, seconds = found.get("winning_moves"), found.get("seconds")
    counts = [found[name] for name in _COUNTS if found.get(name) is not None]
    moves = moves and [*map(number_from_json, moves)]
    counts += moves or ()
    if (
        found["outcome"] not in get_args(Outcome)
        or not all(
            is_whole(count) and 0 <= count <= _LARGEST for count in (*counts, *(moves or ()))
        )
        or not (seconds is None or _is_duration(seconds))
    ):
        raise ValueError("not a row of a table")
    return Row(**{**found, "winning_moves": None if moves is None else tuple(moves)})


def _is_duration(seconds: Any) -> bool:
    is_number = isinstance(seconds, float) or is_whole(seconds)
    return is_number and 0 <= seconds <= _LONGEST


def look_up(path: Path, game: Game) -> Row:
    """Return the row of a game in a table. Raises `StoreError` if its winner is not there."""
    table = read_table(path)
    for row in table.rows if game.book.key == table.series.key else ():
        if row.n == game.size and row.is_proven and table.series.game(row.n) == game:
            return row
    raise TableError(
        f"{path} does not say who wins {game.book.key} {game.board}. To solve it, drop --table."
    )
