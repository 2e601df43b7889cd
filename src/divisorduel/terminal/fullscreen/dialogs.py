"""Short questions in a window: yes or no, or a line of text."""

from pathlib import Path
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.screen import ModalScreen
from textual.widgets import Button, Input, Static

from divisorduel.store.atomic_file import StoreError, unusable
from divisorduel.store.output import is_standard_output


class Confirm(ModalScreen[bool]):
    """Asks whether to do something that cannot be undone. The safe answer has the focus."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y", "answer(True)", "Yes"),
        Binding("n,escape,q", "answer(False)", "No"),
        Binding("left,up", "app.focus_previous", "Previous button", show=False),
        Binding("right,down", "app.focus_next", "Next button", show=False),
    ]
    AUTO_FOCUS = "#no"

    def __init__(self, question: str, yes: str, no: str) -> None:
        super().__init__()
        self._question = question
        self._yes = yes
        self._no = no

    def compose(self) -> ComposeResult:
        """Show the question and two buttons."""
        with Vertical(classes="dialog"):
            yield Static(self._question, markup=False)
            with Horizontal(classes="buttons"):
                yield Button(f"{self._no} (n)", id="no", compact=True)
                yield Button(f"{self._yes} (y)", id="yes", compact=True, variant="warning")

    @on(Button.Pressed)
    def _pressed(self, event: Button.Pressed) -> None:
        self.dismiss(event.button.id == "yes")

    def action_answer(self, is_yes: bool) -> None:
        """Answer with a key."""
        self.dismiss(is_yes)


def named_file(name: str) -> Path:
    """Return the file that a player names. Raises `StoreError` for the screen's own output."""
    with unusable(name, "written"):
        path = Path(name).expanduser()
    if is_standard_output(path):
        raise StoreError(f"The screen uses standard output ({name}). Type a file name.")
    return path


class AskLine(ModalScreen[str]):
    """Asks for a line of text; an empty answer means that the player changed their mind."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "dismiss('')", "Cancel")]

    def __init__(self, question: str, value: str = "") -> None:
        super().__init__()
        self._question = question
        self._value = value

    def compose(self) -> ComposeResult:
        """Show the question and a field."""
        with Vertical(classes="dialog"):
            yield Static(self._question, markup=False)
            yield Input(self._value, compact=True)
            yield Static("Enter to confirm, Esc to cancel", classes="quiet")

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Answer with the text."""
        self.dismiss(event.value.strip())
