"""The fields of a form: one line each, changed with the arrow keys, by typing or with the mouse."""

from collections.abc import Mapping
from typing import ClassVar

from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.message import Message
from textual.reactive import reactive
from textual.widget import Widget
from textual.widgets import Input, Static


class Choice(Widget, can_focus=True):
    """One of several values, between arrows: left and right change it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "turn(-1)", "Previous", show=False),
        Binding("right", "turn(1)", "Change", key_display="←→"),
        Binding("space", "turn(1)", "Next", show=False),
    ]

    value: reactive[str] = reactive("")

    class Changed(Message):
        """Another value was chosen."""

        def __init__(self, field: str | None) -> None:
            self.field = field
            super().__init__()

    def __init__(self, values: Mapping[str, str], value: str, *, id: str) -> None:  # noqa: A002  # Textual's name
        super().__init__(id=id)
        self._values = dict(values)
        self.set_reactive(Choice.value, value)

    def offer(self, values: Mapping[str, str]) -> None:
        """Offer other values; the one chosen stays if it can."""
        self._values = dict(values)
        if self.value not in values:
            self.value = next(iter(values))
        self.refresh()

    def render(self) -> Text:
        """Draw the value between arrows."""
        text = Text("◂ ")
        text.append(self._values[self.value])
        text.append(" ▸")
        text.truncate(self.size.width, overflow="ellipsis")
        return text

    def watch_value(self) -> None:
        """Tell the form."""
        if self.is_mounted:
            self.post_message(self.Changed(self.id))

    def action_turn(self, steps: int) -> None:
        """Choose the next value, or the one before."""
        known = [*self._values]
        self.value = known[(known.index(self.value) + steps) % len(known)]

    def on_click(self, event: events.Click) -> None:
        """Choose the previous value with a click on the left arrow, the next one elsewhere."""
        self.action_turn(-1 if event.x < 2 else 1)


class TextLine(Input):
    """A line of text in a form."""

    def __init__(self, value: str, placeholder: str, *, id: str) -> None:  # noqa: A002  # Textual's name
        super().__init__(value, placeholder, id=id, compact=True, select_on_focus=False)


class Field(Horizontal):
    """A label and what is chosen for it."""

    def __init__(self, label: str, control: Choice | TextLine) -> None:
        super().__init__(id=f"field-{control.id}")
        self._label = label
        self._control = control

    def compose(self) -> ComposeResult:
        """Put the label on the left."""
        yield Static(self._label, classes="label")
        yield self._control
