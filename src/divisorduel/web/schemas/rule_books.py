"""The rule books, as the page and programs are told of them."""

from dataclasses import MISSING, fields
from functools import cache
from typing import Any, get_args

from divisorduel.play.events import NumberTaken
from divisorduel.play.match import Match
from divisorduel.rules.book import paragraphs
from divisorduel.rules.catalogue import game, keys, parameters, rule_book
from divisorduel.rules.errors import BoardError
from divisorduel.rules.game import Game
from divisorduel.web.board_limits import shown_here
from divisorduel.web.schemas.match_views import board_view, round_view


def chosen_game(key: str, board: dict[str, int | str]) -> Game:
    """Return the game on a board that a page can show. Raises `BoardError`."""
    given = {_inside(key, name): value for name, value in board.items()}
    for name, kind in parameters(key).items():
        value = given.get(name)
        if value is not None and isinstance(value, int) is not (kind is int):
            raise BoardError(f"{_outside(name)} cannot be {value!r}.")
    return shown_here(game(key, **given))


def _outside(name: str) -> str:
    return name.rstrip("_")


def _inside(key: str, name: str) -> str:
    """Return what a parameter is called in the program: ``from`` is a word of Python's own."""
    return next((known for known in parameters(key) if _outside(known) == name), name)


@cache
def rule_books() -> list[dict[str, Any]]:
    """Return all rule books."""
    return [_rule_book(key) for key in keys()]


def _rule_book(key: str) -> dict[str, Any]:
    book = rule_book(key).book
    return {
        "key": key,
        "title": book.title,
        "board": book.board,
        "move": book.move,
        "wrong_number": book.wrong_number,
        "parameters": _parameters(key),
        "rules": paragraphs(book.guide.rules),
        "tips": paragraphs(book.guide.tips),
        "example": _example(key),
    }


def _parameters(key: str) -> list[dict[str, Any]]:
    defaults = {
        f.name: None if f.default is MISSING else f.default
        for f in fields(rule_book(key))  # type: ignore[arg-type]  # a dataclass
    }
    return [
        {
            "name": _outside(name),
            "choices": list(get_args(kind)) or None,
            "default": defaults[name],
        }
        for name, kind in parameters(key).items()
    ]


def _example(key: str) -> dict[str, Any]:
    example = rule_book(key).book.guide.example
    match = Match.of(game(key, **example.board))
    for move in example.moves:
        match = match.after(NumberTaken(move))
    return {
        "span": match.game.span,
        "board": board_view(match.game, match.start),
        "round": round_view(match, 1),
        "remarks": {str(turn): remark for turn, remark in example.remarks.items()},
    }
