"""The rule books as they are sent, and the games that requests ask for."""

from dataclasses import MISSING, fields
from functools import cache
from typing import get_args

from divisorduel.play.events import NumberTaken
from divisorduel.play.match import Match
from divisorduel.rules.book import paragraphs
from divisorduel.rules.catalogue import game, keys, parameters, rule_book
from divisorduel.rules.errors import BoardError
from divisorduel.rules.game import Game
from divisorduel.web.board_limits import shown_here
from divisorduel.web.schemas.match_views import board_view, round_view
from divisorduel.web.schemas.responses import ExampleOut, ParameterOut, RuleBookOut


def chosen_game(key: str, board: dict[str, int | str]) -> Game:
    """Return a game on a board that the page can show. Raises `BoardError`."""
    given = {_inside(key, name): value for name, value in board.items()}
    for name, kind in parameters(key).items():
        value = given.get(name)
        if value is not None and isinstance(value, int) is not (kind is int):
            raise BoardError(f"{_outside(name)} cannot be {value!r}.")
    return shown_here(game(key, **given))


def _outside(name: str) -> str:
    return name.rstrip("_")


def _inside(key: str, name: str) -> str:
    """Return the name of a parameter in Python, where ``from`` is a keyword."""
    return next((known for known in parameters(key) if _outside(known) == name), name)


@cache
def rule_books() -> list[RuleBookOut]:
    """Return all rule books."""
    return [_rule_book(key) for key in keys()]


def _rule_book(key: str) -> RuleBookOut:
    book = rule_book(key).book
    return RuleBookOut(
        key=key,
        title=book.title,
        board=book.board,
        move=book.move,
        wrong_number=book.wrong_number,
        parameters=_parameters(key),
        rules=paragraphs(book.guide.rules),
        tips=paragraphs(book.guide.tips),
        example=_example(key),
    )


def _parameters(key: str) -> list[ParameterOut]:
    defaults = {
        f.name: None if f.default is MISSING else f.default
        for f in fields(rule_book(key))  # type: ignore[arg-type]  # a dataclass
    }
    return [
        ParameterOut(
            name=_outside(name), choices=list(get_args(kind)) or None, default=defaults[name]
        )
        for name, kind in parameters(key).items()
    ]


def _example(key: str) -> ExampleOut:
    example = rule_book(key).book.guide.example
    match = Match.of(game(key, **example.board))
    for move in example.moves:
        match = match.after(NumberTaken(move))
    return ExampleOut(
        span=match.game.span,
        board=board_view(match.game, match.start),
        round=round_view(match, 1),
        remarks={str(turn): remark for turn, remark in example.remarks.items()},
    )
