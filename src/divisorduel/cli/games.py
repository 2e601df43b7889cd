"""``duel games``."""

import click


@click.command("games")
def command() -> None:
    """List the games: what they are called, their boards, and what a move is."""
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table

    from divisorduel.rules.catalogue import keys, rule_book
    from divisorduel.tui.terminal import system_terminal

    terminal = system_terminal()
    table = Table(box=SIMPLE_HEAD, padding=(0, 1))
    for heading, ratio in (("game", 0), ("title", 0), ("board", 2), ("a move", 3), ("if wrong", 0)):
        table.add_column(heading, no_wrap=ratio == 0, ratio=ratio or None)
    for key in keys():
        book = rule_book(key).book
        table.add_row(key, book.title, book.board, book.move, book.wrong_number)
    Console(width=terminal.width, highlight=False).print(table)
