"""The rule books at a glance: a table, or a list where the page is narrow."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from divisorduel.rules.catalogue import keys, rule_book
from divisorduel.tui.script import Said

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


def game_list() -> Iterator[Said]:
    """Yield the games one below the other."""
    for key in keys():
        book = rule_book(key).book
        yield Said(f"{key}: {book.title}\n", "heading")
        yield Said(f"  Board: {book.board}\n", "prose", 4)
        yield Said(f"  A move: {book.move}\n", "prose", 4)
        yield Said(f"  A wrong number: {book.wrong_number}\n", "prose", 4)
