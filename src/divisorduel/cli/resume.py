"""Continue an unfinished game."""

import os

import click

from divisorduel.cli.options import PlayerOption, plain_option, started_bots
from divisorduel.terminal.fullscreen import launch

ORDER = 30


@click.command("resume")
@click.argument("saved", metavar="[GAME]", required=False)
@click.option("--p1", type=PlayerOption(), metavar="bot:COMMAND", help="The engine of Player 1.")
@click.option("--p2", type=PlayerOption(), metavar="bot:COMMAND", help="The engine of Player 2.")
@click.option("--list", "only_list", is_flag=True, help="List the unfinished games and exit.")
@plain_option
@click.pass_context
def command(
    ctx: click.Context,
    saved: str | None,
    p1: str | None,
    p2: str | None,
    only_list: bool,
    plain: bool,
) -> None:
    """Continue GAME: a number or an id from "duel history", "last", or a file.

    Without GAME, continue the last unfinished game. The file must be one that you saved or
    exported.
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
    bots = ctx.with_resource(started_bots({1: p1, 2: p2}))
    if launch.is_chosen(chosen, plain=plain):
        ctx.exit(launch.open_match(resumed_match(terminal, saved, bots), chosen))
    ctx.exit(resume(terminal, saved, delay=chosen.delay, bots=bots))
