"""``duel fair``."""

import click

from divisorduel.cli.options import GameKey
from divisorduel.rules.errors import BoardError

SHOWN = 15
DEFAULT_SIZES = {"descent": range(12, 200, 12), "evens": range(20, 41, 2)}


@click.command("fair")
@click.argument("game", type=GameKey())
@click.option("--from", "low", type=click.IntRange(min=2), help="The smallest board to look at.")
@click.option("--to", "high", type=click.IntRange(min=2), help="The largest board to look at.")
@click.option("--seed", type=int, default=0, help="Makes chance repeatable.")
def command(game: str, low: int | None, high: int | None, seed: int) -> None:
    """List starts of GAME that leave both sides something to play for.

    For each board, opening rule and handicap: who wins under best play, by how many first moves,
    how long such a game lasts, and how many of the winner's first choices throw the win away.
    """
    from random import Random

    from divisorduel.coach.fair import fair_starts, usual_start
    from divisorduel.tui.listing import start_lines
    from divisorduel.tui.terminal import system_terminal

    terminal = system_terminal()
    sizes = DEFAULT_SIZES.get(game, range(10, 31, 2))
    if low is not None or high is not None:
        sizes = range(low or 2, (high or (low or 2)) + 1)
    try:
        starts = fair_starts(game, sizes, Random(seed))  # noqa: S311  # a game, not a secret
    except BoardError as error:
        raise click.UsageError(str(error)) from None
    usual = usual_start(game, Random(seed))  # noqa: S311
    for said in start_lines(usual, starts[:SHOWN]):
        terminal.say(*said)
