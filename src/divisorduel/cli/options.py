"""The options that several commands share: games, boards, positions, files, seconds and sizes."""

import os
import re
import shlex
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, get_args

import click

from divisorduel.play.events import Seat
from divisorduel.play.players import KINDS, PlayerFault
from divisorduel.rules.catalogue import game, parameters, rule_book, rule_book_keys
from divisorduel.rules.code import read_code
from divisorduel.rules.errors import BoardError, DuelError, one_of
from divisorduel.rules.game import Game
from divisorduel.rules.numbers import read_number
from divisorduel.rules.position import Position
from divisorduel.system import program

if TYPE_CHECKING:
    from divisorduel.bots.engine import EnginePlayer
    from divisorduel.bots.protocol import Greeting

F = TypeVar("F", bound=Callable[..., Any])
BoardOptions = dict[str, int | str | None]
"""The options of a board; None where an option was not given."""


class WholeNumber(click.IntRange):
    """A whole number within limits, which the help calls NUMBER."""

    name = "number"


class OutputFile(click.Path):
    """A file to write, a device or pipe to write to, or ``-`` for standard output."""


FILE = click.Path(dir_okay=False, path_type=Path)
"""A file to read."""
OUTPUT = OutputFile(dir_okay=False, allow_dash=True, path_type=Path)
"""Write to it with `write_output`, and add `force_option` to the command."""
force_option = click.option("--force", is_flag=True, help="Replace a file that exists.")
plain_option = click.option(
    "--plain", is_flag=True, help="Play in plain text instead of the full-screen interface."
)
THREADS = WholeNumber(1, 256)

LEAST_MEMORY = 2**20
"""With less, a search would evict positions before it could use them."""
MOST_MEMORY = 2**60
"""No machine has more, and a size this large still fits in a C integer."""


class GameKey(click.ParamType[str]):
    """The key of a rule book."""

    name = "game"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Check the key; if it is misspelled, suggest the right one."""
        try:
            return rule_book(value.lower()).book.key
        except BoardError as error:
            self.fail(str(error), param, ctx)

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list["click.shell_completion.CompletionItem"]:
        """Return the keys that begin with what is typed."""
        from click.shell_completion import CompletionItem

        return [CompletionItem(key) for key in rule_book_keys() if key.startswith(incomplete)]


def number(text: str) -> int:
    """Read a whole number of any size, written in digits."""
    try:
        return read_number(str(text))
    except DuelError as error:
        raise click.BadParameter(str(error)) from None


def player_name(_ctx: click.Context, _parameter: click.Parameter, name: str | None) -> str | None:
    """Check the name of a player, if one is given. Raises `MatchError`."""
    from divisorduel.play.match import check_name

    # In a plain-ASCII locale, Python does not decode arguments. Names are always UTF-8.
    return None if name is None else check_name(os.fsencode(name).decode("utf-8", "replace"))


def seconds(text: str) -> float:
    """Read a number of seconds."""
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value < float("inf"):
        raise click.BadParameter(
            f"{text!r} is not a number of seconds. Use, for example, 0.5 or 60."
        )
    return value


def size(text: str) -> int:
    """Read an amount of memory in bytes: ``512M`` or ``8G``, in powers of 1024."""
    found = re.fullmatch(r"([0-9]{1,15})([KMGT]?)B?", text.upper())
    if found is None:
        raise click.BadParameter(
            f"{text!r} is not a size. Use a number and a unit, for example 512M or 8G."
        )
    memory = int(found[1]) << 10 * " KMGT".index(found[2] or " ")
    if memory < LEAST_MEMORY:
        raise click.BadParameter(f"{text} is too little. Use 1M or more.")
    return min(memory, MOST_MEMORY)


def board_options(command: F, *, with_size: bool = True) -> F:
    """Add an option for every parameter of the rule books, or for all but the size."""
    found: dict[str, tuple[object, str | None]] = {}
    for book in map(rule_book, rule_book_keys()):
        for name, hint in parameters(book.book.key).items():
            if with_size or name != book.size_parameter:
                found[name] = hint, book.parameter_help.get(name)
    for name, (hint, text) in reversed(found.items()):
        choices = get_args(hint)
        kind: Any = click.Choice(choices) if choices else number if hint is int else str
        command = click.option(option(name), name, type=kind, help=text)(command)
    return command


_LIKE_A_BOARD = re.compile(r"[0-9]+([-.]{1,2}[0-9a-z]|$)")


class BoardCommand(click.Command):
    """A command with `board_options`. Given a board in another form, it names the options."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the words of a command. Raises `UsageError`."""
        words = [*args]
        try:
            return super().parse_args(ctx, args)
        except click.UsageError as error:
            key = next((word.lower() for word in words if word.lower() in rule_book_keys()), None)
            if isinstance(error, click.NoSuchOption):
                is_board = error.option_name == "--board"
            else:  # one word too many
                is_board = type(error) is click.UsageError and any(map(_LIKE_A_BOARD.match, words))
            if key is None or not is_board:
                raise
            advice = f"To choose the board, use {one_of(map(option, parameters(key)))}."
            raise click.UsageError(f"{error.format_message().rstrip('.')}. {advice}", ctx) from None


