"""What several commands share: the game, its board, and how errors leave the program."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

import click

from divisorduel.rules.catalogue import game, keys, rule_book
from divisorduel.rules.errors import BoardError, DuelError
from divisorduel.rules.game import Game
from divisorduel.rules.numbers import read_number

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


_BOARD: dict[str, tuple[str, click.ParamType[Any], str]] = {
    "from_": ("--from", Number(), "Smallest number of the board."),
    "to": ("--to", Number(), "Largest number of the board."),
    "step": ("--step", Number(), "Distance from one number to the next."),
    "opening": (
        "--opening",
        click.Choice(["any", "even", "low"]),
        "What the first number must be.",
    ),
    "number": ("--number", Number(), "Starting number of descent."),
}


def board_options(command: F) -> F:
    """Give a command the options that describe a board."""
    for name, (option, kind, text) in reversed(_BOARD.items()):
        command = click.option(option, name, type=kind, help=text)(command)
    return command


def chosen_game(key: str, board: dict[str, int | str]) -> Game:
    """Return the game on the board that was asked for; a board that cannot be ends the program."""
    try:
        return game(key, **board)
    except BoardError as error:
        raise click.UsageError(str(error)) from None


@contextmanager
def unusable_files() -> Iterator[None]:
    """End the program with a plain sentence if a file cannot be used."""
    from divisorduel.store.shelf import StoreError

    try:
        yield
    except StoreError as error:
        sys.stdout.flush()
        click.echo(f"Error: {error}", err=True)
        sys.exit(UNUSABLE_FILE)
