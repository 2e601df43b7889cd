"""The rule books at a glance: a table, or a list where the page is narrow."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from divisorduel.coach.fair_starts import Start
from divisorduel.rules.catalogue import keys, rule_book
from divisorduel.rules.code import write_code
from divisorduel.terminal.plain.transcript import Styled

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


def game_list() -> Iterator[Styled]:
    """Yield the games one below the other."""
    for key in keys():
        book = rule_book(key).book
        yield Styled(f"{key}: {book.title}\n", "heading")
        yield Styled(f"  Board: {book.board}\n", "prose", 4)
        yield Styled(f"  A move: {book.move}\n", "prose", 4)
        yield Styled(f"  A wrong number: {book.wrong_number}\n", "prose", 4)


def start_lines(usual: Start | None, starts: list[Start], command: str) -> Iterator[Styled]:
    """Yield a rule book's own start and then others, one below the other."""
    if usual is not None:
        yield Styled("As the rule book has it\n", "heading")
        yield _start_line(usual)
    if not starts:
        yield Styled("No start on these boards has more to play for.\n")
        return
    yield Styled("Starts with more to play for, the most interesting first\n", "heading")
    yield from map(_start_line, starts)
    yield Styled(f"Where numbers are already taken: {command} play GAME --position CODE\n", "prose")


def _start_line(start: Start) -> Styled:
    handicap = "" if start.handicap is None else f", {start.handicap} already taken"
    who = "first to choose" if start.winner == 1 else "second"
    lasts = f"{start.length:.0f} move{'' if round(start.length) == 1 else 's'}"
    code = "" if start.handicap is None else f" ({write_code(start.game, start.position)})"
    return Styled(
        f"  - {start.game.book.key} {start.game.board}{handicap}{code}: the {who} wins "
        f"({start.winning_moves} of {start.moves} first moves win); about {lasts}; "
        f"{start.tries:.0%} of the winner's first choices go wrong\n",
        "prose",
        4,
    )
