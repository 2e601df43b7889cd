"""Shows the games, and the fair starts of a game: as a table, or as a list on a narrow terminal."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from divisorduel.coach.fair_starts import FairStart
from divisorduel.rules.catalogue import rule_book, rule_book_keys
from divisorduel.rules.code import write_code
from divisorduel.terminal.terminal import StyledText, Terminal

if TYPE_CHECKING:
    from rich.table import Table

NARROW = 70
"""On a terminal with fewer columns than this, a table would be hard to read."""

_WRONG_NUMBER = {"ask again": "try again", "forfeit": "you lose the game"}

_LEGEND = (
    'The best starts come first. "Player who wins" assumes that both play perfectly. "Mistakes" is '
    "the share of the winner's first choices that throw the win away: the higher it is, the harder "
    "it is to win."
)


def show_games(terminal: Terminal) -> None:
    """Show every game: its title, its board, what a move is, and what a wrong number costs."""
    if is_narrow(terminal):
        terminal.show(_game_list())
    else:
        terminal.show_table(_game_table())


def show_starts(
    terminal: Terminal, usual: FairStart | None, starts: list[FairStart], command: str
) -> None:
    """Show the usual start of a game and the fair starts, and how to play one of these."""
    rows = [*([("", usual)] if usual else []), *((str(n), s) for n, s in enumerate(starts, 1))]
    if rows and is_narrow(terminal):
        terminal.show(_start_list(rows))
    elif rows:
        terminal.show_table(_start_table(rows))
    if rows:
        terminal.say(f"\n{_LEGEND}\n", "prose")
    if not starts:
        terminal.say("\nNo start on these boards gives a better game.\n", "prose")
        return
    key = starts[0].game.book.key
    terminal.say("\nTo play one of these starts, put its code in place of CODE:\n")
    terminal.say(f'  {command} play {key} --position "CODE"\n')
    for number, start in enumerate(starts, 1):
        terminal.say(f"  {number:>2}  {write_code(start.game, start.position)}\n", indent=6)


def is_narrow(terminal: Terminal) -> bool:
    """Tell whether a list is easier to read than a table."""
    return (terminal.width or 80) < NARROW


def _new_table() -> "Table":
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    return Table(box=SIMPLE_HEAD, pad_edge=False, collapse_padding=True, show_edge=False)


def _game_table() -> "Table":
    table = _new_table()
    table.add_column("game")
    table.add_column("title", max_width=13)
    table.add_column("board", max_width=17)
    table.add_column("a move")
    table.add_column("after a wrong number", min_width=9, max_width=9)
    for key in rule_book_keys():
        book = rule_book(key).book
        wrong = _WRONG_NUMBER[book.wrong_number]
        table.add_row(key, book.title, book.board, book.move, wrong)
    return table


def _game_list() -> Iterator[StyledText]:
    for key in rule_book_keys():
        book = rule_book(key).book
        yield StyledText(f"{key}: {book.title}\n", "heading")
        yield StyledText(f"  Board: {book.board}\n", "prose", 4)
        yield StyledText(f"  A move: {book.move}\n", "prose", 4)
        yield StyledText(
            f"  After a wrong number: {_WRONG_NUMBER[book.wrong_number]}\n", "prose", 4
        )


def _start_table(rows: list[tuple[str, FairStart]]) -> "Table":
    table = _new_table()
    table.add_column("", justify="right")
    table.add_column("start")
    table.add_column("player who wins", max_width=8)
    table.add_column("winning first moves", max_width=11)
    table.add_column("length of a perfect game", max_width=12)
    table.add_column("mistakes", justify="right")
    for number, start in rows:
        table.add_row(
            number,
            _name(number, start),
            _winner(start),
            f"{start.winning_moves} of {start.move_count}",
            _length(start),
            f"{start.mistakes:.0%}",
            end_section=not number,
        )
    return table


def _start_list(rows: list[tuple[str, FairStart]]) -> Iterator[StyledText]:
    for number, start in rows:
        heading = f"{number}. " if number else ""
        yield StyledText(f"{heading}{_name(number, start)}\n", "heading", 3)
        yield StyledText(f"  Player who wins: {_winner(start)}\n")
        yield StyledText(f"  Winning first moves: {start.winning_moves} of {start.move_count}\n")
        yield StyledText(f"  Length of a perfect game: {_length(start)}\n")
        yield StyledText(f"  Mistakes: {start.mistakes:.0%}\n")


def _name(number: str, start: FairStart) -> str:
    usual = "" if number else " (the usual start)"
    taken = "" if start.handicap is None else f", with {start.handicap} already taken"
    note = f". {start.game.note}" if start.game.note else ""
    return f"{start.game.span}{usual}{taken}{note}"


def _winner(start: FairStart) -> str:
    return "first" if start.winner == 1 else "second"


def _length(start: FairStart) -> str:
    return f"{start.length:.0f} move{'' if round(start.length) == 1 else 's'}"
