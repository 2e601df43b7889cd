"""Draws a picture of tables as SVG: the same picture, the same text."""

from collections.abc import Iterator
from html import escape

from divisorduel.lab.plot.axes import Axis, along, upward
from divisorduel.lab.plot.figure import Curve, Figure, Point

WIDTH, HEIGHT = 840, 470
LEFT, RIGHT, TOP, BOTTOM = 68, 816, 84, 400
"""The edges of the field where the points are."""

COLOURS = (
    ("#0b6bb8", "#62b5f5"),
    ("#c2500a", "#ff9d5c"),
    ("#0a7d57", "#4fd1a5"),
    ("#a33a86", "#f08fd0"),
    ("#6b5b00", "#d8c545"),
    ("#5b4bc4", "#a99cff"),
)
"""The colours of the lines, on white and on black."""

MOST_MARKS = 400
"""More points than this are dots: nobody could tell their shapes apart."""

_SHAPES = (
    "M{l},{y}a{r},{r} 0 1 0 {d},0a{r},{r} 0 1 0 -{d},0z",
    "M{l},{t}h{d}v{d}h-{d}z",
    "M{x},{t}l{r},{d}h-{d}z",
    "M{x},{t}l{r},{r}l-{r},{r}l-{r},-{r}z",
    "M{l},{t}h{d}l-{r},{d}z",
    "M{l},{y}h{d}v{r}h-{d}z",
)
"""The marks of the lines, so that they can be told apart without colours."""


_OPENING = (
    f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
    f'width="{WIDTH}" height="{HEIGHT}" role="img" aria-labelledby="title desc">\n'
)


def is_ours(content: bytes) -> bool:
    """Tell whether a file holds such a picture, which can be drawn again."""
    return content.startswith(_OPENING.encode())


def as_svg(picture: Figure) -> str:
    """Return a picture as an SVG document, for light and dark surroundings alike."""
    points = [point for line in picture.lines for point in line.points]
    across = along(min(n for n, _ in points), max(n for n, _ in points))
    up = upward(max(value for _, value in points), picture.unit)
    field = _Field(across, up)
    source = escape(_short(picture.source))
    body = [
        f'<rect class="paper" width="{WIDTH}" height="{HEIGHT}"/>',
        f'<text class="title" x="{LEFT}" y="36">{escape(picture.title)}</text>',
        *_legend(picture),
        *field.grid(),
        *(part for at, line in enumerate(picture.lines) for part in field.line(at, line)),
        f'<text x="{RIGHT}" y="{BOTTOM + 42}" text-anchor="end" class="name">n</text>',
        f'<text class="source" x="{LEFT}" y="{HEIGHT - 16}">{source}</text>',
    ]
    return (
        f'{_OPENING}<title id="title">{escape(picture.title)}</title>\n'
        f'<desc id="desc">{escape(picture.description)}</desc>\n'
        f"<style>\n{_style(len(picture.lines))}</style>\n" + "\n".join(body) + "\n</svg>\n"
    )


class _Field:
    """Where a point of the tables lies in the picture."""

    def __init__(self, across: Axis, up: Axis) -> None:
        self._across, self._up = across, up

    def place(self, point: Point) -> tuple[float, float]:
        n, value = point
        x = LEFT + 10 + self._across.at(n) * (RIGHT - LEFT - 20)
        return x, BOTTOM - self._up.at(value) * (BOTTOM - TOP)

    def grid(self) -> Iterator[str]:
        for value, word in self._up.ticks:
            y = _number(self.place((0, value))[1])
            kind = "axis" if value == self._up.low else "grid"
            yield f'<path class="{kind}" d="M{LEFT},{y}H{RIGHT}"/>'
            yield f'<text x="{LEFT - 10}" y="{y}" dy=".35em" text-anchor="end">{word}</text>'
        for n, word in self._across.ticks:
            x = _number(self.place((int(n), self._up.low))[0])
            yield f'<path class="axis" d="M{x},{BOTTOM}v5"/>'
            yield f'<text x="{x}" y="{BOTTOM + 22}" text-anchor="middle">{word}</text>'

    def line(self, at: int, line: Curve) -> Iterator[str]:
        if line.is_joined:
            runs = ["L".join(_pair(*self.place(point)) for point in run) for run in line.runs]
            yield f'<path class="line c{at}" d="M{"M".join(runs)}"/>'
        places = [self.place(point) for point in line.points]
        if len(places) > MOST_MARKS:
            dots = dict.fromkeys(f"M{_pair(*place)}h0" for place in places)
            yield f'<path class="dots c{at}" d="{"".join(dots)}"/>'
        else:
            size = 3.2 if len(places) <= 100 else 2.2
            marks = "".join(_mark(at, *place, size) for place in places)
            yield f'<path class="mark c{at}" d="{marks}"/>'


def _legend(picture: Figure) -> Iterator[str]:
    x = float(LEFT)
    for at, line in enumerate(picture.lines) if len(picture.lines) > 1 else ():
        yield f'<path class="mark c{at}" d="{_mark(at, x + 6, 58, 4)}"/>'
        yield f'<text x="{_number(x + 17)}" y="62">{escape(line.name)}</text>'
        x += 34 + 7.2 * len(line.name)


def _mark(at: int, x: float, y: float, r: float) -> str:
    places = {"x": x, "y": y, "r": r, "d": 2 * r, "l": x - r, "t": y - r}
    return _SHAPES[at].format(**{name: _number(value) for name, value in places.items()})


def _style(lines: int) -> str:
    light = "".join(f".c{at}{{--c:{COLOURS[at][0]}}}" for at in range(lines))
    dark = "".join(f".c{at}{{--c:{COLOURS[at][1]}}}" for at in range(lines))
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


def _short(source: str) -> str:
    return source if len(source) <= 120 else f"{source[:119]}…"
