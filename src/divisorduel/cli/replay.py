"""Show a saved game."""

import click

from divisorduel.cli.options import WholeNumber

ORDER = 40


@click.command("replay")
@click.argument("saved", metavar="[GAME]", default="last")
@click.option(
    "--game",
    "number",
    type=WholeNumber(min=1),
    help="Show only this game of the file; 1 is the first.",
)
@click.option("--print", "at_once", is_flag=True, help="Print all moves at once.")
def command(saved: str, number: int | None, at_once: bool) -> None:
    """Show GAME: a number or an id from "duel history", "last", or a file.

    Without GAME, show the last game you played. On a terminal, press Enter for each move. Otherwise
    all moves are printed at once. If a file's name is a number, include its folder, for example
    ./3.
    """
    from divisorduel.store.history import History
    from divisorduel.store.match_files import chosen_records
    from divisorduel.terminal.plain.replay_view import show_all, step_through
    from divisorduel.terminal.terminal import system_terminal

    terminal = system_terminal()
    path, _ = History.of_user().locate(saved, none="You have no games yet.")
    chosen = chosen_records(path, number)
    if at_once or not terminal.interactive:
        show_all(terminal, chosen)
    else:
        step_through(terminal, chosen)
