"""Play against the computer, or with a friend on the same screen."""

import os
import sys
from collections.abc import Callable
from typing import get_args

import click

from divisorduel.cli import options
from divisorduel.play.events import Seat
from divisorduel.play.match import MOST_ROUNDS, Match, Then, check_names, default_names
from divisorduel.play.players import HUMAN, KINDS
from divisorduel.rules.catalogue import must_be_given, rule_book
from divisorduel.terminal.fullscreen import launch
from divisorduel.terminal.plain.local_game import draw, host_new
from divisorduel.terminal.plain.questions import ask_number
from divisorduel.terminal.terminal import system_terminal

ORDER = 10


def _checked_names(
    _ctx: click.Context, _parameter: click.Parameter, names: tuple[str, str] | None
) -> tuple[str, str] | None:
    if not names:
        return None
    # In a plain-ASCII locale, Python does not decode these arguments. Names are always UTF-8.
    one, two = (os.fsencode(name).decode("utf-8", "replace") for name in names)
    check_names((one, two))
    return one, two


def _player_option(seat: Seat) -> Callable[[options.F], options.F]:
    return click.option(
        f"--p{seat}",
        type=click.Choice(KINDS),
        default=HUMAN,
        metavar="PLAYER",
        help=f"Who plays as Player {seat}: human, random, greedy, perfect or a level from 1 to 10.",
    )


@click.command("play")
@click.argument("game", type=options.GameKey())
@options.board_options
@options.position_option
@_player_option(1)
@_player_option(2)
@click.option(
    "--first",
    type=click.Choice(["1", "2", "random"]),
    default="1",
    help="Who starts the first round.",
)
@click.option("--seed", type=int, help="Seed for random choices; the same seed repeats them.")
@click.option(
    "--names", nargs=2, metavar="NAME NAME", callback=_checked_names, help="The players' names."
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
@click.option("--delay", type=options.seconds, help="Seconds to wait before each computer move.")
@click.option("--no-undo", is_flag=True, help="Do not let players take back moves.")
@click.option("--no-save", is_flag=True, help="Do not save the game.")
@click.option("--plain", is_flag=True, help="Play in plain lines, not on a full screen.")
@click.pass_context
def command(
    ctx: click.Context,
    /,
    game: str,
    code: str | None,
    p1: str,
    p2: str,
    first: str,
    seed: int | None,
    names: tuple[str, str] | None,
    rounds: int,
    then: Then,
    delay: float | None,
    no_undo: bool,
    no_save: bool,
    plain: bool,
    **board: int | str | None,
) -> None:
    """Play GAME against the computer, or with a friend on the same screen.

    "duel games" lists the games. Every move is saved: stop whenever you like, and continue with
    "duel resume". On the full screen, ? lists the keys; in plain lines, type a number or "help".
    """
    is_full = launch.is_wanted(sys.stdin, sys.stdout, os.environ, plain=plain)
    terminal = system_terminal()
    kinds = (p1, p2)
    names = names or default_names(kinds)
    starter = draw(seed) if first == "random" else 2 if first == "2" else 1
    asks = must_be_given(game) != () and not options.given(game, board) and code is None
    if asks:
        terminal.say(rule_book(game).book.wording.welcome, "heading")
        chosen = ask_number(terminal, game)
        start = chosen.start()
    else:
        chosen, start = options.chosen_position(game, code, board)
    if first == "random":
        terminal.say(f"{names[starter - 1]} goes first (chosen at random).\n")
    match = Match.of(
        chosen,
        start=start,
        names=names,
        kinds=kinds,
        first=starter,
        then=then,
        rounds=rounds,
        undo=not no_undo,
    )
    if is_full:
        ctx.exit(launch.open_match(match, save=not no_save, seed=seed, delay=delay))
    ctx.exit(host_new(terminal, match, save=not no_save, welcomed=asks, seed=seed, delay=delay))
