"""Continue an unfinished game."""

import click

ORDER = 30


@click.command("resume")
@click.argument("saved", metavar="[GAME]", required=False)
@click.option("--list", "only_list", is_flag=True, help="List the unfinished games and stop.")
@click.pass_context
def command(ctx: click.Context, saved: str | None, only_list: bool) -> None:
    """Continue GAME: a number or an id from "duel history", "last", or a file.

    Without GAME, continue the last unfinished game. A file is one that you wrote with "save".
    """
    from divisorduel.terminal.plain.local_game import list_unfinished, resume
    from divisorduel.terminal.terminal import system_terminal

    terminal = system_terminal()
    ctx.exit(list_unfinished(terminal) if only_list else resume(terminal, saved))
