"""Solve a puzzle: find the one move that wins."""

from datetime import datetime
from random import Random

import click

from divisorduel.cli.main import INTERRUPTED
from divisorduel.cli.options import (
    BoardCommand,
    GameKey,
    WholeNumber,
    board_options,
    chosen_position,
    seconds,
)
from divisorduel.coach.puzzles import LEVELS, puzzle
from divisorduel.rules.catalogue import must_be_given, rule_book, rule_book_keys
from divisorduel.rules.errors import in_seconds
from divisorduel.solve.budget import Budget
from divisorduel.terminal.plain.puzzle_prompt import pose
from divisorduel.terminal.progress import SearchProgress
from divisorduel.terminal.terminal import system_terminal

ORDER = 100


@click.command("puzzle", cls=BoardCommand)
@click.argument("game", type=GameKey(), required=False)
@board_options
@click.option(
    "--level",
    type=WholeNumber(LEVELS[0], LEVELS[-1]),
    help="Puzzle difficulty: 1 is easy, 5 is hard.",
)
@click.option("--seed", type=int, help="The same seed gives the same puzzle.")
@click.option("--daily", is_flag=True, help="Show the puzzle of the day, the same for everyone.")
@click.option("--budget", type=seconds, default=60, help="Time limit for the search.")
@click.pass_context
def command(
    ctx: click.Context,
    /,
    game: str | None,
    level: int | None,
    seed: int | None,
    daily: bool,
    budget: float,
    **board: int | str | None,
) -> None:
    """Solve a puzzle: find the one move that wins.

    Without GAME, duel chooses a game at random.
    """
    terminal = system_terminal()
    if daily and seed is not None:
        raise click.UsageError("--daily sets the seed; drop --seed.")
    seed = int(f"{datetime.now().astimezone():%Y%m%d}") if daily else seed
    rng = Random(seed)  # noqa: S311  # a game, not a secret
    key = game or rng.choice([key for key in rule_book_keys() if not must_be_given(key)])
    if why := rule_book(key).book.easy_win:
        raise click.UsageError(" ".join(f"{key} has no puzzles. {why}".split()))
    progress = SearchProgress()
    thinking = Budget(budget, on_progress=progress.show)
    with progress.stopping(thinking):
        found = puzzle(chosen_position(key, None, board)[0], rng, level, budget=thinking)
    if found is not None:
        ctx.exit(pose(terminal, found, level))
    if progress.interrupted:
        terminal.complain(f"Stopped. No {key} puzzle has been found so far.")
        ctx.exit(INTERRUPTED)
    within = f" in {in_seconds(budget)}" if thinking.is_over() else ""
    size = "a smaller board or a longer --budget" if within else "another board"
    raise click.UsageError(f"No {key} puzzle was found on this board{within}. Try {size}.")
