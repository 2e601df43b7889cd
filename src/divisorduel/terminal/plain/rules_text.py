"""The rules of a game in plain text, with a worked example."""

from collections.abc import Iterator

from divisorduel.play.events import NumberTaken
from divisorduel.play.match import Match, other
from divisorduel.rules.book import Book, paragraphs
from divisorduel.rules.catalogue import game, rule_book
from divisorduel.rules.game import Game
from divisorduel.terminal.terminal import StyledText


def guide(key: str, played: Game | None = None) -> Iterator[StyledText]:
    """Yield the rules, the worked example and the tips of a rule book, and the board played on."""
    book = rule_book(key).book
    yield StyledText(f"{book.title} ({key})\n", "heading")
    if played is not None:
        yield StyledText(f"Your board: {played.span}. {played.note}".rstrip() + "\n", "prose")
    yield from _section("How to play", [*_rules(book, played), _wrong_number(key)])
    yield from _section(*_example(key))
    yield from _section("Tips", paragraphs(book.guide.tips))


def _rules(book: Book, played: Game | None) -> list[str]:
    """Return the rules as they are on the board that is played on."""
    first, *rest = paragraphs(book.guide.rules)
    if played is not None and book.guide.own_board and played != game(book.key):
        [first] = paragraphs(f"{book.guide.own_board} {played.note}")
    return [first, *rest]


def _section(heading: str, items: list[str]) -> Iterator[StyledText]:
    yield StyledText(f"\n{heading}\n", "heading")
    yield from (StyledText(f"  - {item}\n", "prose", 4) for item in items)


def _wrong_number(key: str) -> str:
    if rule_book(key).book.wrong_number == "forfeit":
        return "If you type anything but digits, you lose nothing: just try again."
    return "A wrong number costs nothing: you see what is wrong with it and try again."


def _example(key: str) -> tuple[str, list[str]]:
    example = rule_book(key).book.guide.example
    match = Match.of(game(key, **example.board))
    lines = []
    for turn, move in enumerate(example.moves, 1):
        name = match.name(match.current.to_move)
        remark = example.remarks.get(turn, "")
        lines.append(f"Turn {turn}: {name} takes {move}. {remark}".rstrip())
        match = match.after(NumberTaken(move))
    loser = match.current.to_move
    lines.append(f"{match.name(loser)} cannot move: {match.name(other(loser))} wins.")
    return f"An example game ({match.game.span})", lines
