"""Finds the rule books: every module in `divisorduel.rules.books` that defines one game class."""

import inspect
import pkgutil
from dataclasses import MISSING, fields
from difflib import get_close_matches
from functools import cache
from importlib import import_module
from typing import get_type_hints

from divisorduel.rules import books
from divisorduel.rules.errors import BoardError
from divisorduel.rules.game import Game


@cache
def keys() -> tuple[str, ...]:
    """Return the keys of all rule books, in alphabetical order."""
    return tuple(sorted(module.name for module in pkgutil.iter_modules(books.__path__)))


@cache
def rule_book(key: str) -> type[Game]:
    """Return the class of games that a rule book describes. Raises `BoardError`."""
    if key not in keys():
        close = get_close_matches(key, keys(), n=1)
        hint = f"did you mean {close[0]}?" if close else f"there are {', '.join(keys())}."
        raise BoardError(f"There is no game called {key!r}: {hint}")
    module = import_module(f"{books.__name__}.{key}")
    [found] = (
        kind
        for _, kind in inspect.getmembers(module, inspect.isclass)
        if issubclass(kind, Game) and kind.__module__ == module.__name__
    )
    return found


def parameters(key: str) -> dict[str, object]:
    """Return the names and the types of a game's parameters."""
    hints = get_type_hints(rule_book(key))
    return {f.name: hints[f.name] for f in fields(rule_book(key))}  # type: ignore[arg-type]  # a dataclass


def must_be_given(key: str) -> tuple[str, ...]:
    """Return the names of the parameters for which a game has no default."""
    found = fields(rule_book(key))  # type: ignore[arg-type]  # a dataclass
    return tuple(f.name for f in found if f.default is MISSING)


def game(key: str, **board: int | str) -> Game:
    """Return a game by its rule book's key, on the default board unless told otherwise.

    ``game("chain", to=100)``, ``game("evens", from_=4, to=40)``, ``game("descent", number=360)``.
    Raises `BoardError`, with the reason.
    """
    known = parameters(key)
    for name in board:
        if name not in known:
            raise BoardError(f"{key} has no parameter {name!r}: it takes {', '.join(known)}.")
    for name in must_be_given(key):
        if name not in board:
            raise BoardError(f"{key} needs a {name}.")
    return rule_book(key)(**board)
