"""The statistics in full screen."""

from functools import partial

from rich.console import Group
from rich.text import Text
from textual import events
from textual.widgets import Static

from divisorduel.store.history import History, HistoryEntry
from divisorduel.store.match_files import StoreError
from divisorduel.terminal.daemon_thread import in_thread
from divisorduel.terminal.fullscreen.text_screen import STYLES, TextScreen
from divisorduel.terminal.plain.history_list import statistics_of

SLICE = 0.5
"""After how many seconds of looking for mistakes the statistics are shown again."""
MARGIN = 8
"""How many columns of the window the frame takes."""


class StatisticsScreen(TextScreen):
    """Shows what the player has achieved, while it judges the games not judged so far."""

    def __init__(self, history: History) -> None:
        super().__init__("Statistics", Text("Reading the games …"))
        self._history = history
        self.entries: list[HistoryEntry] | None = None

    def on_mount(self) -> None:
        """Read the games."""
        super().on_mount()
        self.run_worker(self._read())

    def on_resize(self, _event: events.Resize) -> None:
        """Fit the tables to the width."""
        self._show()

    async def _read(self) -> None:
        try:
            entries = await in_thread(self._history.entries)
        except StoreError as error:
            self.query_one("#text", Static).update(Text(str(error)))
            return
        while True:
            self.entries = entries
            self._show()
            judged = await in_thread(partial(self._history.judge, entries, SLICE))
            if judged == entries:  # all are judged, or those left are damaged
                return
            entries = judged

    def _show(self) -> None:
        if self.entries is None:
            return
        width = min(84, self.size.width) - MARGIN
        lines = [
            Text(text.removesuffix("\n"), STYLES.get(style, ""))
            for text, style, _ in statistics_of(self.entries, width)
        ]
        if missing := sum(not entry.is_judged for entry in self.entries):
            lines.append(
                Text(f"\nLooking for mistakes … Games left: {missing:,}", STYLES["reason"])
            )
        self.query_one("#text", Static).update(Group(*lines))
