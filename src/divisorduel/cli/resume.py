"""Continue an unfinished game."""

import os

import click

from divisorduel.cli.options import plain_option
from divisorduel.terminal.fullscreen import launch

ORDER = 30


@click.command("resume")
@click.argument("saved", metavar="[GAME]", required=False)
@click.option("--list", "only_list", is_flag=True, help="List the unfinished games and stop.")
@plain_option
@click.pass_context
def command(ctx: click.Context, saved: str | None, only_list: bool, plain: bool) -> None:
    """Continue GAME: a number or an id from "duel history", "last", or a file.

    Without GAME, continue the last unfinished game. A file is one that you wrote with "save".
    """
    from divisorduel.store import preferences
    from divisorduel.terminal.plain.local_game import list_unfinished, resume, resumed_match
    from divisorduel.terminal.terminal import system_terminal

    chosen, faults = preferences.load(os.environ)
    terminal = system_terminal(sounds=chosen.sounds)
    for fault in faults:
        terminal.complain(fault)
    if only_list:
        ctx.exit(list_unfinished(terminal))
    if launch.is_chosen(chosen, plain=plain):
        ctx.exit(launch.open_match(resumed_match(terminal, saved), chosen))
    ctx.exit(resume(terminal, saved, delay=chosen.delay))
