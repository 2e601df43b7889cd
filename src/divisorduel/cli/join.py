"""Play or watch a game on a server, with its link."""

import os

import click

from divisorduel.cli.options import plain_option, player_name
from divisorduel.terminal.fullscreen import launch

ORDER = 26


@click.command("join")
@click.argument("link", required=False)
@click.option("--list", "only_list", is_flag=True, help="List your own unfinished games and exit.")
@click.option("--name", callback=player_name, help="Your name, if you take a free seat.")
@plain_option
@click.pass_context
def command(
    ctx: click.Context, /, link: str | None, only_list: bool, name: str | None, plain: bool
) -> None:
    """Play or watch a game on a server. LINK is a link that the page or "duel host" shows.

    Without LINK, return to your own unfinished game; if you have several, duel asks which.

    A player's link lets you play; a spectator's link lets you watch. If the connection is lost,
    duel reconnects. You can leave at any time and come back.
    """
    from divisorduel.store import preferences
    from divisorduel.terminal.remote_game import list_online, play_link

    if only_list:
        ctx.exit(list_online())
    chosen, _ = preferences.load(os.environ)
    is_full = launch.is_chosen(chosen, plain=plain)
    ctx.exit(play_link(link, name or chosen.name or None, chosen, is_full=is_full))
