"""Show a recorded game."""

from pathlib import Path

import click

from divisorduel.cli.options import FILE

ORDER = 40


@click.command("replay")
@click.argument("file", type=FILE)
@click.option("--game", "number", type=click.IntRange(min=1), help="Number of the game in FILE.")
@click.option("--print", "at_once", is_flag=True, help="Print everything at once.")
def command(file: Path, number: int | None, at_once: bool) -> None:
    """Show the games in FILE: move by move on a terminal, otherwise all at once."""
    from divisorduel.store.match_files import chosen_records
    from divisorduel.terminal.plain.replay_view import show_all, step_through
    from divisorduel.terminal.terminal import system_terminal

    terminal = system_terminal()
    chosen = chosen_records(file, number)
    if at_once or not terminal.interactive:
        show_all(terminal, chosen)
    else:
        step_through(terminal, chosen)
