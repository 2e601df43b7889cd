"""Lists the rule books: as a table, or line by line on a narrow page."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from divisorduel.coach.fair_starts import Start
from divisorduel.rules.catalogue import keys, rule_book
from divisorduel.rules.code import write_code
from divisorduel.terminal.terminal import StyledText

if TYPE_CHECKING:
    from rich.table import Table


def game_table() -> "Table":
    """Return the table of the games."""
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    table = Table("game", "title", "board", "a move", "if wrong", box=SIMPLE_HEAD, pad_edge=False)
    for key in keys():
        book = rule_book(key).book
        table.add_row(key, book.title, book.board, book.move, book.wrong_number)
    return table


def game_list() -> Iterator[StyledText]:
    """Yield the games line by line."""
    for key in keys():
        book = rule_book(key).book
        yield StyledText(f"{key}: {book.title}\n", "heading")
        yield StyledText(f"  Board: {book.board}\n", "prose", 4)
        yield StyledText(f"  A move: {book.move}\n", "prose", 4)
        yield StyledText(f"  A wrong number: {book.wrong_number}\n", "prose", 4)


def start_lines(usual: Start | None, starts: list[Start], command: str) -> Iterator[StyledText]:
    """Yield a rule book's own start, then others, line by line."""
    if usual is not None:
        yield StyledText("The rule book's own start\n", "heading")
        yield _start_line(usual)
    if not starts:
        yield StyledText("No start on these boards gives a better game.\n")
        return
    yield StyledText("Starts that give a better game, best first\n", "heading")
    yield from map(_start_line, starts)
    yield StyledText(
        f"To start with numbers already taken: {command} play GAME --position CODE\n", "prose"
    )


def _start_line(start: Start) -> StyledText:
    handicap = "" if start.handicap is None else f", {start.handicap} already taken"
    who = "first" if start.winner == 1 else "second"
    lasts = f"about {start.length:.0f} move{'' if round(start.length) == 1 else 's'}"
    code = "" if start.handicap is None else f" ({write_code(start.game, start.position)})"
    return StyledText(
        f"  - {start.game.book.key} {start.game.board}{handicap}{code}: the {who} player wins "
        f"({start.winning_moves} of {start.moves} first moves win); perfect play lasts {lasts}; "
        f"{start.tries:.0%} of the winner's first choices are mistakes\n",
        "prose",
        4,
    )
