"""The history in full screen: every game, to review, continue, export or delete."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import ClassVar

from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import Screen
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from divisorduel.coach.review import Review, review
from divisorduel.play.match import Match
from divisorduel.record.match_records import match_to_records
from divisorduel.store.history import History, HistoryEntry
from divisorduel.store.match_files import SavedMatch, StoreError, read_match
from divisorduel.store.output import PATIENCE, AlreadyExists
from divisorduel.system import program
from divisorduel.terminal.daemon_thread import in_thread
from divisorduel.terminal.fullscreen.dialogs import AskLine, Confirm, named_file
from divisorduel.terminal.fullscreen.key_line import KeyLine
from divisorduel.terminal.fullscreen.list_screen import MOST_SHOWN, ListScreen
from divisorduel.terminal.fullscreen.panels import QUIET
from divisorduel.terminal.fullscreen.review_screen import ReviewScreen
from divisorduel.terminal.fullscreen.text_screen import keys_of
from divisorduel.terminal.fullscreen.thinker import Thinker
from divisorduel.terminal.plain.history_list import described
from divisorduel.words import results as words

SLICE = 0.3
"""After how many seconds of looking for mistakes the list is shown again."""
WIDE = 70
"""From this many columns on, a row has the date, the board and the mistakes."""

WIDEST = 77
"""With more columns, the board gets more of them."""


class HistoryScreen(Screen[None], inherit_bindings=False):
    """Lists the games, most recent first. Enter reviews or continues a game."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "open", "Open", priority=True, tooltip="Review or continue the game"),
        Binding("question_mark", "keys", "Keys", key_display="?", tooltip="These keys"),
        Binding("escape,q", "back", "Back", key_display="Esc"),
        Binding("e", "export", "Export", tooltip="Export: write the game to a file"),
        Binding("d", "delete", "Delete", tooltip="Delete the game for good"),
    ]
    AUTO_FOCUS = "OptionList"

    def __init__(self, history: History, resume: Callable[[SavedMatch], None]) -> None:
        super().__init__()
        self.thinker = Thinker(self)
        self.entries: list[HistoryEntry] = []
        self._history = history
        self._resume = resume
        self._said = "Reading the games …"

    def compose(self) -> ComposeResult:
        """Show a heading, the games and a message."""
        yield Static("History", id="title")
        yield Static(id="heads")
        yield OptionList(id="list", compact=True)
        yield Static(id="message")
        yield KeyLine()

    def on_mount(self) -> None:
        """Check the progress of computations now and then."""
        self.set_interval(0.2, self._show_message)

    def on_screen_resume(self) -> None:
        """Read the games, and again after one is reviewed or deleted."""
        self.run_worker(self._read(), exclusive=True, group="reading")

    def on_resize(self, _event: events.Resize) -> None:
        """Fit the rows to the width."""
        self._show_rows()

    async def _read(self) -> None:
        """List the games, then look for mistakes in those that have not been judged."""
        damaged: list[StoreError] = []
        try:
            found = await in_thread(lambda: self._history.entries(damaged.append))
        except StoreError as error:
            self.say(str(error))
            return
        self.entries = found[:MOST_SHOWN]
        if not self.entries:
            self.say("There are no games yet.")
        elif damaged:
            files = "1 file" if len(damaged) == 1 else f"{len(damaged)} files"
            self.say(f"{files} cannot be read. To see why: {program()} history")
        elif self._said.startswith("Reading"):
            older = len(found) - len(self.entries)
            self.say(f"{older:,} more: {program()} history --all lists all games." if older else "")
        self._show_rows()
        while waiting := [entry for entry in self.entries if not entry.is_judged]:
            judged = await in_thread(partial(self._history.judge, waiting, SLICE))
            new = {entry.name: entry for entry in judged if entry.is_judged}
            if not new:  # the files are damaged
                break
            self.entries = [new.get(entry.name, entry) for entry in self.entries]
            self._show_rows()

    def _show_rows(self) -> None:
        """Show the games as they are known now; the same game stays chosen."""
        table = self.query_one("#list", OptionList)
        chosen = self.chosen
        name = chosen.name if chosen else ""
        at = table.highlighted or 0
        width = self.size.width - 3  # one on the left, two on the right for the scrollbar
        self.query_one("#heads", Static).update(_heads(width))
        table.clear_options()
        table.add_options(Option(_row(entry, width), id=entry.name) for entry in self.entries)
        if self.entries:
            names = [entry.name for entry in self.entries]
            table.highlighted = names.index(name) if name in names else min(at, len(names) - 1)
        self.refresh_bindings()

    @property
    def chosen(self) -> HistoryEntry | None:
        """The game under the cursor."""
        table = self.query_one("#list", OptionList)
        if table.highlighted is None or table.highlighted >= table.option_count:
            return None
        name = table.get_option_at_index(table.highlighted).id
        return next((entry for entry in self.entries if entry.name == name), None)

    def say(self, text: str) -> None:
        """Show a message below the games."""
        self._said = text
        self._show_message()

    def _show_message(self) -> None:
        text = Text(self.thinker.progress() or self._said, "#ffd166")
        if not text and self.size.width - 3 < WIDE and self.chosen:
            text = Text(f"Game {self.chosen.number}, {self.chosen.when:%Y-%m-%d %H:%M}", QUIET)
        self.query_one("#message", Static).update(text)

    def on_option_list_option_highlighted(self) -> None:
        """Name the game under the cursor, if its row is too short for that."""
        self._show_message()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer what needs a game only if there is one."""
        return self.chosen is not None if action in ("open", "export", "delete") else True

    def on_option_list_option_selected(self) -> None:
        """Open the game that was clicked on."""
        self.action_open()

    def action_open(self) -> None:
        """Review a finished game, or continue an unfinished one."""
        entry = self.chosen
        if entry is None:
            return
        try:
            saved = read_match(self._history.path(entry))
        except StoreError as error:
            self.say(str(error))
            return
        match, rounds = saved.match, len(saved.match.played)
        if not match.over:
            self._resume(saved)
        elif rounds == 1:
            self._review(entry, saved, 1)
        else:
            items = [_round_line(match, number) for number in range(1, rounds + 1)]
            self.app.push_screen(
                ListScreen(
                    "Which round?", items, lambda at: self._chose_round(entry, saved, at + 1)
                )
            )

    def _chose_round(self, entry: HistoryEntry, saved: SavedMatch, number: int) -> None:
        self.app.pop_screen()
        self._review(entry, saved, number)

    def _review(self, entry: HistoryEntry, saved: SavedMatch, number: int) -> None:
        """Look for the mistakes in a round, then show them."""
        match = replace(saved.match, played=saved.match.played[:number])
        record = match_to_records(match, saved.heading)[-1]

        def show(found: Review) -> None:
            if entry.summary.rounds == 1:
                self._history.note_reviews(entry, [found])
            self.say("")
            self.app.push_screen(ReviewScreen(match, found))

        self.thinker.start(
            "Reviewing the game",
            lambda judge: review(record, judge.budget()),
            show,
            on_stop=lambda: self.say("Stopped."),
        )

    def action_export(self) -> None:
        """Write the game to a file that the player names."""
        entry = self.chosen
        if entry is None:
            return

        def named(file: str | None) -> None:
            if file:
                self._export(entry, file, force=False)

        usual = f"{entry.summary.key}-{entry.number}.duel"
        self.app.push_screen(AskLine("Export the game to this file:", usual), named)

    def _export(self, entry: HistoryEntry, file: str, *, force: bool) -> None:
        """Write the game; ask before a file is replaced."""

        def decided(is_yes: bool | None) -> None:
            if is_yes:
                self._export(entry, file, force=True)

        try:
            path = named_file(file)
            self._history.export(entry, path, force=force, patience=PATIENCE)
            self.say(f"Written to {path}.")
        except AlreadyExists:
            self.app.push_screen(Confirm(f"Replace the file {file}?", "Replace", "Keep"), decided)
        except StoreError as error:
            self.say(str(error))

    def action_delete(self) -> None:
        """Delete the game, once the player has confirmed it."""
        entry = self.chosen
        if entry is None:
            return

        def decided(is_yes: bool | None) -> None:
            if is_yes:
                try:
                    self._history.delete(entry)
                    self.say(f"Game {entry.number} was deleted.")
                except StoreError as error:
                    self.say(str(error))

        question = f"Delete this game for good?\n{described(entry)}"
        self.app.push_screen(Confirm(question, "Delete", "Keep"), decided)

    def action_keys(self) -> None:
        """List the keys."""
        self.app.push_screen(keys_of(self, words.MISTAKE_SIGNS))

    def action_back(self) -> None:
        """Stop a review, or leave."""
        if not self.thinker.stop():
            self.dismiss()


def _heads(width: int) -> Text:
    """Return the headings of the columns."""
    if width < WIDE:
        return _columns(width, ("game", "players", "result"))
    return _columns(width, ("   #", "date", "game", "board", "players", "result", "mistakes"))


def _row(entry: HistoryEntry, width: int) -> Text:
    """Return a game in one line of that width."""
    summary = entry.summary
    key, board, opponent = summary.key, words.board(summary), words.opponent(summary)
    result = words.result(summary)
    colour = QUIET if not summary.is_over else "#8fe39a" if summary.is_won else ""
    if width < WIDE:
        return _columns(width, (f"{key} {board}", opponent, result), ("bold", "", colour))
    number, when = f"{entry.number:>4}", f"{entry.when:%Y-%m-%d %H:%M}"
    return _columns(
        width,
        (number, when, key, board, opponent, result, f"{words.mistakes(entry):>8}"),
        ("bold #ffd166", QUIET, "bold", "", "", colour, ""),
    )


def _columns(width: int, texts: Sequence[str], styles: Sequence[str] = (QUIET,) * 7) -> Text:
    """Put texts in columns; the board and then the opponent get the space that is left."""
    board = 8 + max(0, min(width - WIDEST, 12))
    widths = [15, 0, 10] if len(texts) == 3 else [4, 16, 9, board, 0, 11, 8]
    widths[widths.index(0)] = width - sum(widths) - len(widths) + 1
    cells = []
    for text, style, columns in zip(texts, styles, widths, strict=False):
        cell = Text(text, style)
        cell.truncate(max(1, columns), overflow="ellipsis", pad=True)
        cells.append(cell)
    row = Text(" ").join(cells)
    row.no_wrap = True
    return row


def _round_line(match: Match, number: int) -> Text:
    winner = match.played[number - 1].winner
    return Text(f"Round {number}: {match.name(winner)} won" if winner else f"Round {number}")
