"""Texts to read: the rules of a game, the keys of a screen, long advice."""

from collections.abc import Iterable, Mapping
from typing import ClassVar

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text
from textual.app import ComposeResult
from textual.binding import ActiveBinding, Binding, BindingType
from textual.containers import VerticalScroll
from textual.screen import ModalScreen, Screen
from textual.widgets import Input, Static

from divisorduel.rules.game import Game
from divisorduel.terminal.fullscreen.key_line import KeyLine
from divisorduel.terminal.plain.rules_text import guide
from divisorduel.terminal.terminal import Style, StyledText

STYLES: dict[Style, str] = {"heading": "bold #ffd166", "reason": "#ffd166", "win": "bold #8fe39a"}


class TextScreen(ModalScreen[None]):
    """A text that scrolls; Esc closes it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,enter,space", "dismiss", "Close", key_display="Esc"),
        Binding("up", "scroll(-1)", "Up", show=False),
        Binding("down", "scroll(1)", "Down", show=False),
    ]

    def __init__(self, heading: str, text: RenderableType) -> None:
        super().__init__()
        self._heading = heading
        self._text = text

    def compose(self) -> ComposeResult:
        """Show the text in a frame."""
        with VerticalScroll(id="page") as page:
            page.border_title = self._heading
            yield Static(self._text, id="text")
        yield KeyLine()

    def on_mount(self) -> None:
        """Let the arrow keys scroll the text."""
        self.query_one("#page").focus()

    def action_scroll(self, lines: int) -> None:
        """Scroll by some lines."""
        self.query_one("#page").scroll_relative(y=lines, animate=False)


def rules_of(key: str, played: Game | None = None) -> TextScreen:
    """Return the rules of a game, to read."""
    return TextScreen("Rules", styled(guide(key, played)))


def styled(texts: Iterable[StyledText]) -> Group:
    """Return texts of the plain terminal in colours; the lines of an item are indented alike."""
    blocks: list[RenderableType] = []
    for text, style, indent in texts:
        block = Text(text.strip("\n").lstrip(" -") if indent else text.rstrip("\n"))
        block.stylize(STYLES.get(style, ""))
        if indent:
            item = Table.grid(padding=(0, 1))
            item.add_row(" •", block)
            blocks.append(item)
        else:
            blocks.append(block)
    return Group(*blocks)


def keys_of(screen: Screen[None], legend: Mapping[str, str] | None = None) -> TextScreen:
    """Return the keys of a screen that do something now, then what its signs mean, to read."""
    table = Table.grid(padding=(0, 2))
    table.add_column(justify="right", style="bold #ffd166")
    rows = dict.fromkeys(
        (screen.app.get_key_display(active.binding), active.binding.tooltip or described)
        for active in screen.active_bindings.values()
        if (described := active.binding.description) and active.enabled and _is_ours(active)
    )
    for key, meaning in (*rows, *(("", ""),) * bool(legend), *(legend or {}).items()):
        table.add_row(key, meaning)
    return TextScreen("Keys", table)


def _is_ours(active: ActiveBinding) -> bool:
    """Tell our own keys from those of the toolkit, such as the many keys of a text field."""
    is_toolkit = type(active.node).__module__.startswith("textual.")
    return not (is_toolkit or isinstance(active.node, Input) or active.binding.system)
