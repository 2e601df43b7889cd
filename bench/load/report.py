"""The report, in Markdown."""

import os
import platform
from collections.abc import Mapping
from dataclasses import dataclass, field

from bench.load.driver import MAX_P99, MIN_ACKNOWLEDGED, Measurement
from bench.load.scripted_games import MOVES, OPENING, TO

BASELINE = "boardgame-memory"
TARGET_RATIO = 1.5
"""How many times the rate of the baseline our server with SQLite should reach."""

HEAD = """\
# Load

How many moves our server sustains, compared with [boardgame.io](https://boardgame.io). Written by
`scripts/load --keep`. The same driver plays the same games on every server, on the same machine in
the same run.
"""

NOTES = f"""\
- **Games**: `chain` 2-{TO} with the opening rule `{OPENING}`. A game lasts {MOVES.start} to
  {MOVES.stop - 1} moves and is followed by a rematch. Both players are connected.
- **Times** run from when a move is due, not from when it is sent, until the server acknowledges it.
  The opponent must also have received it.
- **A rate is sustained** if a run of {{seconds:g}} s has no errors and at least
  {MIN_ACKNOWLEDGED:.0%} of the moves are acknowledged in time.
- **Durability**: our server acknowledges a move when it is safe in the database. boardgame.io tells
  the players before it writes, and does not wait for the disk.
- **Cores**: kept busy by the server, the driver, and everything else. All share the machine.
"""


@dataclass
class Outcome:
    """The measurements of one system, one per pass."""

    title: str = ""
    steady: list[Measurement] = field(default_factory=list)
    highest: list[Measurement | None] = field(default_factory=list)

    @property
    def worst_steady(self) -> Measurement:
        """The pass with the worst 99th percentile at one move per second."""
        return max(self.steady, key=lambda measurement: measurement.p99)

    @property
    def best(self) -> Measurement | None:
        """The best pass: noise only lowers the rate."""
        sustained = [measurement for measurement in self.highest if measurement]
        return max(sustained, key=lambda measurement: measurement.rate, default=None)


def describe(title: str, measurement: Measurement) -> str:
    """Describe a measurement in one line."""
    verdict = "sustained" if measurement.sustained else "missed"
    if measurement.stopped_early:
        verdict = "stopped early"
    line = (
        f"{title}: {measurement.rate:,.0f} moves per second: {verdict}; "
        f"{measurement.achieved:,.0f} acknowledged, p50 {_ms(measurement.p50)}, "
        f"p99 {_ms(measurement.p99)}, longest {_ms(measurement.longest)}; "
        f"cores of server, driver, others: {_cores(measurement)}"
    )
    if measurement.errors:
        line += f"; {len(measurement.errors)} errors, the first: {measurement.errors[0]}"
    return line


def report(outcomes: Mapping[str, Outcome], games: int, seconds: float) -> str:
    """Return the report as Markdown."""
    return "\n".join(
        [
            HEAD,
            f"## {games:,} games in progress, one move per second in each",
            "",
            *_steady(outcomes),
            "",
            f"## The highest rate with a 99th percentile under {_ms(MAX_P99)}",
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
        "| server | moves per second | p50 | p99 | longest | errors | cores |",
        "|---|---|---|---|---|---|---|",
    ]
    for outcome in outcomes.values():
        worst = outcome.worst_steady
        lines.append(
            f"| {outcome.title} | {worst.achieved:,.0f} | {_ms(worst.p50)} | {_ms(worst.p99)} | "
            f"{_ms(worst.longest)} | {len(worst.errors)} | {_cores(worst)} |"
        )
    return lines


def _highest(outcomes: Mapping[str, Outcome]) -> list[str]:
    lines = [
        "| server | moves per second | p50 | p99 | against in memory | each pass | cores |",
        "|---|---|---|---|---|---|---|",
    ]
    for outcome in outcomes.values():
        best, ratio = outcome.best, _ratio(outcome, outcomes)
        if best is None:
            lines.append(f"| {outcome.title} | none sustained | | | | | |")
            continue
        passes = ", ".join(f"{each.rate:,.0f}" if each else "none" for each in outcome.highest)
        lines.append(
            f"| {outcome.title} | {best.rate:,.0f} | {_ms(best.p50)} | {_ms(best.p99)} | "
            f"{f'{ratio:.1f} times' if ratio else ''} | {passes} | {_cores(best)} |"
        )
    return lines


def _verdict(outcomes: Mapping[str, Outcome]) -> list[str]:
    if "sqlite" not in outcomes or (ratio := _ratio(outcomes["sqlite"], outcomes)) is None:
        return []
    target = f"Target: with SQLite at least {TARGET_RATIO:g} times boardgame.io in memory"
    return [f"{target}. {'Met' if ratio >= TARGET_RATIO else '**Missed**'}: {ratio:.1f} times.", ""]


def _ratio(outcome: Outcome, outcomes: Mapping[str, Outcome]) -> float | None:
    baseline = outcomes[BASELINE].best if BASELINE in outcomes else None
    return outcome.best.rate / baseline.rate if outcome.best and baseline else None


def _cores(measurement: Measurement) -> str:
    cores = measurement.server_cpu, measurement.driver_cpu, measurement.others_cpu
    return ", ".join(f"{each:.2f}" for each in cores)


def _ms(seconds: float) -> str:
    return f"{seconds * 1000:,.0f} ms"
