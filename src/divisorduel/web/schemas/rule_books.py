"""The rule books as they are sent, and the games that requests ask for."""

from dataclasses import MISSING, fields
from functools import cache
from typing import Any, get_args

from divisorduel.play.events import NumberTaken
from divisorduel.play.match import Match
from divisorduel.rules.book import Book, paragraphs
from divisorduel.rules.catalogue import game, keys, parameters, rule_book
from divisorduel.rules.errors import BoardError
from divisorduel.rules.game import Game
from divisorduel.web.board_limits import shown_here
from divisorduel.web.schemas.match_views import board_view, round_view
from divisorduel.web.schemas.responses import ExampleOut, ParameterOut, RuleBookOut


def chosen_game(key: str, board: dict[str, int | str]) -> Game:
    """Return a game on a board that the page can show. Raises `BoardError`."""
    inside = {_outside(name): name for name in parameters(key)}
    given = {inside.get(name, name): value for name, value in board.items()}
    for name, kind in parameters(key).items():
        value = given.get(name)
        if value is not None and isinstance(value, int) is not (kind is int):
            raise BoardError(f"{_outside(name)} cannot be {value!r}.")
    return shown_here(game(key, **given))


def _outside(name: str) -> str:
    """Return the name of a parameter in requests; ``from`` is a keyword only in Python."""
    return name.rstrip("_")


@cache
def rule_books() -> list[RuleBookOut]:
    """Return all rule books."""
    return [_rule_book(rule_book(key)) for key in keys()]


def _rule_book(kind: type[Game]) -> RuleBookOut:
    book = kind.book
    known: Any = fields(kind)  # type: ignore[arg-type]  # a dataclass
    defaults = {one.name: None if one.default is MISSING else one.default for one in known}
    return RuleBookOut(
        key=book.key,
        title=book.title,
        board=book.board,
        move=book.move,
        wrong_number=book.wrong_number,
        parameters=[
            ParameterOut(
                name=_outside(name), choices=list(get_args(hint)) or None, default=defaults[name]
            )
            for name, hint in parameters(book.key).items()
        ],
        rules=paragraphs(book.guide.rules),
        tips=paragraphs(book.guide.tips),
        example=_example(book),
    )


def _example(book: Book) -> ExampleOut:
    example = book.guide.example
    match = Match.of(game(book.key, **example.board))
    for move in example.moves:
        match = match.after(NumberTaken(move))
    return ExampleOut(
        span=match.game.span,
        board=board_view(match.game, match.start),
        round=round_view(match, 1),
        remarks={str(turn): remark for turn, remark in example.remarks.items()},
    )
