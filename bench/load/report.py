"""What was measured, in words and tables."""

import os
import platform
from collections.abc import Mapping
from dataclasses import dataclass, field

from bench.load.driver import BOUND, SHARE, Step
from bench.load.scripted_games import MOVES, OPENING, TO

YARDSTICK = "boardgame-flatfile"
AIM = 2.0
"""With SQLite we hold at least so many times the yardstick's rate."""

HEAD = """\
# Load

Written by `scripts/load --keep`. The same driver plays the same games on every server, on the same
machine in the same run.
"""

NOTES = f"""\
`chain` 2-{TO} opening {OPENING}; a game lasts {MOVES.start} to {MOVES.stop - 1} moves, then the two
go on in a fresh one, by the rematch that each server offers. Both players of each game are
connected. Times run from when a move is due, not from when it is sent, until the server
acknowledges it to whoever moved; the opponent must hear of it, too. A rate is held for
{{seconds:g}} s, with at least {SHARE:.0%} of its moves acknowledged in time and without an error.
Ours acknowledges a move when it is safe in the database; boardgame.io tells the players of it
before it is written, and does not wait for the disk. Cores are those that the server, the driver
and everything else on the machine kept busy: all share them.
"""


@dataclass
class Outcome:
    """What was measured of one system, once in each pass."""

    title: str = ""
    steady: list[Step] = field(default_factory=list)
    highest: list[Step | None] = field(default_factory=list)

    @property
    def worst_steady(self) -> Step:
        """The pass in which a move a second took longest."""
        return max(self.steady, key=lambda step: step.p99)

    @property
    def best(self) -> Step | None:
        """The highest rate of all passes: noise only takes away."""
        held = [step for step in self.highest if step]
        return max(held, key=lambda step: step.rate, default=None)


def told(title: str, step: Step) -> str:
    """Return a step as a line."""
    verdict = "held" if step.held else "given up" if step.early else "not held"
    words = (
        f"{title}: {step.rate:,.0f} moves a second: {verdict}; {step.achieved:,.0f} acknowledged, "
        f"p50 {_ms(step.p50)}, p99 {_ms(step.p99)}, longest {_ms(step.longest)}; "
        f"cores of server, driver, others: {_cores(step)}"
    )
    if step.troubles:
        words += f"; {len(step.troubles)} errors, the first: {step.troubles[0]}"
    return words


def report(outcomes: Mapping[str, Outcome], games: int, seconds: float) -> str:
    """Return the report as Markdown."""
    return "\n".join(
        [
            HEAD,
            f"## {games:,} games in progress, a move a second in each",
            "",
            *_steady(outcomes),
            "",
            f"## The highest rate at which the 99th percentile stays under {_ms(BOUND)}",
            "",
            *_highest(outcomes),
            "",
            *_verdict(outcomes),
            NOTES.format(seconds=seconds),
            f"Python {platform.python_version()}, {platform.machine()}, {os.cpu_count()} cores.\n",
        ]
    )


def _steady(outcomes: Mapping[str, Outcome]) -> list[str]:
    lines = [
        "| server | moves a second | p50 | p99 | longest | errors | cores |",
        "|---|---|---|---|---|---|---|",
    ]
    for outcome in outcomes.values():
        step = outcome.worst_steady
        lines.append(
            f"| {outcome.title} | {step.achieved:,.0f} | {_ms(step.p50)} | {_ms(step.p99)} | "
            f"{_ms(step.longest)} | {len(step.troubles)} | {_cores(step)} |"
        )
    return lines


def _highest(outcomes: Mapping[str, Outcome]) -> list[str]:
    lines = [
        "| server | moves a second | p50 | p99 | against FlatFile | each pass | cores |",
        "|---|---|---|---|---|---|---|",
    ]
    for outcome in outcomes.values():
        step, ratio = outcome.best, _ratio(outcome, outcomes)
        if step is None:
            lines.append(f"| {outcome.title} | none held | | | | | |")
            continue
        passes = ", ".join(f"{each.rate:,.0f}" if each else "none" for each in outcome.highest)
        lines.append(
            f"| {outcome.title} | {step.rate:,.0f} | {_ms(step.p50)} | {_ms(step.p99)} | "
            f"{f'{ratio:.1f} times' if ratio else ''} | {passes} | {_cores(step)} |"
        )
    return lines


def _verdict(outcomes: Mapping[str, Outcome]) -> list[str]:
    if "sqlite" not in outcomes or (ratio := _ratio(outcomes["sqlite"], outcomes)) is None:
        return []
    reached = "yes" if ratio >= AIM else "**no**"
    words = f"With SQLite at least {AIM:g} times the rate of boardgame.io with FlatFile: {reached}"
    return [f"{words}, {ratio:.1f} times.", ""]


def _ratio(outcome: Outcome, outcomes: Mapping[str, Outcome]) -> float | None:
    yardstick = outcomes[YARDSTICK].best if YARDSTICK in outcomes else None
    return outcome.best.rate / yardstick.rate if outcome.best and yardstick else None


def _cores(step: Step) -> str:
    return f"{step.server_cpu:.2f}, {step.driver_cpu:.2f}, {step.others_cpu:.2f}"


def _ms(seconds: float) -> str:
    return f"{seconds * 1000:,.0f} ms"
