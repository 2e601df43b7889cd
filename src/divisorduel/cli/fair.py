"""``duel fair``."""

import click

from divisorduel.cli.options import GameKey
from divisorduel.installation import program
from divisorduel.rules.catalogue import rule_book
from divisorduel.rules.errors import BoardError
from divisorduel.rules.game import Trait

SHOWN = 15
SIZES = range(10, 31, 2)
NONE_FAIR = """\
Whoever faces a composite number wins at once by moving to a prime: no start is fair. For a longer
fight, agree not to move to a prime while another move is left; then three prime factors lose.
"""


@click.command("fair")
@click.argument("game", type=GameKey())
@click.option("--from", "low", type=click.IntRange(min=2), help="The smallest board to look at.")
@click.option("--to", "high", type=click.IntRange(min=2), help="The largest board to look at.")
def command(game: str, low: int | None, high: int | None) -> None:
    """List starts of GAME that leave both sides something to play for.

    For each board, opening rule and handicap: who wins under best play, by how many first moves,
    how long such a game lasts, and how many of the winner's first choices throw the win away.
    """
    from divisorduel.coach.fair_starts import fair_starts, usual_start
    from divisorduel.terminal.plain.game_list import start_lines
    from divisorduel.terminal.terminal import system_terminal

    terminal = system_terminal()
    if rule_book(game).trait is Trait.DIVISORS:
        terminal.say(" ".join(NONE_FAIR.split()) + "\n", "prose")
        return
    sizes = SIZES
    if low is not None or high is not None:
        sizes = range(low or 2, (high or low or 2) + 1)
        if not sizes:
            raise click.UsageError("--from is above --to.")
    try:
        starts = fair_starts(game, sizes)
    except BoardError as error:
        raise click.UsageError(str(error)) from None
    for said in start_lines(usual_start(game), starts[:SHOWN], program()):
        terminal.say(*said)
