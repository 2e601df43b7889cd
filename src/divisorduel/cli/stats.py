"""Show your results: games, wins, winning positions kept."""

import click

from divisorduel.cli.options import seconds

ORDER = 55


@click.command("stats")
@click.option(
    "--budget",
    type=seconds,
    default=0.5,
    help="Time limit for judging games that have not been judged yet.",
)
def command(budget: float) -> None:
    """Show your results against the computer: by game, by board and by opponent.

    A winning position is one in which you can win, whatever your opponent does. You keep it if you
    can still win after your move.
    """
    from divisorduel.terminal.plain.history_list import show_stats
    from divisorduel.terminal.terminal import system_terminal

    show_stats(system_terminal(), seconds=budget)
