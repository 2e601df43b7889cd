"""Create a game on a server, and print the links to it."""

import os
from typing import get_args

import click

from divisorduel.cli import options
from divisorduel.play.match import MOST_ROUNDS, Then
from divisorduel.system import program
from divisorduel.terminal.fullscreen import launch

ORDER = 24


@click.command("host", cls=options.BoardCommand)
@click.argument("game", type=options.GameKey())
@options.board_options
@click.option(
    "--server",
    metavar="URL",
    help="The server, such as https://duel.example.org; by default the one in the settings.",
)
@click.option("--name", callback=options.player_name, help="Your name.")
@click.option(
    "--first",
    type=click.Choice(["1", "2", "random"]),
    default="1",
    help="Who starts the first round: you (1), your opponent (2), or random.",
)
@click.option(
    "--rounds", type=options.WholeNumber(1, MOST_ROUNDS), default=1, help="Number of rounds."
)
@click.option(
    "--then",
    type=click.Choice(get_args(Then)),
    default="alternate",
    help="Who starts each later round: the other player, the same one, or the loser.",
)
@click.option("--no-undo", is_flag=True, help="Do not let players take back moves.")
@click.option("--no-hints", is_flag=True, help="Do not let players ask for hints.")
@click.option("--listed", is_flag=True, help="Let anyone find the game on the page and join it.")
@click.option("--no-join", is_flag=True, help="Only print the links, including yours.")
@options.plain_option
@click.pass_context
def command(
    ctx: click.Context,
    /,
    game: str,
    server: str | None,
    name: str | None,
    first: str,
    rounds: int,
    then: Then,
    no_undo: bool,
    no_hints: bool,
    listed: bool,
    no_join: bool,
    plain: bool,
    **board: int | str | None,
) -> None:
    """Create a game on a server, print the links to it, and play.

    Send one link to your opponent, who plays with "duel join LINK" or in a browser, and the other
    to spectators.
    """
    from divisorduel.store import preferences
    from divisorduel.terminal.remote_game import host

    chosen_settings, _ = preferences.load(os.environ)
    server = server or chosen_settings.server
    name = name or chosen_settings.name
    if not server:
        raise click.UsageError(
            f"No server is set. Use --server URL, or save one: {program()} settings set server URL"
        )
    chosen = {key.rstrip("_"): value for key, value in options.given(game, board).items()}
    wanted = {
        "game": game,
        "board": chosen,
        "players": [{"who": "here", **({"name": name} if name else {})}, {"who": "link"}],
        "first": first,
        "rounds": rounds,
        "then": then,
        "undo": not no_undo,
        "hints": not no_hints,
        "listed": listed,
    }
    is_full = launch.is_chosen(chosen_settings, plain=plain)
    ctx.exit(host(server, wanted, chosen_settings, is_full=is_full, joins=not no_join))
