"""The results of a benchmark in words: as lines of text, as JSON lines, and as a page."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from html import escape
from typing import Any

from divisorduel.bots.llm.bench_run import BenchPlan, TrialSet
from divisorduel.bots.llm.chat_reply import OUTCOMES
from divisorduel.bots.llm.scores import BoardScore
from divisorduel.bots.report_page import page

_HEADINGS = (
    "game",
    "board",
    "legal moves",
    "trials",
    "won",
    "95% interval",
    "chance",
    "greedy",
    *OUTCOMES,
)
_LEFT = 3
"""How many columns hold words, not numbers."""


def text_lines(plan: BenchPlan, found: Sequence[BoardScore]) -> Iterator[str]:
    """Yield the results as lines of text."""
    rows = [_HEADINGS, *map(_cells, found)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    yield title(plan)
    yield ""
    for row in rows:
        cells = [
            f"{cell:<{width}}" if at < _LEFT else f"{cell:>{width}}"
            for at, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        yield "  ".join(cells).rstrip()
    yield ""
    yield from notes(plan, found)


def title(plan: BenchPlan) -> str:
    """Return a title: which model did what."""
    asked = "single positions" if plan.mode == "positions" else "conversion"
    return f"{plan.model.name}: {asked}"


def notes(plan: BenchPlan, found: Sequence[BoardScore]) -> Iterator[str]:
    """Yield sentences that say what the figures mean, and what went wrong."""
    model = plan.model
    yield (
        f"{model.name} at {model.shown_url}, seed {plan.seed}, "
        f"at most {model.most_tokens:,} tokens for each reply."
    )
    if plan.mode == "positions":
        yield "Won: the share of winning positions in which the model named a winning move."
    else:
        kept, met = (sum(each) for each in zip(*(one.kept for one in found), strict=True))
        yield (
            "Won: the share of winning starting positions that the model held to the end against "
            "the perfect player. The other columns say what ended a game."
        )
        if met:
            yield f"Moves that kept the win: {kept:,} of {met:,}, {_percent(kept / met)}."
    yield "Chance, greedy: what a random legal move and the greedy player score on the same trials."
    yield from _troubles(found)
    total = sum(one.tokens for one in found)
    yield f"Tokens of the counted trials, prompts included, as reported by the endpoint: {total:,}."


def _troubles(found: Sequence[BoardScore]) -> Iterator[str]:
    causes = sum((one.causes for one in found), Counter[str]())
    if causes:
        listed = ", ".join(f"{cause} ({count:,})" for cause, count in sorted(causes.items()))
        yield f"Why there was no answer: {listed}."
    if failed := sum(one.failed for one in found):
        yield (
            f"{_count(failed, 'trial')} ended because the endpoint failed, not the model; "
            "--again sends their requests again."
        )
    if retries := sum(one.retries for one in found):
        yield (
            f"{_count(retries, 'request')} failed and had to be sent again. "
            "A request that was answered is never sent again."
        )
    planned = sum(len(one.trial_set.trials) for one in found)
    if missing := planned - sum(len(one.results) for one in found):
        yield f"Not done, or not counted: {missing:,} of {_count(planned, 'trial')}."


def json_lines(plan: BenchPlan, found: Iterable[BoardScore]) -> Iterator[str]:
    """Yield a JSON line for each trial, and one for each score."""
    for score in found:
        where = _place(plan, score.trial_set)
        for result in score.results:
            yield json.dumps({"type": "trial", **where, **result.as_json()}) + "\n"
        yield json.dumps({"type": "score", **where, **score.as_json()}) + "\n"


def as_page(plan: BenchPlan, found: Sequence[BoardScore]) -> str:
    """Return the results as a page that needs no other files."""
    rows = [_HEADINGS, *map(_cells, found)]
    figures = _table([row[: -len(OUTCOMES)] for row in rows])
    outcomes = _table([(*row[:_LEFT], *row[-len(OUTCOMES) :]) for row in rows])
    said = "".join(f"<li>{escape(note)}</li>" for note in notes(plan, found))
    charts = "".join(
        f"<h2>{escape(key)}</h2>{_chart([one for one in found if one.game.book.key == key])}"
        for key in dict.fromkeys(one.game.book.key for one in found)
    )
    return page(
        title(plan),
        f"""{figures}
