"""List starts that give both players a good game."""

import click

from divisorduel.cli.options import GameKey
from divisorduel.rules.catalogue import rule_book
from divisorduel.system import program

ORDER = 110
SHOWN = 15
SIZES = range(10, 31, 2)


@click.command("fair")
@click.argument("game", type=GameKey())
@click.option("--from", "low", type=click.IntRange(min=2), help="Smallest board to try.")
@click.option("--to", "high", type=click.IntRange(min=2), help="Largest board to try.")
def command(game: str, low: int | None, high: int | None) -> None:
    """List starts of GAME that give both players a good game.

    For each board, opening rule and handicap: who wins under best play, how many first moves win,
    how long a perfect game lasts, and how many of the winner's first choices lose.
    """
    from divisorduel.coach.fair_starts import fair_starts, usual_start
    from divisorduel.terminal.plain.game_list import start_lines
    from divisorduel.terminal.terminal import system_terminal

    terminal = system_terminal()
    if why := rule_book(game).book.easy_win:
        terminal.say(" ".join(f"No start of {game} is fair. {why}".split()) + "\n", "prose")
        return
    sizes = range(low or 2, (high or low or 2) + 1) if low or high else SIZES
    if not sizes:
        raise click.UsageError("--from is larger than --to.")
    starts = fair_starts(game, sizes)
    terminal.show(start_lines(usual_start(game), starts[:SHOWN], program()))
