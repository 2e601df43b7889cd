"""What a picture of tables shows, before it is drawn."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from divisorduel.lab.rows import Row
from divisorduel.lab.table import Table, TableError

What = Literal["nimbers", "winning", "positions"]

MOST_TABLES = 6
"""More lines than this in one picture could not be told apart."""

MOST_JOINED = 200
"""So many points are joined by lines at most."""

Point = tuple[int, float]


@dataclass(frozen=True, slots=True)
class Curve:
    """The points of one table; boards of which nothing is known are left out."""

    name: str
    points: tuple[Point, ...]
    step: int
    """How far apart the boards are; points farther apart than this are not joined."""

    @property
    def is_joined(self) -> bool:
        """Whether the points are joined by lines: among very many, those would hide the points."""
        return len(self.points) <= MOST_JOINED

    @property
    def runs(self) -> list[list[Point]]:
        """The points in runs without a gap."""
        found: list[list[Point]] = []
        for point in self.points:
            if found and point[0] - found[-1][-1][0] <= self.step:
                found[-1].append(point)
            else:
                found.append([point])
        return found


@dataclass(frozen=True, slots=True)
class Figure:
    """Lines over the boards, and the words around them."""

    title: str
    description: str
    source: str
    unit: Literal["whole", "share", "log"]
    """Whole numbers, shares of 1, or numbers on a logarithmic scale."""
    lines: tuple[Curve, ...]


@dataclass(frozen=True, slots=True)
class _Kind:
    title: str
    unit: Literal["whole", "share", "log"]
    value: Callable[[Row], float | None]


def _share(row: Row) -> float | None:
    if row.winning_first_moves is None or row.first_moves is None:
        return None
    return row.winning_first_moves / row.first_moves if row.first_moves else 0.0


_KINDS: dict[What, _Kind] = {
    "nimbers": _Kind("Nimber of the board up to n", "whole", lambda row: row.nimber),
    "winning": _Kind("Share of first moves that win, on the board up to n", "share", _share),
    "positions": _Kind(
        "Positions looked at to solve the board up to n", "log", lambda row: row.positions or None
    ),
}


def usual(tables: Sequence[Table]) -> What:
    """Return what is drawn unless told otherwise."""
    return "nimbers" if all(table.has_nimbers for table in tables) else "winning"


def picture(tables: Sequence[Table], what: What) -> Figure:
    """Return the picture of some tables. Raises `TableError` if one has nothing to show."""
    kind = _KINDS[what]
    lines = tuple(_line(table, kind, what) for table in tables)
    named = f"{kind.title}: {lines[0].name}" if len(lines) == 1 else kind.title
    return Figure(
        title=named,
        description=" ".join(_description(line, kind.unit) for line in lines),
        source="; ".join(table.boards.command for table in tables),
        unit=kind.unit,
        lines=lines,
    )


def _values(table: Table, kind: _Kind) -> Iterator[Point]:
    """Yield the boards of which a value is known."""
    for row in table.rows:
        value = kind.value(row)
        if row.is_proven and value is not None:
            yield row.n, value


def _line(table: Table, kind: _Kind, what: What) -> Curve:
    points = tuple(_values(table, kind))
    boards = table.boards
    name = " ".join([boards.key, *(f"--{k.rstrip('_')} {v}" for k, v in boards.options)])
    if not points:
        others = [other for other, kind in _KINDS.items() if any(_values(table, kind))]
        advice = (
            f"choose --what {' or '.join(others)}" if others else "no board of it is solved yet"
        )
        raise TableError(f"The table of {name} has no {what} to draw: {advice}.")
    return Curve(name, points, boards.numbers.step)


def _description(line: Curve, unit: str) -> str:
    (first, _), (last, _) = line.points[0], line.points[-1]
    at, most = max(line.points, key=lambda point: point[1])
    value = f"{most:.0%}" if unit == "share" else f"{most:.0f}"
    boards = f"{len(line.points)} board{'' if len(line.points) == 1 else 's'}"
    return f"{line.name}: {boards}, n from {first} to {last}; the most is {value}, at n = {at}."
