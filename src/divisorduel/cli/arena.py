"""Let players and engines play each other, and rate them."""

from collections.abc import Callable
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import click

from divisorduel.cli.main import INTERRUPTED
from divisorduel.cli.options import (
    FILE,
    OUTPUT,
    THREADS,
    GameKey,
    PlayerOption,
    WholeNumber,
    board_options,
    check_plays,
    chosen_position,
    naming_engine,
    seconds,
)
from divisorduel.play.players import BOT, HUMAN, Judge

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable

    from divisorduel.bots.arena.arena_game import GameResult
    from divisorduel.bots.arena.run import ArenaRun, GameJob
    from divisorduel.bots.arena.schedule import Contestant
    from divisorduel.lab.executors.executor import Executor

ORDER = 114


@click.command("arena")
@click.argument("game", type=GameKey())
@board_options
@click.option(
    "--player",
    "players",
    type=PlayerOption(),
    multiple=True,
    metavar="PLAYER",
    help="A player: random, greedy, perfect, a level from 1 to 10, or bot:COMMAND. Give at least "
    "two.",
)
@click.option(
    "--gauntlet", is_flag=True, help="Play only the first player against each of the others."
)
@click.option(
    "--pairs",
    type=WholeNumber(1, 100_000),
    default=50,
    help="Starting positions for each pairing; each is played twice, with sides swapped.",
)
@click.option("--seed", type=int, default=0, help="The same seed repeats the tournament.")
@click.option("--budget", type=seconds, default=1.0, help="Seconds for each move.")
@click.option("--anchor", metavar="NAME", help="Player whose rating is 0; the first by default.")
@click.option(
    "--sprt",
    nargs=2,
    type=float,
    metavar="ELO0 ELO1",
    help="With two players: stop once it is clear whether the first is stronger by ELO1, or only "
    "by ELO0.",
)
@click.option("--jobs", type=THREADS, help="Games to play at the same time; 1 by default.")
@click.option("--cluster", metavar="ADDRESS", help="Dask scheduler whose workers play the games.")
@click.option(
    "--output",
    type=FILE,
    help="File for the results; to continue after a stop, run the same command again.",
)
@click.option("--records", type=OUTPUT, help="File for the games as records.")
@click.option("--html", type=OUTPUT, help="File for a report.")
@click.option("--force", is_flag=True, help="Replace a --records or --html file that exists.")
@click.pass_context
def command(
    ctx: click.Context,
    /,
    game: str,
    players: tuple[str, ...],
    gauntlet: bool,
    pairs: int,
    seed: int,
    budget: float,
    anchor: str | None,
    sprt: tuple[float, float] | None,
    jobs: int | None,
    cluster: str | None,
    output: Path | None,
    records: Path | None,
    html: Path | None,
    force: bool,
    **board: int | str | None,
) -> None:
    """Let players and engines play GAME against each other, and rate them.

    Every starting position has a proven winner and is played twice, with sides swapped. Every move
    is graded exactly: regret is how often a player gave a win away, among the moves
    where that was possible.
    """
    from divisorduel.bots.arena.openings import openings
    from divisorduel.bots.arena.run import ArenaRun
    from divisorduel.bots.arena.schedule import Schedule
    from divisorduel.bots.arena.sprt import Sprt
    from divisorduel.record.writer import write_records
    from divisorduel.store.output import check_output, is_standard_output, write_output

    _check_players(players, sprt)
    if cluster and jobs:
        raise click.UsageError("A cluster has its own workers; drop --jobs.")
    chosen, _ = chosen_position(game, None, board)
    contestants = _contestants(players, chosen.book.key)
    names = [contestant.name for contestant in contestants]
    if anchor is not None and anchor not in names:
        raise click.UsageError(f"No player is called {anchor!r}. Use one of: {', '.join(names)}.")
    rng = Random(f"{seed} {game} {chosen.board}")  # noqa: S311  # a game, not a secret
    schedule = Schedule(
        contestants,
        openings(chosen, pairs, rng, Judge()),
        "gauntlet" if gauntlet else "round-robin",
        seed,
        budget,
    )
    run = ArenaRun(schedule, Sprt(*sprt) if sprt else None)
    for result in (records, html):
        if result:
            check_output(result, force=force)
    is_interrupted = _play(run, output, jobs or 1, cluster)
    is_shown = not any(result and is_standard_output(result) for result in (records, html))
    page = _report(run, names.index(anchor) if anchor else 0, is_shown=is_shown)
    if is_interrupted:
        again = "Run the same command again to continue."
        advice = again if output else "To be able to continue, use --output."
        click.echo(f"Stopped. {advice}", err=True)
        ctx.exit(INTERRUPTED)
    if html and page:
        write_output(html, page(f"Arena: {game} {chosen.board}"), force=force)
    if records:
        write_output(records, write_records(run.records()), force=force)


