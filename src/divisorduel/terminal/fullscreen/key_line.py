"""The last line of a screen: the keys that do something now, as many as fit."""

from collections.abc import Sequence
from typing import NamedTuple

from rich.cells import cell_len
from rich.text import Text
from textual import events
from textual.widget import Widget

KEPT = ("start", "choose", "keys", "back", "leave", "dismiss")
"""The actions whose keys are shown first if not all of them fit; `?` lists the others."""


class KeyLabel(NamedTuple):
    """A key in the line."""

    key: str
    shown: str
    description: str
    action: str

    @property
    def width(self) -> int:
        """How many columns the label takes."""
        return cell_len(self.shown) + 1 + cell_len(self.description)


def fitting(labels: Sequence[KeyLabel], width: int) -> list[KeyLabel]:
    """Return the labels that fit in a line with a space between them, in their order.

    None is cut. Those in `KEPT` come first, then the others as they are given.
    """
    chosen: list[KeyLabel] = []
    left = width + 1
    for label in sorted(labels, key=lambda label: label.action.split("(")[0] not in KEPT):
        if label.width + 1 <= left:
            left -= label.width + 1
            chosen.append(label)
    return [label for label in labels if label in chosen]


class KeyLine(Widget):
    """Shows the keys that do something now; a click presses one."""

    ALLOW_SELECT = False

    def on_mount(self) -> None:
        """Follow the keys of the screen."""
        self.screen.bindings_updated_signal.subscribe(self, lambda _: self.refresh())

    @property
    def _labels(self) -> list[KeyLabel]:
        """The keys that fit, one for each action."""
        found: dict[str, KeyLabel] = {}
        for active in self.screen.active_bindings.values():
            binding = active.binding
            if binding.show and active.enabled:
                shown = self.app.get_key_display(binding)
                label = KeyLabel(binding.key, shown, binding.description, binding.action)
                found.setdefault(binding.action, label)
        return fitting([*found.values()], self.size.width)

    @property
    def _gap(self) -> int:
        """How many spaces are between two keys."""
        labels = self._labels
        is_wide = sum(label.width + 2 for label in labels) - 2 <= self.size.width
        return 2 if is_wide else 1

    def render(self) -> Text:
        """Draw the keys."""
        text, gap = Text(no_wrap=True), " " * self._gap
        for at, label in enumerate(self._labels):
            text.append(gap if at else "")
            text.append(label.shown, "bold #ffd166").append(f" {label.description}")
        return text

    def on_click(self, event: events.Click) -> None:
        """Press the key that was clicked on."""
        start, gap = 0, self._gap
        for label in self._labels:
            if start <= event.x < start + label.width:
                self.app.simulate_key(label.key)
            start += label.width + gap
