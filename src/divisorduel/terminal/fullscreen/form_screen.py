"""A form in full screen: up and down move between its fields, Enter starts."""

from collections.abc import Iterable
from typing import ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.screen import Screen
from textual.widgets import Button, Static

from divisorduel.terminal.fullscreen.fields import Choice, Field, TextLine
from divisorduel.terminal.fullscreen.key_line import KeyLine
from divisorduel.terminal.fullscreen.text_screen import keys_of


class FormScreen(Screen[None], inherit_bindings=False):
    """Asks a few questions, each of which has a default."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "start", "Start", priority=True),
        Binding("up", "app.focus_previous", show=False, priority=True),
        Binding(
            "down",
            "app.focus_next",
            "Field",
            key_display="↑↓",
            priority=True,
            tooltip="Go to another field",
        ),
        Binding("tab", "app.focus_next", show=False),
        Binding("shift+tab", "app.focus_previous", show=False),
        Binding("escape", "dismiss", "Back", key_display="Esc"),
        Binding("f1", "keys", "Keys", key_display="F1"),
    ]
    AUTO_FOCUS = "Choice"
    heading = ""
    verb = "Start"
    """What the button says."""

    def fields(self) -> Iterable[Field]:
        """Return the fields."""
        raise NotImplementedError

    def about(self) -> str:
        """Say what the choices mean."""
        return ""

    def problem(self) -> str:
        """Say why the choices cannot be used; an empty text if they can."""
        return ""

    def start(self) -> None:
        """Do what the form is for. Raises `DuelError` if a choice cannot be used."""
        raise NotImplementedError

    def compose(self) -> ComposeResult:
        """Show a heading, the fields, what they mean, and a button."""
        yield Static(self.heading, id="title")
        with VerticalScroll(id="form", can_focus=False), Vertical(id="form-inner"):
            yield from self.fields()
            yield Static(id="about")
            yield Button(f"{self.verb}  ⏎", id="start", compact=True, variant="primary")
        yield Static(id="message")
        yield KeyLine()

    def on_mount(self) -> None:
        """Show what the choices mean."""
        self.changed()

    def changed(self) -> None:
        """Show what the choices mean now, and what is wrong with them."""
        self.query_one("#about", Static).update(Text(self.about()))
        self.complain(self.problem())

    def on_choice_changed(self, event: Choice.Changed) -> None:
        """React to a choice."""
        self.chosen(event.field or "")
        self.changed()

    def on_input_changed(self) -> None:
        """React to what is typed."""
        self.changed()

    def chosen(self, field: str) -> None:
        """Adapt other fields to a choice."""

    def value(self, field: str) -> str:
        """Return what is chosen in a field."""
        control = self.query_one(f"#{field}")
        return control.value if isinstance(control, Choice | TextLine) else ""

    def complain(self, text: str) -> None:
        """Say why a choice cannot be used."""
        self.query_one("#message", Static).update(Text(text, "#ffd166"))

    def on_button_pressed(self) -> None:
        """Start, as with Enter."""
        self.action_start()

    def action_start(self) -> None:
        """Start, or say what must be changed first."""
        from divisorduel.rules.errors import DuelError

        try:
            self.start()
        except DuelError as error:
            self.complain(str(error))

    def action_keys(self) -> None:
        """List the keys."""
        self.app.push_screen(keys_of(self))
