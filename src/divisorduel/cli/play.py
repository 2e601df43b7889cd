"""Play against the computer, or with a friend on the same screen."""

import os
from collections.abc import Callable, Mapping
from typing import Any, get_args

import click

from divisorduel.cli import options
from divisorduel.coach.quick_end import quick_end
from divisorduel.play.events import Seat
from divisorduel.play.match import MOST_ROUNDS, Match, Then, check_names
from divisorduel.play.names import look_alike
from divisorduel.play.players import BOT, HUMAN, Player
from divisorduel.rules.catalogue import must_be_given, rule_book, rule_book_keys
from divisorduel.rules.errors import one_of
from divisorduel.rules.game import Game
from divisorduel.rules.position import Position
from divisorduel.store import preferences
from divisorduel.store.preferences import Preferences
from divisorduel.terminal.fullscreen import launch
from divisorduel.terminal.local_match import LocalMatch
from divisorduel.terminal.plain.local_game import draw, host_new
from divisorduel.terminal.plain.setup_prompts import ask_game, ask_number, offer_longer
from divisorduel.terminal.terminal import Terminal, system_terminal
from divisorduel.words.quick_ends import quick_end_text

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
        type=options.PlayerOption(),
        default=None,
        show_default=HUMAN if seat == 1 else f"{HUMAN}, unless your settings name another opponent",
        metavar="PLAYER",
        help=f"Who plays as Player {seat}: human, random, greedy, perfect, a level from 1 to 10, "
        "or bot:COMMAND for an engine.",
    )


@click.command("play", cls=options.BoardCommand)
@click.argument("game", type=options.GameKey(), required=False)
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
@options.plain_option
@click.pass_context
def command(
    ctx: click.Context,
    /,
    game: str | None,
    code: str | None,
    p1: str | None,
    p2: str | None,
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

    Without GAME, duel asks which game to play. "duel games" lists the games. Every move is saved:
    stop whenever you like, and continue with "duel resume". In the full-screen interface, ? lists
    the keys; in plain text, type a number or "help".
    """
    chosen_settings, faults = preferences.load(os.environ)
    is_full = launch.is_chosen(chosen_settings, plain=plain)
    terminal = system_terminal(sounds=chosen_settings.sounds)
    for fault in faults:
        terminal.complain(fault)
    game = game or _asked_game(terminal)
    bots = ctx.with_resource(options.started_bots({1: p1, 2: p2}, game))
    kinds = _kinds(BOT if 1 in bots else p1, BOT if 2 in bots else p2, chosen_settings)
    names = names or _with_bots(preferences.usual_names(kinds, chosen_settings), bots)
    starter = draw(seed) if first == "random" else 2 if first == "2" else 1
    asks = must_be_given(game) != () and not options.given(game, board) and code is None
    chosen, start = (
        _asked_board(terminal, game) if asks else options.chosen_position(game, code, board)
    )
    if first == "random":
        terminal.say(f"{names[starter - 1]} goes first (chosen at random).\n")
    if HUMAN in kinds:
        name = names[starter - 1] if kinds[starter - 1] != HUMAN else ""
        longer = _longer(terminal, chosen, start, name) if name or not is_full else None
        chosen, start = (chosen, start) if longer is None else (longer, longer.start())
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
    delay = chosen_settings.delay if delay is None else delay
    if is_full:
        local = LocalMatch.new(match, save=not no_save, seed=seed, bots=bots)
        ctx.exit(launch.open_match(local, chosen_settings, seed=seed, delay=delay))
    how: Any = {"save": not no_save, "seed": seed, "delay": delay, "bots": bots}
    ctx.exit(host_new(terminal, match, welcomed=asks, **how))


def _asked_game(terminal: Terminal) -> str:
    if not terminal.interactive:
        raise click.UsageError(f"Which game? Choose {one_of(rule_book_keys())}.")
    return ask_game(terminal)


def _asked_board(terminal: Terminal, key: str) -> tuple[Game, Position]:
    terminal.say(rule_book(key).book.wording.welcome, "heading")
    game = ask_number(terminal, key)
    return game, game.start()


def _with_bots(names: tuple[str, str], bots: Mapping[Seat, Player]) -> tuple[str, str]:
    """Return the names of the players; engines have their own."""
    one, two = getattr(bots.get(1), "name", names[0]), getattr(bots.get(2), "name", names[1])
    return (f"{one[:38]} A", f"{two[:38]} B") if look_alike(one, two) else (one, two)


def _kinds(p1: str | None, p2: str | None, chosen: Preferences) -> tuple[str, str]:
    """Return who plays; a person's usual opponent is in the settings."""
    if p2 is None:
        p2 = chosen.level if p1 in (None, HUMAN) and chosen.level else HUMAN
    return p1 or HUMAN, p2


def _longer(terminal: Terminal, game: Game, start: Position, computer: str) -> Game | None:
    """Say if the first move can end the game. Return a longer one if the player wants it.

    A `computer` that starts would use that move, so the player would never get to move.
    """
    found = quick_end(game, start) if computer or terminal.interactive else None
    if found is None:
        return None
    if computer:
        return offer_longer(terminal, found, computer)
    use = [f"{options.option(name)} {value}" for name, value in game.book.first_board.items()]
    longer = f" For a longer game, use {' '.join(use)}." if found.longer else ""
    terminal.say(f"{quick_end_text(found)}{longer}\n", "prose")
    return None
