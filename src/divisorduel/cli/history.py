"""List your games; export or delete some."""

from pathlib import Path

import click

from divisorduel.cli.options import OUTPUT, force_option

ORDER = 35


@click.group("history", invoke_without_command=True, subcommand_metavar="[COMMAND]")
@click.option("--all", "show_all", is_flag=True, help="List all games, not only the last 20.")
@click.option("--ids", is_flag=True, help="Show the ids of the games instead of the dates.")
@click.pass_context
def command(ctx: click.Context, show_all: bool, ids: bool) -> None:
    """List your games on this machine, most recent first.

    Each game has a number that stays the same. "duel review", "duel replay", "duel resume" and the
    commands below take it as GAME. They also take an id, or "last".
    """
    from divisorduel.terminal.plain.history_list import SHOWN, show_history
    from divisorduel.terminal.terminal import system_terminal

    if ctx.invoked_subcommand is None:
        show_history(system_terminal(), most=None if show_all else SHOWN, ids=ids)


@command.command("export")
@click.argument("saved", metavar="GAME")
@click.argument("file", type=OUTPUT, default="-")
@force_option
def export(saved: str, file: Path, force: bool) -> None:
    """Write GAME to FILE, or print it; - is standard output."""
    from divisorduel.store.history import History
    from divisorduel.store.output import is_standard_output
    from divisorduel.terminal.plain.history_list import found_games
    from divisorduel.terminal.terminal import system_terminal

    history = History.of_user()
    [entry] = found_games(history, [saved])
    history.export(entry, file, force=force)
    if not is_standard_output(file):
        system_terminal().say(f"Game {entry.number} written to {file}.\n")


@command.command("delete")
@click.argument("saved", nargs=-1, required=True, metavar="GAME...")
@click.option("--yes", is_flag=True, help="Delete without asking.")
def delete(saved: tuple[str, ...], yes: bool) -> None:
    """Delete games for good."""
    from divisorduel.store.history import History
    from divisorduel.terminal.plain.history_list import delete_games, found_games
    from divisorduel.terminal.terminal import system_terminal

    terminal, history = system_terminal(), History.of_user()
    chosen = found_games(history, saved)
    if not yes and not terminal.interactive:
        raise click.UsageError(
            "Cannot ask for confirmation without a terminal. Add --yes to delete without asking."
        )
    delete_games(terminal, history, chosen, ask=not yes)
