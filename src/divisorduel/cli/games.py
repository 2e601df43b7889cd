"""List the games and their boards."""

import click

ORDER = 120


@click.command("games")
def command() -> None:
    """List the games: their titles, their boards, and what a move is."""
    from divisorduel.rules.catalogue import problems
    from divisorduel.terminal.plain.game_list import game_list, game_table
    from divisorduel.terminal.terminal import system_terminal

    terminal = system_terminal()
    if (terminal.width or 80) < 70:
        terminal.show(game_list())
    else:
        from rich.console import Console

        Console(width=terminal.width, highlight=False).print(game_table())
    for problem in problems():
        click.echo(problem, err=True)