<ul>{said}</ul>
{charts}
<p>Dots with lines: the share of trials that the model won, with its 95% interval. Hollow dots:
with the legal moves in the prompt. Dashed line: the greedy player. Dotted line: chance.</p>
<h2>Outcomes</h2>
{outcomes}
""",
    )


def _place(plan: BenchPlan, trial_set: TrialSet) -> dict[str, Any]:
    return {
        "model": plan.model.name,
        "mode": plan.mode,
        "game": trial_set.game.book.key,
        "board": trial_set.game.board,
        "legal_moves": "listed" if trial_set.is_listed else "hidden",
        "seed": plan.seed,
    }


def _cells(score: BoardScore) -> tuple[str, ...]:
    low, high = score.interval
    share, floors = score.share, score.floors
    return (
        score.game.book.key,
        score.game.board,
        "listed" if score.trial_set.is_listed else "hidden",
        f"{len(score.results):,}",
        "-" if share is None else _percent(share),
        "-" if share is None else f"{_percent(low)} … {_percent(high)}",
        "-" if floors is None else _percent(floors.chance),
        "-" if floors is None else _percent(floors.greedy),
        *(f"{score.counts[outcome]:,}" for outcome in OUTCOMES),
    )


def _percent(share: float) -> str:
    return f"{share:.1%}"


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def _table(rows: Sequence[Sequence[str]]) -> str:
    first, *others = rows
    lines = [_row("th", first), *(_row("td", row) for row in others)]
    body = "".join(f"<tr>{line}</tr>" for line in lines)
    return f'<div class="wide"><table>{body}</table></div>'


def _row(tag: str, cells: Iterable[str]) -> str:
    return "".join(f"<{tag}>{escape(cell)}</{tag}>" for cell in cells)


_LEFT_EDGE, _TOP, _HEIGHT, _WIDTH = 60, 15, 200, 690


def _chart(found: Sequence[BoardScore]) -> str:
    """Return a chart of the scores of a game over its boards."""
    boards = [*dict.fromkeys(one.game.board for one in found)]
    across = {
        board: _LEFT_EDGE + _WIDTH * (2 * at + 1) / (2 * len(boards))
        for at, board in enumerate(boards)
    }
    body = "".join(
        f'<path class="axis" d="M{_LEFT_EDGE} {_up(tick):.0f}h{_WIDTH}"/>'
        f'<text x="{_LEFT_EDGE - 8}" y="{_up(tick) + 5:.0f}" text-anchor="end">{tick:.0%}</text>'
        for tick in (0.0, 0.5, 1.0)
    )
    body += "".join(
        f'<text x="{x:.0f}" y="{_TOP + _HEIGHT + 22}" text-anchor="middle">{escape(board)}</text>'
        for board, x in across.items()
    )
    seen = {one.game.board: one.floors for one in found if one.floors is not None}
    for name, style in (("chance", "floor"), ("greedy", "floor far")):
        points = [(across[board], _up(getattr(floor, name))) for board, floor in seen.items()]
        line = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        body += f'<polyline class="{style}" points="{line}"/>'
    for one in found:
        if one.share is not None:
            shift = 8 if one.trial_set.is_listed else -8
            low, high = one.interval
            x, style = across[one.game.board] + shift, "ring" if one.trial_set.is_listed else "dot"
            body += (
                f'<path class="reach" d="M{x:.1f} {_up(low):.1f}V{_up(high):.1f}"/>'
                f'<circle class="{style}" cx="{x:.1f}" cy="{_up(one.share):.1f}" r="5"/>'
            )
    label = "The share of trials won on each board, with chance and greedy"
    height = _TOP + _HEIGHT + 35
    svg = f'<svg viewBox="0 0 770 {height}" role="img" aria-label="{label}">{body}</svg>'
    return f'<div class="wide">{svg}</div>'


def _up(share: float) -> float:
    return _TOP + _HEIGHT * (1 - share)
