"""Play many games at once on our server and on boardgame.io, and report the rates they sustain."""

import argparse
import asyncio
import signal
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import uvloop

from bench.load.boardgameio import BoardgameIo, install
from bench.load.driver import LoadDriver, Measurement
from bench.load.our_server import OurServer
from bench.load.prerequisites import missing_prerequisites
from bench.load.processes import ServerError
from bench.load.rate_search import attempt, highest_rate
from bench.load.report import Outcome, describe, report
from bench.load.scripted_games import long_games
from bench.load.system import System

NAMES = ("sqlite", "postgresql", "boardgame-memory", "boardgame-flatfile")
WARM_UP_SECONDS = 5.0
"""How long to play before measuring."""
INSTALL_FOLDER = Path(sys.prefix) / "load"
"""Where to install boardgame.io: inside the virtual environment."""


def main() -> None:
    """Measure the systems named on the command line, by default all."""
    parser = argparse.ArgumentParser(prog="scripts/load", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"one of {', '.join(NAMES)}")
    parser.add_argument(
        "--keep", action="store_true", help="write the report to bench/load/RESULTS.md"
    )
    parser.add_argument("--games", type=int, default=500, help="games in progress at once")
    parser.add_argument(
        "--steady", type=float, default=20, help="seconds to play one move per second in each game"
    )
    parser.add_argument("--step", type=float, default=8, help="seconds to play at each rate")
    parser.add_argument(
        "--passes", type=int, default=2, help="how many times to measure each system"
    )
    options = parser.parse_args()
    if unknown := set(options.names) - set(NAMES):
        parser.error(f"unknown system: {', '.join(sorted(unknown))}")
    names = [name for name in NAMES if not options.names or name in options.names]
    if problems := missing_prerequisites(names, options.games):
        sys.exit("\n".join(problems))
    try:
        outcomes = uvloop.run(measure(names, options))
    except (asyncio.CancelledError, KeyboardInterrupt):
        sys.exit("Stopped.")
    if not all(outcome.highest for outcome in outcomes.values()):
        sys.exit("Some systems could not be measured. The lines above say why.")
    text = report(outcomes, options.games, options.step)
    print("\n" + text)
    if options.keep:
        Path(__file__).with_name("RESULTS.md").write_text(text)


async def measure(names: Sequence[str], options: argparse.Namespace) -> dict[str, Outcome]:
    """Measure all systems in each pass, reversing the order every other pass."""
    task = asyncio.current_task()
    assert task is not None
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)
    games = long_games(options.games)
    outcomes = {name: Outcome() for name in names}
    for at in range(options.passes):
        for name in names if at % 2 == 0 else reversed(names):
            try:
                await measure_system(make_system(name), games, options, outcomes[name])
            except ServerError as error:
                print(error, file=sys.stderr)
    return outcomes


def make_system(name: str) -> System:
    """Return the system with this name."""
    if name in ("sqlite", "postgresql"):
        return OurServer(postgresql=name == "postgresql")
    return BoardgameIo(
        install(INSTALL_FOLDER / "boardgame"), flat_file=name == "boardgame-flatfile"
    )


async def measure_system(
    system: System,
    games: Sequence[tuple[int, ...]],
    options: argparse.Namespace,
    outcome: Outcome,
) -> None:
    """Start a system, measure it, and stop it."""

    def report_measurement(measurement: Measurement) -> None:
        print(describe(system.title, measurement), flush=True)

    with tempfile.TemporaryDirectory(prefix="duel-load-") as folder:
        Path(folder).chmod(0o711)  # PostgreSQL may run as another user
        driver = LoadDriver(system, games, options.games)
        try:
            await system.start(Path(folder))
            await driver.play(options.games / 2, WARM_UP_SECONDS)
            steady = await attempt(driver, options.games, options.steady, report_measurement)
            highest = await highest_rate(
                driver, options.games * 2, options.step, report_measurement
            )
        finally:
            driver.close()
            system.stop()
    outcome.title = system.title
    outcome.steady.append(steady)
    outcome.highest.append(highest or (steady if steady.sustained else None))


if __name__ == "__main__":
    main()
