"""Plots of tables as SVG. The same tables always give the same text."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from html import escape
from math import ceil, floor, log10

from divisorduel.lab.plot.figure import Curve, Figure, Point, Unit, What, figure_of
from divisorduel.lab.table import Table

WIDTH, HEIGHT = 840, 470
LEFT, RIGHT, TOP, BOTTOM = 68, 816, 84, 400
"""The edges of the area with the points."""

COLOURS = (
    ("#0b6bb8", "#62b5f5"),
    ("#c2500a", "#ff9d5c"),
    ("#0a7d57", "#4fd1a5"),
    ("#a33a86", "#f08fd0"),
    ("#6b5b00", "#d8c545"),
    ("#5b4bc4", "#a99cff"),
)
"""The colours of the curves, on white and on black."""

MOST_JOINED = 200
"""With more points than this, a curve has no lines, which would hide the points."""
MOST_SHAPES = 400
"""With more points than this, a curve is drawn with dots instead of shapes."""

_SHAPES = (
    "M{l},{y}a{r},{r} 0 1 0 {d},0a{r},{r} 0 1 0 -{d},0z",
    "M{l},{t}h{d}v{d}h-{d}z",
    "M{x},{t}l{r},{d}h-{d}z",
    "M{x},{t}l{r},{r}l-{r},{r}l-{r},-{r}z",
    "M{l},{t}h{d}l-{r},{d}z",
    "M{l},{y}h{d}v{r}h-{d}z",
)
"""The shapes of the points, which distinguish them without colours."""
_POWERS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
_OPENING = (
    f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
    f'width="{WIDTH}" height="{HEIGHT}" role="img" aria-labelledby="title desc">\n'
)


def plot(tables: Sequence[Table], what: What | None = None) -> str:
    """Plot tables as an SVG document, by default their nimbers if they have any.

    The document fits light and dark pages. Raises `TableError` if a table has nothing to show.
    """
    return draw(figure_of(tables, what))


def draw(figure: Figure) -> str:
    """Draw a figure as an SVG document."""
    points = [point for curve in figure.curves for point in curve.points]
    across = horizontal(min(n for n, _ in points), max(n for n, _ in points))
    up = vertical(max(value for _, value in points), figure.unit)
    field = _Field(across, up)
    source = figure.source if len(figure.source) <= 120 else f"{figure.source[:119]}…"
    name = escape(figure.across)
    body = [
        f'<rect class="paper" width="{WIDTH}" height="{HEIGHT}"/>',
        f'<text class="title" x="{LEFT}" y="36">{escape(figure.title)}</text>',
        *_legend(figure),
        *field.grid(),
        *(part for at, curve in enumerate(figure.curves) for part in field.curve(at, curve)),
        f'<text x="{RIGHT}" y="{BOTTOM + 42}" text-anchor="end" class="name">{name}</text>',
        f'<text class="source" x="{LEFT}" y="{HEIGHT - 16}">{escape(source)}</text>',
    ]
    return (
        f'{_OPENING}<title id="title">{escape(figure.title)}</title>\n'
        f'<desc id="desc">{escape(figure.description)}</desc>\n'
        f"<style>\n{_style(len(figure.curves))}</style>\n" + "\n".join(body) + "\n</svg>\n"
    )


@dataclass(frozen=True, slots=True)
class Axis:
    """A range of values, with its ticks and their labels."""

    low: float
    high: float
    ticks: tuple[tuple[float, str], ...]
    scale: Callable[[float], float] = float

    def at(self, value: float) -> float:
        """Return where a value is on the axis, from 0 to 1."""
        low, high = self.scale(self.low), self.scale(self.high)
        return (self.scale(value) - low) / (high - low)


def horizontal(low: int, high: int) -> Axis:
    """Return the horizontal axis, from one whole number to another."""
    if low == high:
        low, high = low - 1, high + 1
    step = _step(high - low, 10)
    ticks = range(ceil(low / step) * step, high + 1, step)
    return Axis(low, high, tuple((tick, str(tick)) for tick in ticks))


def vertical(most: float, unit: Unit) -> Axis:
    """Return the vertical axis, from 0 or 1 to at least a value."""
    if unit == "log":
        high = max(1, ceil(log10(most)))
        powers = range(0, high + 1, ceil(high / 8))
        words = {p: str(10**p) if p < 4 else f"10{str(p).translate(_POWERS)}" for p in powers}
        return Axis(1, 10.0**high, tuple((10.0**p, word) for p, word in words.items()), log10)
    scale, sign = (100, "%") if unit == "share" else (1, "")
    whole = max(ceil(most * scale), 1)
    step = _step(whole, 6)
    high = ceil(whole / step) * step
    ticks = ((tick / scale, f"{tick}{sign}") for tick in range(0, high + 1, step))
    return Axis(0, high / scale, tuple(ticks))


def _step(span: int, most: int) -> int:
    """Return the smallest of 1, 2, 5, 10, 20, … that divides a span into at most `most` steps."""
    power: int = 10 ** max(0, floor(log10(span / most)))
    return next(power * digit for digit in (1, 2, 5, 10) if span <= most * power * digit)


class _Field:
    """The area with the points, between two axes."""

    def __init__(self, across: Axis, up: Axis) -> None:
        self._across, self._up = across, up

    def xy(self, point: Point) -> tuple[float, float]:
        n, value = point
        x = LEFT + 10 + self._across.at(n) * (RIGHT - LEFT - 20)
        return x, BOTTOM - self._up.at(value) * (BOTTOM - TOP)

    def grid(self) -> Iterator[str]:
        for value, word in self._up.ticks:
            y = _number(self.xy((0, value))[1])
            kind = "axis" if value == self._up.low else "grid"
            yield f'<path class="{kind}" d="M{LEFT},{y}H{RIGHT}"/>'
            yield f'<text x="{LEFT - 10}" y="{y}" dy=".35em" text-anchor="end">{word}</text>'
        for n, word in self._across.ticks:
            x = _number(self.xy((int(n), self._up.low))[0])
            yield f'<path class="axis" d="M{x},{BOTTOM}v5"/>'
            yield f'<text x="{x}" y="{BOTTOM + 22}" text-anchor="middle">{word}</text>'

    def curve(self, at: int, curve: Curve) -> Iterator[str]:
        if len(curve.points) <= MOST_JOINED:
            runs = ["L".join(_pair(*self.xy(point)) for point in run) for run in curve.runs]
            yield f'<path class="line c{at}" d="M{"M".join(runs)}"/>'
        points = [self.xy(point) for point in curve.points]
        if len(points) > MOST_SHAPES:
            dots = dict.fromkeys(f"M{_pair(*point)}h0" for point in points)
            yield f'<path class="dots c{at}" d="{"".join(dots)}"/>'
        else:
            size = 3.2 if len(points) <= 100 else 2.2
            shapes = "".join(_shape(at, *point, size) for point in points)
            yield f'<path class="mark c{at}" d="{shapes}"/>'


def _legend(figure: Figure) -> Iterator[str]:
    x = float(LEFT)
    for at, curve in enumerate(figure.curves) if len(figure.curves) > 1 else ():
        yield f'<path class="mark c{at}" d="{_shape(at, x + 6, 58, 4)}"/>'
        yield f'<text x="{_number(x + 17)}" y="62">{escape(curve.name)}</text>'
        x += 34 + 7.2 * len(curve.name)


def _shape(at: int, x: float, y: float, r: float) -> str:
    values = {"x": x, "y": y, "r": r, "d": 2 * r, "l": x - r, "t": y - r}
    return _SHAPES[at].format(**{name: _number(value) for name, value in values.items()})


def _style(curves: int) -> str:
    light = "".join(f".c{at}{{--c:{COLOURS[at][0]}}}" for at in range(curves))
    dark = "".join(f".c{at}{{--c:{COLOURS[at][1]}}}" for at in range(curves))
    return (
        "text{font:13px system-ui,sans-serif;fill:#444;font-variant-numeric:tabular-nums}\n"
        ".title{font-size:18px;font-weight:600;fill:#111}.name{font-style:italic}\n"
        ".source{font-size:11px;fill:#6b6b6b}.paper{fill:#fff}\n"
        ".grid{stroke:#e4e4e4}.axis{stroke:#8a8a8a}\n"
        ".line{fill:none;stroke:var(--c);stroke-opacity:.45;stroke-linejoin:round}\n"
        ".dots{stroke:var(--c);stroke-width:2.4;stroke-linecap:round}\n"
        f".mark{{fill:var(--c)}}{light}\n"
        "@media (prefers-color-scheme:dark){text{fill:#bbb}.title{fill:#f2f2f2}\n"
        ".source{fill:#949494}.paper{fill:#16181c}.grid{stroke:#2e3138}.axis{stroke:#7d828c}\n"
        f"{dark}}}\n"
    )


def _pair(x: float, y: float) -> str:
    return f"{_number(x)},{_number(y)}"


def _number(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")
