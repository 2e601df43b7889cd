"""List starts that give both players a good game."""

import click

from divisorduel.cli.options import GameKey, WholeNumber
from divisorduel.rules.catalogue import rule_book
from divisorduel.system import program

ORDER = 110
SHOWN = 15
SIZES = range(10, 31, 2)


@click.command("fair")
@click.argument("game", type=GameKey())
@click.option(
    "--from",
    "low",
    type=WholeNumber(min=2),
    help="Start with the board up to this number.",
)
@click.option("--to", "high", type=WholeNumber(min=2), help="End with the board up to this number.")
def command(game: str, low: int | None, high: int | None) -> None:
    """List starts of GAME that give both players a good game.

    A start is a board, sometimes with a rule for the first number or with a number that is already
    taken. For each start you see who wins if both players play perfectly, how many first moves win,
    how long such a game lasts, and how easily the winner can go wrong. Without options, the boards
    up to 10, 12, 14 and so on to 30 are tried.
    """
    from divisorduel.coach.fair_starts import fair_starts, usual_start
    from divisorduel.terminal.plain.game_list import show_starts
    from divisorduel.terminal.terminal import system_terminal

    terminal = system_terminal()
    if why := rule_book(game).book.easy_win:
        terminal.say(" ".join(f"No start of {game} is fair. {why}".split()) + "\n", "prose")
        return
    sizes = range(low or 2, (high or low or 2) + 1) if low or high else SIZES
    if not sizes:
        raise click.UsageError("--from is larger than --to.")
    starts = fair_starts(game, sizes)
    show_starts(terminal, usual_start(game), starts[:SHOWN], program())
