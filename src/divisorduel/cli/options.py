"""What several commands share: the game, its board, and how errors leave the program."""

import os
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar, get_args

import click

from divisorduel.rules.catalogue import game, keys, parameters, rule_book
from divisorduel.rules.code import read_code
from divisorduel.rules.errors import BoardError, CodeError, DuelError
from divisorduel.rules.game import Game
from divisorduel.rules.numbers import read_number
from divisorduel.rules.position import Position

F = TypeVar("F", bound=Callable[..., Any])

UNUSABLE_FILE = 1


class GameKey(click.ParamType[str]):
    """The key of a rule book."""

    name = "game"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Check the key; a near miss is answered with what was probably meant."""
        try:
            return rule_book(value.lower()).book.key
        except BoardError as error:
            self.fail(str(error), param, ctx)

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list["click.shell_completion.CompletionItem"]:
        """Offer the keys that begin like this."""
        from click.shell_completion import CompletionItem

        return [CompletionItem(key) for key in keys() if key.startswith(incomplete)]


class Number(click.ParamType[int]):
    """A number of any size, in plain digits."""

    name = "number"

    def convert(
        self, value: str | int, param: click.Parameter | None, ctx: click.Context | None
    ) -> int:
        """Read the number."""
        try:
            return read_number(str(value))
        except DuelError as error:
            self.fail(str(error), param, ctx)


def board_options(command: F, *, with_size: bool = True) -> F:
    """Give a command an option for every parameter that a rule book has."""
    found: dict[str, tuple[object, str | None]] = {}
    for kind in map(rule_book, keys()):
        for name, hint in parameters(kind.book.key).items():
            if with_size or name != kind.size_parameter:
                found[name] = hint, kind.parameter_help.get(name)
    for name, (hint, text) in reversed(found.items()):
        command = click.option(option(name), name, type=_type(hint), help=text)(command)
    return command


def series_options(command: F) -> F:
    """Give a command the same options except the one that says how large the board is."""
    return board_options(command, with_size=False)


def option(parameter: str) -> str:
    """Return the option that stands for a parameter."""
    return f"--{parameter.rstrip('_').replace('_', '-')}"


def _type(kind: object) -> click.ParamType[Any]:
    choices = get_args(kind)
    return click.Choice(choices) if choices else Number() if kind is int else click.STRING


class Seconds(click.ParamType[float]):
    """A span of time."""

    name = "seconds"

    def convert(
        self, value: str | float, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """Read the seconds."""
        try:
            seconds = float(value)
        except ValueError:
            seconds = -1.0
        if not 0 <= seconds < float("inf"):
            self.fail(f"{value} is no number of seconds.", param, ctx)
        return seconds


LEAST_MEMORY = 2**20
"""With less, a search would forget everything before it is of use."""
MOST_MEMORY = 2**60
"""No machine has more, and a size this large still fits whatever counts it."""

THREADS = click.IntRange(1, 256)
"""A number of threads; more would only get in each other's way."""


def cores() -> int:
    """Return how many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class Memory(click.ParamType[int]):
    """An amount of memory, in bytes: ``512M`` or ``8G``."""

    name = "size"

    def convert(
        self, value: str | int, param: click.Parameter | None, ctx: click.Context | None
    ) -> int:
        """Read the size; K, M, G and T are powers of 1024."""
        if isinstance(value, int):
            return value
        size = re.fullmatch(r"([0-9]{1,15})([KMGT]?)B?", value.upper())
        if size is None:
            self.fail(f"{value} is no size; one looks like 512M or 8G.", param, ctx)
        memory = int(size[1]) << 10 * " KMGT".index(size[2] or " ")
        if memory < LEAST_MEMORY:
            self.fail(f"{value} is too little; the least is 1M, and 8G is a lot.", param, ctx)
        return min(memory, MOST_MEMORY)


position_option = click.option(
    "--position", "code", metavar="CODE", help='Where to start, as in "chain 2-50 2-7,9-50 8".'
)
"""The option for a position."""


def chosen_position(
    key: str, code: str | None, board: dict[str, int | str]
) -> tuple[Game, Position]:
    """Return the game and the position that were asked for; what cannot be ends the program."""
    if code is None:
        chosen = chosen_game(key, board)
        return chosen, chosen.start()
    try:
        chosen, position = read_code(code)
    except CodeError as error:
        raise click.BadParameter(str(error), param_hint="--position") from None
    if chosen.book.key != key or board:
        raise click.UsageError(
            f"The code names its game and board: {chosen.book.key} {chosen.board}."
        )
    return chosen, position


def chosen_game(key: str, board: dict[str, int | str]) -> Game:
    """Return the game on the board that was asked for; a board that cannot be ends the program."""
    check_parameters(key, board)
    try:
        return game(key, **board)
    except BoardError as error:
        raise click.UsageError(str(error)) from None


def check_parameters(key: str, board: dict[str, int | str]) -> None:
    """End the program if something was said of the board that the game does not know."""
    known = parameters(key)
    for name in board:
        if name not in known:
            takes = " ".join(map(option, known))
            raise click.UsageError(f"{key} takes no {option(name)}, only {takes}.")


@contextmanager
def unusable_files() -> Iterator[None]:
    """End the program with a plain sentence if a file cannot be used."""
    from divisorduel.store.match_files import StoreError

    try:
        yield
    except StoreError as error:
        sys.stdout.flush()
        click.echo(f"Error: {error}", err=True)
        sys.exit(UNUSABLE_FILE)


def written(file: Path, content: str | bytes) -> None:
    """Write a file that a person asked for; one that cannot be written ends the program."""
    from divisorduel.store.atomic_file import write_whole

    try:
        write_whole(file, content)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", "") or error
        click.echo(f"Error: {file} cannot be written: {reason}.", err=True)
        sys.exit(UNUSABLE_FILE)
