"""Plays many games at once on our server and on boardgame.io's, and prints what they can hold.

With --keep the tables are kept in bench/load/RESULTS.md, too.
"""

import argparse
import asyncio
import signal
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import uvloop

from bench.load.boardgameio import BoardgameIo, install
from bench.load.driver import Hall, Step
from bench.load.our_server import Ours
from bench.load.prerequisites import missing
from bench.load.processes import ServerError
from bench.load.rate_search import attempt, highest_rate
from bench.load.report import Outcome, report, told
from bench.load.scripted_games import long_games
from bench.load.system import System

NAMES = ("sqlite", "postgresql", "boardgame-memory", "boardgame-flatfile")
WARMING = 5.0
"""So many seconds are played before anything is measured."""
CACHE = Path(sys.prefix) / "load"
"""boardgame.io is installed here, in the project's own environment."""


def main() -> None:
    """Measure whatever was asked for, by default everything."""
    words = argparse.ArgumentParser(prog="scripts/load", description=__doc__)
    words.add_argument("names", nargs="*", metavar="NAME", help=f"one of {', '.join(NAMES)}")
    words.add_argument("--keep", action="store_true", help="write bench/load/RESULTS.md")
    words.add_argument("--games", type=int, default=500, help="games in progress at once")
    words.add_argument("--steady", type=float, default=20, help="seconds of a move a second a game")
    words.add_argument("--step", type=float, default=8, help="seconds of each rate that is tried")
    words.add_argument("--passes", type=int, default=2, help="how often everything is measured")
    asked = words.parse_args()
    if unknown := set(asked.names) - set(NAMES):
        words.error(f"there is no system called {', '.join(sorted(unknown))}")
    names = [name for name in NAMES if not asked.names or name in asked.names]
    if lacks := missing(names, asked.games):
        sys.exit("\n".join(lacks))
    try:
        outcomes = uvloop.run(measure(names, asked))
    except (asyncio.CancelledError, KeyboardInterrupt):
        sys.exit("Stopped.")
    if not all(outcome.highest for outcome in outcomes.values()):
        sys.exit("Not everything could be measured; the lines above say why.")
    text = report(outcomes, asked.games, asked.step)
    print("\n" + text)
    if asked.keep:
        Path(__file__).with_name("RESULTS.md").write_text(text)


async def measure(names: Sequence[str], asked: argparse.Namespace) -> dict[str, Outcome]:
    """Measure the systems in turns, every other pass the other way round."""
    task = asyncio.current_task()
    assert task is not None
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)
    games = long_games(asked.games)
    outcomes = {name: Outcome() for name in names}
    for at in range(asked.passes):
        for name in names if at % 2 == 0 else reversed(names):
            try:
                await visit(make(name), games, asked, outcomes[name])
            except ServerError as error:
                print(error, file=sys.stderr)
    return outcomes


def make(name: str) -> System:
    """Return the system of that name."""
    if name in ("sqlite", "postgresql"):
        return Ours(postgresql=name == "postgresql")
    return BoardgameIo(install(CACHE / "boardgame"), flat_file=name == "boardgame-flatfile")


async def visit(
    system: System,
    games: Sequence[tuple[int, ...]],
    asked: argparse.Namespace,
    outcome: Outcome,
) -> None:
    """Start a system, measure both things, and stop it."""

    def tell(step: Step) -> None:
        print(told(system.title, step), flush=True)

    with tempfile.TemporaryDirectory(prefix="duel-load-") as folder:
        Path(folder).chmod(0o711)  # PostgreSQL, which runs as somebody else, must get through
        hall = Hall(system, games, asked.games)
        try:
            await system.start(Path(folder))
            await hall.play(asked.games / 2, WARMING)
            steady = await attempt(hall, asked.games, asked.steady, tell)
            highest = await highest_rate(hall, asked.games * 2, asked.step, tell)
        finally:
            hall.close()
            system.stop()
    outcome.title = system.title
    outcome.steady.append(steady)
    outcome.highest.append(highest or (steady if steady.held else None))


if __name__ == "__main__":
    main()