def _check_players(players: tuple[str, ...], sprt: tuple[float, float] | None) -> None:
    if HUMAN in players or len(players) < 2:
        raise click.UsageError(
            "A tournament needs two or more players other than human: --player perfect --player 5"
        )
    if sprt and (len(players) != 2 or sprt[0] >= sprt[1]):
        raise click.UsageError("--sprt needs exactly two players, and ELO0 below ELO1.")


def _report(run: "ArenaRun", anchor: int, *, is_shown: bool) -> Callable[[str], str] | None:
    """Show the standings. Return a function that makes a page of them with a title."""
    from divisorduel.bots.arena.report import as_page, text_lines
    from divisorduel.bots.arena.standings import standings
    from divisorduel.terminal.terminal import printable

    if not run.pairs:
        click.echo("No pair of games has been played.", err=True)
        return None
    found = standings(run, anchor)
    for line in text_lines(found) if is_shown else ():
        click.echo(printable(line))
    return partial(as_page, found)


def _contestants(players: tuple[str, ...], key: str) -> "tuple[Contestant, ...]":
    """Return the players with different names. Starts each engine once; raises `PlayerFault`."""
    from divisorduel.bots.arena.schedule import Contestant
    from divisorduel.bots.engine import Engine

    found: list[Contestant] = []
    for kind in players:
        name, command_line = kind, ""
        if kind.startswith("bot:"):
            command_line = kind.removeprefix("bot:")
            with naming_engine(command_line), Engine(command_line) as engine:
                name = engine.greeting.name
                check_plays(engine.greeting, key)
        taken = {other.name for other in found}
        names = (name, *(f"{name[:36]} {number}" for number in range(2, len(players) + 1)))
        free = next(one for one in names if one not in taken)
        found.append(Contestant(free, BOT if command_line else kind, command_line))
    return tuple(found)


def _play(run: "ArenaRun", output: Path | None, jobs: int, cluster: str | None) -> bool:
    """Play what is left of an arena, and return whether Ctrl-C stopped it."""
    from divisorduel.bots.arena.run import one_by_one, opened
    from divisorduel.terminal.progress import games_progress

    with ExitStack() as stack:
        file = stack.enter_context(opened(output)) if output else None
        if file is not None:
            for _ in run.add(file.open(run.schedule)):
                pass
        play: Any = one_by_one
        if cluster or jobs > 1:
            play = _through(stack.enter_context(_executor(cluster, jobs)))
        total = 2 * run.schedule.pairs
        try:
            with games_progress(total) as show:
                show(len(run.results), "")
                for _ in run.play(play, file):
                    show(len(run.results), "")
        except KeyboardInterrupt:
            return True
    return False


def _executor(cluster: str | None, jobs: int) -> "Executor":
    if cluster is not None:
        from divisorduel.lab.executors.dask_cluster import DaskExecutor

        return DaskExecutor(cluster)
    from divisorduel.lab.executors.local import LocalExecutor

    return LocalExecutor(jobs)


def _through(executor: "Executor") -> Any:
    """Return a function that plays games through an executor. It raises `ExecutorError`."""
    from divisorduel.lab.executors.executor import ExecutorError, Failure

    def play(jobs: "Iterable[GameJob]") -> "Generator[GameResult, None, None]":
        for job, answer in executor.run(jobs):
            if isinstance(answer, Failure):
                raise ExecutorError(f"Game {job.piece + 1} could not be played: {answer.reason}.")
            yield answer

    return play
