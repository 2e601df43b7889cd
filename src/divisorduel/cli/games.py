"""List the games and their boards."""

import click

ORDER = 120


@click.command("games")
def command() -> None:
    """List the games: the board of each, what a move is, and what a wrong number costs.

    The first column is the name that other commands take as GAME.
    """
    from divisorduel.rules.catalogue import problems
    from divisorduel.terminal.plain.game_list import show_games
    from divisorduel.terminal.terminal import system_terminal

    show_games(system_terminal())
    for problem in problems():
        click.echo(problem, err=True)
