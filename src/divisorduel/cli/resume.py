"""Continue an unfinished game."""

import click

ORDER = 30


@click.command("resume")
@click.argument("match", metavar="[NAME]", required=False)
@click.option("--list", "only_list", is_flag=True, help="List the unfinished games and stop.")
@click.pass_context
def command(ctx: click.Context, match: str | None, only_list: bool) -> None:
    """Continue the last unfinished game, or the game called NAME.

    NAME is a name from --list, or a file that you wrote with "save".
    """
    from divisorduel.terminal.plain.local_game import list_unfinished, resume
    from divisorduel.terminal.terminal import system_terminal

    terminal = system_terminal()
    ctx.exit(list_unfinished(terminal) if only_list else resume(terminal, match))
