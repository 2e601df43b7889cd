"""The content of a plot of tables: titles, curves and units, independent of the format."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from divisorduel.lab.table import Row, Table, TableError

What = Literal["nimbers", "winning", "positions"]
Unit = Literal["whole", "share", "log"]
"""Whole numbers, shares of 1, or whole numbers on a logarithmic scale."""

MOST_TABLES = 6
"""How many curves a reader can distinguish in one plot."""

Point = tuple[int, float]


@dataclass(frozen=True, slots=True)
class Curve:
    """The points of one table, without the boards whose value is not known."""

    name: str
    points: tuple[Point, ...]
    step: int
    """The distance between boards; points farther apart are not joined."""

    @property
    def runs(self) -> list[list[Point]]:
        """The points, in runs without a gap."""
        found: list[list[Point]] = []
        for point in self.points:
            if found and point[0] - found[-1][-1][0] <= self.step:
                found[-1].append(point)
            else:
                found.append([point])
        return found


@dataclass(frozen=True, slots=True)
class Figure:
    """Curves, usually over the boards, and the text around them."""

    title: str
    description: str
    source: str
    unit: Unit
    curves: tuple[Curve, ...]
    across: str = "n"
    """The name of the horizontal axis."""


class _Kind(NamedTuple):
    title: str
    unit: Unit
    value: Callable[[Row], float | None]


def _share(row: Row) -> float | None:
    if row.winning_first_moves is None or row.first_moves is None:
        return None
    return row.winning_first_moves / row.first_moves if row.first_moves else 0.0


_KINDS: dict[What, _Kind] = {
    "nimbers": _Kind("Nimber of the board up to n", "whole", lambda row: row.nimber),
    "winning": _Kind("Share of first moves that win, on the board up to n", "share", _share),
    "positions": _Kind(
        "Positions searched to solve the board up to n", "log", lambda row: row.positions or None
    ),
}


def default_quantity(tables: Sequence[Table]) -> What:
    """Return what to plot by default: nimbers if all tables have them."""
    return "nimbers" if all(table.has_nimbers for table in tables) else "winning"


def figure_of(tables: Sequence[Table], what: What | None = None) -> Figure:
    """Return the figure of some tables. Raises `TableError` if one has nothing to show."""
    if len(tables) > MOST_TABLES:
        raise TableError(f"{len(tables)} tables are too many: a plot shows at most {MOST_TABLES}.")
    what = what or default_quantity(tables)
    kind = _KINDS[what]
    curves = tuple(_curve(table, kind, what) for table in tables)
    return Figure(
        title=f"{kind.title}: {curves[0].name}" if len(curves) == 1 else kind.title,
        description=" ".join(_description(curve, kind.unit) for curve in curves),
        source="; ".join(table.series.command for table in tables),
        unit=kind.unit,
        curves=curves,
    )


def _values(table: Table, kind: _Kind) -> Iterator[Point]:
    """Yield the boards whose value is known."""
    for row in table.rows:
        value = kind.value(row)
        if row.is_proven and value is not None:
            yield row.n, value


def _curve(table: Table, kind: _Kind, what: What) -> Curve:
    points = tuple(_values(table, kind))
    series = table.series
    name = " ".join([series.key, *(f"--{k.rstrip('_')} {v}" for k, v in series.options)])
    if not points:
        others = [other for other, kind in _KINDS.items() if any(_values(table, kind))]
        advice = f"Use --what {' or '.join(others)}." if others else "None of its boards is solved."
        raise TableError(f"The table of {name} has nothing to plot with --what {what}. {advice}")
    return Curve(name, points, series.numbers.step)


def _description(curve: Curve, unit: str) -> str:
    (first, _), (last, _) = curve.points[0], curve.points[-1]
    at, most = max(curve.points, key=lambda point: point[1])
    value = f"{most:.0%}" if unit == "share" else f"{most:.0f}"
    boards = f"{len(curve.points)} board{'' if len(curve.points) == 1 else 's'}"
    return f"{curve.name}: {boards}, n from {first} to {last}; the maximum is {value}, at n = {at}."
