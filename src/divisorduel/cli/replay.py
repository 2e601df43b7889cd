"""Show a saved game."""

from pathlib import Path

import click

from divisorduel.cli.options import FILE, WholeNumber

ORDER = 40


@click.command("replay")
@click.argument("file", type=FILE)
@click.option(
    "--game", "number", type=WholeNumber(min=1), help="Show only this game of FILE; 1 is the first."
)
@click.option("--print", "at_once", is_flag=True, help="Print all moves at once.")
def command(file: Path, number: int | None, at_once: bool) -> None:
    """Show the games in FILE.

    On a terminal, press Enter for each move. Otherwise all moves are printed at once.
    """
    from divisorduel.store.match_files import chosen_records
    from divisorduel.terminal.plain.replay_view import show_all, step_through
    from divisorduel.terminal.terminal import system_terminal

    terminal = system_terminal()
    chosen = chosen_records(file, number)
    if at_once or not terminal.interactive:
        show_all(terminal, chosen)
    else:
        step_through(terminal, chosen)
