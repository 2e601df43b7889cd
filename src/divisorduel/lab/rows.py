"""The rows of a table: what is proven of one board each."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Literal

from divisorduel.solve.verdict import Verdict, mex

LISTED = 1_000
"""The winning first moves are listed where there are at most so many first moves to win by."""

Outcome = Literal["first", "second", "?"]
"""Who wins under best play; a question mark where that and the rest of the row is not proven."""

PROVEN = ("n", "outcome", "nimber", "winning_first_moves")
"""The columns that are the same whenever and wherever they are worked out."""
COLUMNS = (*PROVEN, "first_moves", "positions", "seconds")


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """What is proven of one board, and what it took."""

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
        """Whether there is anything in it."""
        return self.outcome != "?"


def row(n: int, verdict: Verdict, first_moves: int, seconds: float) -> Row:
    """Return the row of a verdict."""
    if not verdict.proven:
        return Row(n=n, outcome="?", positions=verdict.positions, seconds=seconds)
    return Row(
        n=n,
        outcome="first" if verdict.winner == 1 else "second",
        nimber=verdict.nimber,
        winning_first_moves=len(verdict.winning_moves),
        first_moves=first_moves,
        positions=verdict.positions,
        seconds=seconds,
        winning_moves=verdict.winning_moves if first_moves <= LISTED else None,
    )


def combined(n: int, after: Mapping[int, Row]) -> Row:
    """Return the row of a board, given the rows of the positions after all its first moves."""
    winning = tuple(move for move, answer in sorted(after.items()) if answer.outcome == "second")
    nimbers = [answer.nimber for answer in after.values() if answer.nimber is not None]
    return Row(
        n=n,
        outcome="first" if winning else "second",
        nimber=mex(nimbers) if len(nimbers) == len(after) else None,
        winning_first_moves=len(winning),
        first_moves=len(after),
        positions=sum(answer.positions or 0 for answer in after.values()),
        seconds=round(sum(answer.seconds or 0 for answer in after.values()), 3),
        winning_moves=winning if len(after) <= LISTED else None,
    )


def cells(found: Row, columns: Iterable[str]) -> list[str]:
    """Return some columns of a row as they are written, empty where nothing is known."""
    values = (getattr(found, column) for column in columns)
    return ["" if value is None else str(value) for value in values]


def digest(rows: Iterable[Row]) -> str:
    """Return the SHA-256 hash of the proven columns, written as CSV with their heading."""
    lines = [PROVEN, *(cells(found, PROVEN) for found in rows)]
    return sha256("".join(f"{','.join(line)}\n" for line in lines).encode()).hexdigest()
