"""How tables are written: CSV, JSON, and the b-files of the OEIS."""

import json
from collections.abc import Callable
from dataclasses import asdict
from itertools import takewhile
from pathlib import Path
from typing import Literal

from divisorduel.lab.rows import COLUMNS, Row, cells
from divisorduel.lab.table import Table

Format = Literal["csv", "json", "b-file"]
Column = Literal["nimber", "outcome", "winning_first_moves", "first_moves", "positions"]

ENDINGS: dict[str, Format] = {".csv": "csv", ".json": "json", ".txt": "b-file", ".b": "b-file"}


def format_of(path: Path) -> Format | None:
    """Return the format that the ending of a file's name stands for."""
    return ENDINGS.get(path.suffix.lower())


def written_as(table: Table, form: Format, column: Column | None = None) -> str:
    """Write a table; in a b-file, one column of it."""
    return as_b_file(table, column) if form == "b-file" else _WRITERS[form](table)


def as_csv(table: Table) -> str:
    """Write a table as CSV, below its provenance."""
    rows = [COLUMNS, *(cells(row, COLUMNS) for row in table.rows)]
    return _comments(table) + "".join(f"{','.join(row)}\n" for row in rows)


def as_json(table: Table) -> str:
    """Write a table as JSON, one row a line, with the winning moves."""
    said = "".join(f"{json.dumps(name)}: {json.dumps(text)},\n" for name, text in _said(table))
    rows = ",\n".join(json.dumps(asdict(row)) for row in table.rows)
    return f'{{\n{said}"rows": [\n{rows}\n]\n}}\n'


def as_b_file(table: Table, column: Column | None = None) -> str:
    """Write one column as lines ``n a(n)``, up to the first board of which it is not known."""
    chosen = column or ("nimber" if table.has_nimbers else "outcome")
    known = [*takewhile(lambda row: _number(row, chosen) is not None, table.rows)]
    column_said = f"# column: {chosen}{' (1: first, 0: second)' if chosen == 'outcome' else ''}\n"
    missing = ""
    if len(known) < len(table.rows):
        missing = f"# ends before n = {table.rows[len(known)].n}, which is not known\n"
    lines = (f"{row.n} {_number(row, chosen)}\n" for row in known)
    return _comments(table) + column_said + missing + "".join(lines)


def column_of_b_file(text: str) -> tuple[str, str]:
    """Return the command and the column that a b-file tells of. Raises `ValueError`."""
    said = dict(line[2:].split(": ", 1) for line in text.splitlines() if line.startswith("# "))
    if "command" not in said or "column" not in said:
        raise ValueError("no b-file of ours")
    return said["command"], said["column"].split()[0]


_WRITERS: dict[Format, Callable[[Table], str]] = {"csv": as_csv, "json": as_json}


def _said(table: Table) -> list[tuple[str, str]]:
    return [*table.provenance.items()]


def _comments(table: Table) -> str:
    return "".join(f"# {name}: {text}\n" for name, text in _said(table))


def _number(row: Row, column: Column) -> int | None:
    if not row.is_proven:
        return None
    if column == "outcome":
        return int(row.outcome == "first")
    found: int | None = getattr(row, column)
    return found
