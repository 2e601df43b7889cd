"""Attack the program and the server on this machine, and print what was tried and what failed."""

import argparse
import shutil
import sys
import tempfile
import time
from pathlib import Path

from attack.campaign import Context, Failure, minutes_of, names, run

SECONDS_BETWEEN_LINES = 30.0
"""How often progress is printed if it is not on a terminal."""
MOST_SHOWN = 20
"""How many failures of a campaign are described."""
INTERRUPTED = 130


def main() -> int:
    """Run the campaigns named on the command line, by default all; return the exit status."""
    options = _parser().parse_args()
    if unknown := set(options.names) - set(names()):
        _parser().error(f"unknown campaign: {', '.join(sorted(unknown))}")
    rows = ["| campaign | tried | failed | time |", "|---|---:|---:|---:|"]
    notes: list[str] = []
    failures: list[Failure] = []
    status = 0
    for name in options.names or names():
        began = time.monotonic()
        context = _context(name, options.minutes, options.seed)
        try:
            run(context)
        except KeyboardInterrupt:
            context.note("This campaign was interrupted.")
            status = INTERRUPTED
        _clean_up(context)
        seconds, failed = time.monotonic() - began, len(context.failures)
        _show(context, seconds, "\n")
        rows.append(f"| {name} | {context.tried:,} | {failed:,} | {seconds:,.0f} s |")
        notes += [f"{name}: {note}" for note in context.notes]
        failures += context.failures[:MOST_SHOWN]
        if status == INTERRUPTED:
            break
    print("\n".join(["", *rows, "", *notes, *map(str, failures)]))
    return status or int(bool(failures))


def _parser() -> argparse.ArgumentParser:
    purposes = names()
    width = max(map(len, purposes), default=0)
    listed = "\n".join(f"  {name:{width}}  {purpose}" for name, purpose in purposes.items())
    parser = argparse.ArgumentParser(
        prog="scripts/attack",
        description=__doc__,
        epilog=f"campaigns:\n{listed}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help="campaigns to run; all by default")
    parser.add_argument(
        "--minutes", type=float, metavar="N", help="stop each campaign after N minutes"
    )
    parser.add_argument(
        "--seed", type=int, default=1, metavar="S", help="seed for random choices (1)"
    )
    return parser


def _context(name: str, minutes: float | None, seed: int) -> Context:
    """Return the context for the full form of a campaign."""
    began = time.monotonic()
    end = began + 60 * (minutes_of(name) if minutes is None else minutes)
    scratch = Path(tempfile.mkdtemp(prefix=f"duel-attack-{name}-"))
    return Context(name, seed, scratch, end, on_progress=_Progress(began))


def _clean_up(context: Context) -> None:
    """Remove the files of a campaign, unless they show what has failed."""
    if context.failures:
        context.note(f"The files are kept in {context.scratch}.")
    else:
        shutil.rmtree(context.scratch, ignore_errors=True)


class _Progress:
    """Shows how far a campaign is: on a terminal at once, elsewhere now and then."""

    def __init__(self, began: float) -> None:
        self._began = self._shown = began
        self._failures = 0

    def __call__(self, context: Context) -> None:
        now = time.monotonic()
        for failure in context.failures[self._failures : MOST_SHOWN]:
            print(failure, flush=True)
        self._failures = len(context.failures)
        is_terminal = sys.stdout.isatty()
        if now - self._shown >= (0.2 if is_terminal else SECONDS_BETWEEN_LINES):
            self._shown = now
            _show(context, now - self._began, "\r" if is_terminal else "\n")


def _show(context: Context, seconds: float, end: str) -> None:
    failed = len(context.failures)
    line = f"{context.campaign}: {context.tried:,} tried, {failed:,} failed, {seconds:,.0f} s"
    print(f"{line:60}", end=end, flush=True)


if __name__ == "__main__":
    sys.exit(main())