def option(parameter: str) -> str:
    """Return the name of the option for a parameter."""
    return f"--{parameter.rstrip('_').replace('_', '-')}"


class PlayerOption(click.ParamType[str]):
    """A kind of player, or an engine: ``bot:COMMAND``."""

    name = "player"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Check the kind; an engine is not started yet."""
        is_engine = value.startswith("bot:") and value.removeprefix("bot:").strip()
        if value not in KINDS and not is_engine:
            named = [kind for kind in KINDS if not kind.isdigit()]
            choices = one_of([*named, "a level from 1 to 10", "bot:COMMAND"])
            self.fail(f"Unknown player {value!r}. Choose {choices}.", param, ctx)
        return value

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list["click.shell_completion.CompletionItem"]:
        """Return the kinds that begin with what is typed."""
        from click.shell_completion import CompletionItem

        return [CompletionItem(kind) for kind in KINDS if kind.startswith(incomplete)]


@contextmanager
def started_bots(
    players: Mapping[Seat, str | None], game: str | None = None
) -> Iterator[dict[Seat, "EnginePlayer"]]:
    """Start the engines among some players, and end them on exit.

    Raises `PlayerFault`, and `UsageError` if one of them does not play the game.
    """
    with ExitStack() as stack:
        bots = {}
        for seat, kind in players.items():
            if kind is not None and kind.startswith("bot:"):
                from divisorduel.bots.engine import EnginePlayer

                command_line = kind.removeprefix("bot:")
                with naming_engine(command_line):
                    bots[seat] = EnginePlayer(command_line)
                stack.callback(bots[seat].close)
                if game is not None:
                    check_plays(bots[seat].greeting, game)
        yield bots


@contextmanager
def naming_engine(command_line: str) -> Iterator[None]:
    """Let a `PlayerFault` say which engine it is about, and how to check the engine."""
    try:
        yield
    except PlayerFault as fault:
        reason = f"The engine {command_line!r} could not be used. {fault}"
        if fault.fault != "no-start":
            reason += f" To check it: {program()} bot --check {shlex.quote(command_line)}"
        raise PlayerFault(fault.fault, reason, fault.last_words) from None


def check_plays(engine: "Greeting", key: str) -> None:
    """Raise `UsageError` if an engine does not play a game."""
    if not engine.plays(key):
        games = one_of(engine.games)
        raise click.UsageError(f"{engine.name} does not play {key}. Choose {games}.")


position_option = click.option(
    "--position",
    "code",
    metavar="CODE",
    help='Position to start from, such as "chain 2-50 2-7,9-50 8".',
)


def chosen_position(key: str, code: str | None, board: BoardOptions) -> tuple[Game, Position]:
    """Return the game and the position that were chosen. Raises `BoardError` or `CodeError`."""
    if code is None:
        chosen = game(key, **given(key, board))
        return chosen, chosen.start()
    chosen, position = read_code(code)
    if chosen.book.key != key:
        right = f"{click.get_current_context().command_path} {chosen.book.key}"
        raise click.UsageError(f"--position is for {chosen.book.key}, not {key}. Type: {right} ...")
    if options := given(key, board):
        drop = " and ".join(map(option, options))
        raise click.UsageError(f"--position already sets the board; drop {drop}.")
    return chosen, position


def given(key: str, board: BoardOptions) -> dict[str, int | str]:
    """Return the options that were given. Raises `UsageError` if the game does not have one."""
    options = {name: value for name, value in board.items() if value is not None}
    known = parameters(key)
    for name in options:
        if name not in known:
            usable = [option(other) for other in known if other in board]
            advice = f"Use {one_of(usable)}." if usable else "Drop it."
            raise click.UsageError(f"{key} has no {option(name)}. {advice}")
    return options
