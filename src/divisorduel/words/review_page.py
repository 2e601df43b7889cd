"""A review as one self-contained HTML page: how the game went, the graph, the turns."""

from html import escape
from math import cos, pi, sin

from divisorduel.coach.review import Review
from divisorduel.rules.numbers import members
from divisorduel.words.reviews import line_text, refutation, summary, title_of

MOST_NUMBERS = 150
"""The graph is left out if it has more numbers than this: it could not be read."""
MOST_LETTERS = 12
"""Longer names are cut short next to the line that shows who was winning."""

_STYLE = """
:root { color-scheme: light dark; --ink: #1b1b1b; --paper: #fdfdfb; --line: #8887;
        --one: #1764ab; --two: #b3541e; --bad: #a3122a; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #eee; --paper: #17181a; --one: #7db8f0; --two: #f0a36b; --bad: #ff8095; } }
body { font: 1rem/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper);
       max-width: 46rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.15rem; margin-top: 2rem; }
table { border-collapse: collapse; width: 100%; }
td, th { text-align: left; padding: .3rem .6rem; border-bottom: 1px solid var(--line);
         vertical-align: top; }
svg { width: 100%; height: auto; } svg text { font-family: inherit; fill: var(--ink); }
.mistake { color: var(--bad); font-weight: 600; } .edge { stroke: var(--line); }
.free { fill: var(--paper); stroke: var(--line); } .one { fill: var(--paper); stroke: var(--one); }
.two { fill: var(--paper); stroke: var(--two); } .thick { stroke-width: 3; }
.course { stroke: var(--ink); fill: none; stroke-width: 2; } .bad { fill: var(--bad); }
"""


def review_page(review: Review) -> str:
    """Return the review as a page that needs no other files."""
    record = review.record
    one, two = (escape(name) for name in record.names)
    title = escape(title_of(record))
    graph = _graph(review)
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}: {one} against {two}</title>
<style>{_STYLE}</style>
</head>
<body>
<h1>{title}: {one} against {two}</h1>
<p>{escape(summary(review))}</p>
<h2>How the game went</h2>
{_course(review)}
{graph and f"<h2>The numbers</h2>{graph}"}
<h2>Turn by turn</h2>
{_table(review)}
</body>
</html>
"""


def _course(review: Review) -> str:
    """Draw who was winning before every turn: the line is high for Player 1, low for Player 2."""
    favours = [judgement.favours for judgement in review.judgements] + [review.favours_end]
    step = max(min(640 / max(len(favours) - 1, 1), 60), 4)
    height = {1: 30, 2: 90, None: 60}
    points = [(90 + at * step, height[seat]) for at, seat in enumerate(favours)]
    drawn = " ".join(f"{x:.1f},{y}" for x, y in points)
    marks = "".join(
        f'<g><path class="bad" d="M{x:.1f} {y - 9} l8 14 h-16 z"/>'
        f"<title>Turn {judgement.turn}: {judgement.move} was a mistake</title></g>"
        for judgement, (x, y) in zip(review.judgements, points, strict=False)
        if judgement.mistake
    )
    one, two = (escape(_shortened(name)) for name in review.record.names)
    every = max(1, round(24 / step))
    turns = "".join(
        _label(x, 116, 10, str(judgement.turn), 0.7)
        for judgement, (x, _) in zip(review.judgements, points, strict=False)
        if judgement.turn % every == 0 or judgement.turn == 1
    )
    width = 100 + step * (len(favours) - 1)
    return f"""<svg viewBox="0 0 {max(width, 300):.0f} 120" role="img"
aria-label="Who was winning, turn by turn">
<text x="0" y="34" font-size="12">{one}</text><text x="0" y="94" font-size="12">{two}</text>
<polyline class="course" points="{drawn}"/>{marks}{turns}
</svg>
<p>The line is on the side of the player who could force a win. A triangle marks a mistake. The
numbers below are turn numbers.</p>"""


def _shortened(name: str) -> str:
    return name if len(name) <= MOST_LETTERS else f"{name[: MOST_LETTERS - 1]}…"


def _graph(review: Review) -> str:
    """Draw the numbers in a circle, with lines between related ones, and who took which when."""
    game, names = review.record.game, review.record.names
    if not 0 < game.pool.bit_count() <= MOST_NUMBERS:
        return ""
    numbers = members(game.pool)
    turn = 2 * pi / len(numbers)
    place = {n: (255 * sin(at * turn), -255 * cos(at * turn)) for at, n in enumerate(numbers)}
    edges = "".join(
        '<line class="edge" x1="{:.0f}" y1="{:.0f}" x2="{:.0f}" y2="{:.0f}"/>'.format(
            *(300 + x for x in (*place[a], *place[b]))
        )
        for a, b in game.graph(numbers)
    )
    taken = {judgement.move: judgement for judgement in review.judgements}
    size = max(7.0, min(16.0, 700 / len(numbers)))
    drawn = ""
    for number, (x, y) in place.items():
        judgement = taken.get(number)
        mark = _mark(300 + x, 300 + y, size, judgement.seat if judgement else 0)
        mark += _label(300 + x, 300 + y + size / 3, size, str(number))
        if judgement:
            mark += _label(300 + x * 1.12, 304 + y * 1.12, 11, f"#{judgement.turn}", 0.7)
            out = f"{number}: turn {judgement.turn}, {names[judgement.seat - 1]}"
            mark = f"<g>{mark}<title>{escape(out)}</title></g>"
        drawn += mark
    one, two = map(escape, names)
    return f"""<svg viewBox="0 0 600 600" role="img"
aria-label="The numbers and the lines between them">
{edges}{drawn}
</svg>
<p>{escape(game.graph_caption)} Thick circles: {one}. Squares: {two}. Thin circles: not
taken. A number marked #3 was taken on turn 3.</p>"""


def _label(x: float, y: float, size: float, text: str, opacity: float = 1) -> str:
    faint = f' opacity="{opacity}"' if opacity < 1 else ""
    at = f'x="{x:.0f}" y="{y:.0f}" font-size="{size:.0f}"'
    return f'<text {at} text-anchor="middle"{faint}>{text}</text>'


def _mark(x: float, y: float, size: float, seat: int) -> str:
    if seat == 2:
        side = f"{2 * size:.0f}"
        at = f'x="{x - size:.0f}" y="{y - size:.0f}"'
        return f'<rect class="two thick" {at} width="{side}" height="{side}"/>'
    kind = "one thick" if seat else "free"
    return f'<circle class="{kind}" cx="{x:.0f}" cy="{y:.0f}" r="{size:.0f}"/>'


def _table(review: Review) -> str:
    rows = ""
    for judgement in review.judgements:
        remark = "Not judged (out of time)." if judgement.mistake is None else ""
        if judgement.mistake:
            remark = f'<span class="mistake">Mistake!</span> {escape(refutation(judgement))}'
            if line := escape(line_text(judgement)):
                remark += f"<details><summary>Show the moves</summary>{line}</details>"
        name = escape(review.record.names[judgement.seat - 1])
        cells = (judgement.turn, name, judgement.move, remark)
        rows += f"<tr>{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>"
    return f"<table><tr><th>Turn</th><th>Player</th><th>Number</th><th></th></tr>{rows}</table>"
