"""Lists to choose from: unfinished games, and the rules of all games."""

from collections.abc import Callable, Sequence
from itertools import islice
from typing import ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import Screen
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from divisorduel.rules.catalogue import rule_book, rule_book_keys
from divisorduel.store.history import History
from divisorduel.store.match_files import SavedMatch, StoreError, local_time
from divisorduel.system import program
from divisorduel.terminal.fullscreen.key_line import KeyLine
from divisorduel.terminal.fullscreen.panels import QUIET
from divisorduel.terminal.fullscreen.text_screen import rules_of
from divisorduel.terminal.plain.transcript import summary

MOST_SHOWN = 200
"""Older unfinished games are left out."""


class ListScreen(Screen[None], inherit_bindings=False):
    """A list; Enter chooses, Esc goes back."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "none", "Choose"),
        Binding("escape,q", "dismiss", "Back", key_display="Esc"),
    ]
    AUTO_FOCUS = "OptionList"

    def __init__(
        self, heading: str, items: Sequence[Text], choose: Callable[[int], None], message: str = ""
    ) -> None:
        super().__init__()
        self._heading = heading
        self._items = items
        self._choose = choose
        self._message = message

    def compose(self) -> ComposeResult:
        """Show a heading, the list and a message."""
        yield Static(self._heading, id="title")
        yield OptionList(*(Option(item) for item in self._items), id="list", compact=True)
        yield Static(Text(self._message), id="message")
        yield KeyLine()

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Choose an item."""
        self._choose(event.option_index)

    def say(self, text: str) -> None:
        """Show a message below the list."""
        self.query_one("#message", Static).update(Text(text, "#ffd166"))

    def action_none(self) -> None:
        """Do nothing: the list itself reacts to this key."""


def unfinished_games(history: History, choose: Callable[[SavedMatch], None]) -> ListScreen:
    """Return the list of unfinished games, the newest first."""
    damaged: list[StoreError] = []
    found = [*islice(history.unfinished(damaged.append), MOST_SHOWN)]
    items = []
    for saved in found:
        when = local_time(saved.path.stat().st_mtime)
        item = Text(no_wrap=True, overflow="ellipsis").append(f"{when:%d %b %H:%M}  ", QUIET)
        item.append(summary(saved.match))
        items.append(item)
    message = "Enter continues a game." if found else "There are no unfinished games."
    if damaged:
        files = "1 file" if len(damaged) == 1 else f"{len(damaged)} files"
        message += f" {files} cannot be read. To see why: {program()} history"
    return ListScreen("Continue a game", items, lambda at: choose(found[at]), message)


def rules_list() -> ListScreen:
    """Return the list of games; each opens its rules."""
    items = []
    for key in rule_book_keys():
        book = rule_book(key).book
        item = Text(no_wrap=True, overflow="ellipsis").append(f"{key:<11}", "bold #ffd166")
        item.append(f"{book.title}: {book.move}")
        items.append(item)

    def open_rules(at: int) -> None:
        screen.app.push_screen(rules_of(rule_book_keys()[at]))

    screen = ListScreen("Rules", items, open_rules, "Enter opens the rules of a game.")
    return screen
