"""Tables: what is proven about each board of a series, and how the table was made."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Literal

from divisorduel.lab.series import Series
from divisorduel.solve.verdict import Verdict, mex
from divisorduel.store.atomic_file import StoreError

LISTED = 1_000
"""Winning first moves are listed for boards with at most this many first moves."""

Outcome = Literal["first", "second", "?"]
"""Who wins under best play; a question mark if the row is not proven."""

PROVEN = ("n", "outcome", "nimber", "winning_first_moves")
"""The columns that do not depend on the machine, the solver or the time."""
PROVENANCE = ("command", "version", "solvers", "sha256")
"""The fields that say where a table comes from."""
COLUMNS = (*PROVEN, "first_moves", "positions", "seconds")


class TableError(StoreError):
    """A file that is not a table, or not the table that is needed."""

    code = "bad-table"


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """What is proven about one board, and the work that it took."""

    n: int
    outcome: Outcome
    nimber: int | None = None
    winning_first_moves: int | None = None
    first_moves: int | None = None
    positions: int | None = None
    seconds: float | None = None
    winning_moves: tuple[int, ...] | None = None

    @property
    def is_proven(self) -> bool:
        """Whether the board is solved."""
        return self.outcome != "?"

    @classmethod
    def of(cls, n: int, verdict: Verdict, first_moves: int, seconds: float) -> "Row":
        """Return the row of a verdict."""
        if not verdict.proven:
            return cls(n=n, outcome="?", positions=verdict.positions, seconds=seconds)
        return cls(
            n=n,
            outcome="first" if verdict.winner == 1 else "second",
            nimber=verdict.nimber,
            winning_first_moves=len(verdict.winning_moves),
            first_moves=first_moves,
            positions=verdict.positions,
            seconds=seconds,
            winning_moves=verdict.winning_moves if first_moves <= LISTED else None,
        )

    @classmethod
    def combined(cls, n: int, after: Mapping[int, "Row"]) -> "Row":
        """Return the row of a board, given the rows of the positions after all its first moves."""
        winning = tuple(move for move, row in sorted(after.items()) if row.outcome == "second")
        nimbers = [row.nimber for row in after.values() if row.nimber is not None]
        verdict = Verdict(
            winner=1 if winning else 2,
            winning_moves=winning,
            nimber=mex(nimbers) if len(nimbers) == len(after) else None,
            method="first move by first move",
            proven=True,
            positions=sum(row.positions or 0 for row in after.values()),
        )
        seconds = round(sum(row.seconds or 0 for row in after.values()), 3)
        return cls.of(n, verdict, len(after), seconds)

    @property
    def contradiction(self) -> str | None:
        """Why the columns cannot all be true, whatever the board is; None if they can."""
        winning, moves, listed = self.winning_first_moves, self.first_moves, self.winning_moves
        if not self.is_proven:
            found = (self.nimber, winning, moves, listed)
            return None if found == (None,) * 4 else "it is not proven, so it must be empty"
        if winning is None or moves is None:
            return "it does not say how many first moves there are, or how many of them win"
        if winning > moves or moves > self.n:
            return "it has more winning moves than moves, or more moves than numbers on the board"
        if (winning > 0) != (self.outcome == "first"):
            return "the outcome contradicts the number of winning first moves"
        if self.nimber is not None and (self.nimber > 0) != (self.outcome == "first"):
            return "the outcome contradicts the nimber"
        if self.nimber is not None and self.nimber > 1 + moves - winning:
            return "there are too few losing first moves for this nimber"
        if listed is None:
            return None
        if moves > LISTED:
            return "it has too many first moves for a list"
        if len(listed) != winning:
            return "the number of winning moves in the list is wrong"
        if [*listed] != sorted(set(listed)) or not all(1 <= move <= self.n for move in listed):
            return "the list must hold numbers on the board, in ascending order"
        return None

    def cells(self, columns: Iterable[str]) -> list[str]:
        """Return some columns as text; unknown values are empty."""
        values = (getattr(self, column) for column in columns)
        return ["" if value is None else str(value) for value in values]


@dataclass(frozen=True, slots=True)
class Table:
    """The rows of a series of boards, ascending, and their provenance."""

    series: Series
    version: str
    solvers: str
    rows: tuple[Row, ...]
    sha256: str
    """The hash that the file states; `hash_matches` compares it with the rows."""

    @classmethod
    def of(cls, series: Series, version: str, solvers: str, rows: Iterable[Row]) -> "Table":
        """Return a table with the hash of its rows."""
        rows = tuple(rows)
        return cls(series, version, solvers, rows, digest(rows))

    @property
    def provenance(self) -> dict[str, str]:
        """The fields at the beginning of the table's file."""
        found = self.series.command, self.version, self.solvers, self.sha256
        return dict(zip(PROVENANCE, found, strict=True))

    @property
    def has_nimbers(self) -> bool:
        """Whether any row has a nimber."""
        return any(row.nimber is not None for row in self.rows)

    @property
    def hash_matches(self) -> bool:
        """Whether the rows are unchanged since the hash was computed."""
        return digest(self.rows) == self.sha256


def csv_text(rows: Iterable[Row], columns: Sequence[str]) -> str:
    """Return some columns of rows as CSV with their heading."""
    lines = [columns, *(row.cells(columns) for row in rows)]
    return "".join(f"{','.join(line)}\n" for line in lines)


def digest(rows: Iterable[Row]) -> str:
    """Return the SHA-256 hash of the proven columns."""
    return sha256(csv_text(rows, PROVEN).encode()).hexdigest()
