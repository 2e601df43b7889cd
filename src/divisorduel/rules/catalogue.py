"""The rule books: one module each in `divisorduel.rules.books`, and those of other packages.

Another package registers a rule book with an entry point in the group ``divisorduel.rule_books``,
as in ``coprime = "my_package.coprime:Coprime"``.
"""

import inspect
import pkgutil
import re
import sys
from contextlib import suppress
from dataclasses import MISSING, fields
from difflib import get_close_matches
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, get_type_hints

from divisorduel.rules import books
from divisorduel.rules.errors import BoardError, one_of
from divisorduel.rules.game import Game

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUP = "divisorduel.rule_books"


@cache
def rule_book_keys() -> tuple[str, ...]:
    """Return the keys of all rule books that can be used, in alphabetical order."""
    return tuple(sorted({*_built_in(), *_installed()[0]}))


def problems() -> tuple[str, ...]:
    """Say what is wrong with each rule book of another package that cannot be used."""
    return tuple(_installed()[1].values())


@cache
def rule_book(key: str) -> type[Game]:
    """Return the class of games that a rule book describes. Raises `BoardError`."""
    if key in _built_in():
        module = import_module(f"{books.__name__}.{key}")
        [found] = (
            kind
            for _, kind in inspect.getmembers(module, inspect.isclass)
            if issubclass(kind, Game) and kind.__module__ == module.__name__
        )
        return found
    installed, broken = _installed()
    if key in installed:
        return installed[key]
    if key in broken:
        raise BoardError(broken[key])
    close = get_close_matches(key, rule_book_keys(), n=1)
    hint = f"Did you mean {close[0]}?" if close else f"Choose {one_of(rule_book_keys())}."
    raise BoardError(f"Unknown game {key!r}. {hint}")


@cache
def _built_in() -> tuple[str, ...]:
    return tuple(module.name for module in pkgutil.iter_modules(books.__path__))


@cache
def _installed() -> tuple[dict[str, type[Game]], dict[str, str]]:
    """Return the rule books of other packages by key, and what is wrong with the broken ones."""
    found: dict[str, type[Game]] = {}
    broken: dict[str, str] = {}
    for entry in _entry_points():
        package = entry.dist.name if entry.dist else "an unknown package"
        try:
            found[entry.name] = _loaded(entry, {*_built_in(), *found})
        except Exception as error:  # other people's code may raise anything
            reason = str(error) or type(error).__name__
            broken[entry.name] = f"Rule book {entry.name!r} of {package} cannot be used: {reason}"
    return found, broken


def _entry_points() -> list["EntryPoint"]:
    # Importing importlib.metadata takes longer than everything else here, so first check
    # whether any package registers a rule book. A file in sys.path is a zip archive.
    if not any(Path(entry).is_file() or _registers_any(Path(entry)) for entry in sys.path):
        return []
    from importlib.metadata import entry_points

    return sorted(entry_points(group=GROUP), key=lambda entry: (entry.name, entry.value))


def _registers_any(folder: Path) -> bool:
    with suppress(OSError):
        found = folder.glob("*-info/entry_points.txt")
        return any(GROUP.encode() in file.read_bytes() for file in found)
    return True


def _loaded(entry: "EntryPoint", known: set[str]) -> type[Game]:
    if entry.name in known:
        raise BoardError("another rule book already has this key.")
    if not re.fullmatch("[a-z][a-z0-9_-]*", entry.name):
        raise BoardError("a key may contain only lower-case letters, digits, - and _.")
    found: object = entry.load()
    if not isinstance(found, type) or not issubclass(found, Game):
        raise BoardError(f"{entry.value} is not a Game.")
    if inspect.isabstract(found) or not hasattr(found, "__dataclass_fields__"):
        raise BoardError(f"{entry.value} must be a dataclass that defines every method of a Game.")
    if found.book.key != entry.name:
        raise BoardError(f"its book has a different key, {found.book.key!r}.")
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
    """Return a game, given the key of its rule book and the parameters of the board.

    ``game("chain", to=100)``, ``game("evens", from_=4, to=40)``, ``game("descent", number=360)``.
    Parameters that are left out have their defaults. Raises `BoardError`, with the reason.
    """
    return rule_book(key).of(**board)
