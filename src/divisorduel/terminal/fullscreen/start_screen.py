"""The start menu."""

from typing import TYPE_CHECKING, ClassVar, NamedTuple, cast

from rich.style import Style
from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.events import Resize
from textual.screen import Screen
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from divisorduel.terminal.fullscreen.key_line import KeyLine
from divisorduel.terminal.fullscreen.panels import QUIET
from divisorduel.terminal.fullscreen.text_screen import keys_of
from divisorduel.terminal.fullscreen.tiles import LOOKS, TileState

if TYPE_CHECKING:
    from divisorduel.terminal.fullscreen.duel_app import DuelApp


class StartScreenEntry(NamedTuple):
    """A line of the menu; `action` is an action of the app."""

    key: str
    label: str
    about: str
    action: str


ENTRIES = (
    StartScreenEntry("p", "Play", "a computer or a friend", "play"),
    StartScreenEntry("c", "Continue", "an unfinished game", "resume"),
    StartScreenEntry("z", "Puzzles", "find the winning move", "puzzles"),
    StartScreenEntry("w", "Watch", "two computers play", "watch"),
    StartScreenEntry("h", "History", "all your games", "history"),
    StartScreenEntry("t", "Statistics", "how often you won", "statistics"),
    StartScreenEntry("r", "Rules", "of all the games", "rules"),
    StartScreenEntry("s", "Settings", "names, opponent, sounds", "settings"),
    StartScreenEntry("q", "Quit", "", "leave"),
)
"""The menu. A new entry is one line here and one action of the app; it fits 40 columns."""
HIGH = 19
"""A window with fewer lines shows the menu without the numbers above it."""

_LOGO: tuple[tuple[str, TileState], ...] = (
    ("48", "taken-1"), ("24", "taken-2"), ("12", "taken-1"), (" 6", "taken-2"), (" 3", "takeable"),
)  # fmt: skip


class StartScreen(Screen[None], inherit_bindings=False):
    """Shows what can be done; every entry has a key."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *(Binding(e.key, f"app.{e.action}", e.label, show=e.key == "q") for e in ENTRIES),
        Binding("question_mark", "keys", "Keys", key_display="?"),
        Binding("escape", "app.leave", "Quit", show=False),
    ]
    AUTO_FOCUS = "OptionList"

    def compose(self) -> ComposeResult:
        """Show the name of the game, the menu and a message."""
        with Vertical(id="start-inner"):
            yield Static(id="logo")
            yield OptionList(*(Option(_line(entry)) for entry in ENTRIES), id="menu", compact=True)
        yield Static(id="message")
        yield KeyLine()

    def on_resize(self, event: Resize) -> None:
        """Leave room for the whole menu in a window with few lines."""
        self.query_one("#logo", Static).update(_logo(is_high=event.size.height >= HIGH))

    def on_screen_resume(self) -> None:
        """Say once what happened to the game that the player has just left."""
        app = cast("DuelApp", self.app)
        self.query_one("#message", Static).update(Text(app.note))
        app.note = ""

    async def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Do what the entry says."""
        await self.run_action(f"app.{ENTRIES[event.option_index].action}")

    def action_keys(self) -> None:
        """List the keys."""
        self.app.push_screen(keys_of(self))


def _logo(*, is_high: bool) -> Text:
    name = Text("D I V I S O R   D U E L", "bold #ffd166", justify="center")
    if not is_high:
        return name
    text = Text(justify="center")
    for number, state in _LOGO:
        look = LOOKS[state]
        text.append(f" {number} ", Style(color=look.ink, bgcolor=look.paper, bold=True))
        text.append(" ")
    text.append("\n\n").append_text(name).append("\n")
    text.append("games about divisors and multiples", QUIET)
    return text


def _line(entry: StartScreenEntry) -> Text:
    line = Text(no_wrap=True, overflow="ellipsis")
    line.append(f" {entry.key} ", "bold #ffd166")
    line.append(f" {entry.label:<10}", "bold")
    line.append(f" {entry.about}", QUIET)
    return line
