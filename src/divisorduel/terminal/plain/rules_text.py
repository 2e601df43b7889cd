"""The rules of a game in plain text, with the example played out."""

from collections.abc import Iterator

from divisorduel.play.events import NumberTaken
from divisorduel.play.match import Match, other
from divisorduel.rules.book import paragraphs
from divisorduel.rules.catalogue import game, rule_book
from divisorduel.rules.game import Game
from divisorduel.terminal.plain.transcript import Styled


def guide(key: str, played: Game | None = None) -> Iterator[Styled]:
    """Yield the rules, the worked example and the tips of a rule book, and where it is played."""
    book = rule_book(key).book
    yield Styled(f"{book.title} ({key})\n", "heading")
    if played is not None:
        yield Styled(f"You are playing on {played.span}. {played.note}".rstrip() + "\n", "prose")
    yield from _section("How to play", [*paragraphs(book.guide.rules), _wrong_number(key)])
    yield from _section(*_example(key))
    yield from _section("Tips", paragraphs(book.guide.tips))


def _section(heading: str, items: list[str]) -> Iterator[Styled]:
    yield Styled(f"\n{heading}\n", "heading")
    yield from (Styled(f"  - {item}\n", "prose", 4) for item in items)


def _wrong_number(key: str) -> str:
    if rule_book(key).book.wrong_number == "forfeit":
        return "Whatever is not a number is simply asked again."
    return "A wrong number costs nothing: you are told why, and asked again."


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
    return f"A game on {match.game.span}", lines
