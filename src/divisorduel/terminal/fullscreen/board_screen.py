"""A screen with a board, and beside it the players, the moves and some advice."""

from typing import TYPE_CHECKING, ClassVar

from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.screen import Screen
from textual.widgets import Static

from divisorduel.play.match import Match
from divisorduel.terminal.fullscreen import panels, sentences
from divisorduel.terminal.fullscreen.board_view import BoardView
from divisorduel.terminal.fullscreen.grid import side_width
from divisorduel.terminal.fullscreen.key_line import KeyLine
from divisorduel.terminal.fullscreen.sentences import Said, Tone
from divisorduel.terminal.fullscreen.text_screen import TextScreen, keys_of, rules_of
from divisorduel.terminal.fullscreen.thinker import Thinker
from divisorduel.terminal.fullscreen.tiles import LEGEND, BoardTiles, board_of

if TYPE_CHECKING:
    from divisorduel.coach.review import Review

LONGEST_TYPED = 60
NARROW = 60
"""A window with fewer columns has a short first line."""
_TONES: dict[Tone, str] = {"": "", "reason": "#ffd166", "notice": "#ffd166", "win": "bold #8fe39a"}


class BoardScreen(Screen[None]):
    """Shows a match. Subclasses say what happens when the player chooses a number.

    Their bindings include `COMMON`: the keys are shown in the order of the bindings.
    """

    READING: ClassVar[list[BindingType]] = [
        Binding("question_mark", "keys", "Keys", key_display="?", tooltip="These keys"),
        Binding("q", "leave", "Leave"),
        Binding("g", "rules", "Rules", tooltip="Rules of this game"),
    ]
    COMMON: ClassVar[list[BindingType]] = [
        *READING,
        Binding("escape", "back", "Stop thinking, or go back", show=False),
        Binding("backspace", "rub_out", "Delete a typed digit", show=False),
    ]
    AUTO_FOCUS = "BoardView"

    def __init__(self) -> None:
        super().__init__()
        self.thinker = Thinker(self)
        self.advice = ""
        self.review: Review | None = None
        self._said = self._lasting = Said("")
        self._typed = ""
        self._typed_to: int | None = None
        """Where typing has moved the cursor; None if something else has moved it since."""

    @property
    def shown(self) -> Match:
        """The match whose board is shown."""
        raise NotImplementedError

    @property
    def moves_of(self) -> Match:
        """The match whose moves are listed."""
        return self.shown

    @property
    def players_of(self) -> Match:
        """The match whose players are listed."""
        return self.shown

    @property
    def shown_turn(self) -> int | None:
        """The turn to point out in the list of moves."""
        return None

    def marked_board(self) -> BoardTiles:
        """Return the board with what is pointed out on it."""
        return board_of(self.shown)

    @property
    def can_take(self) -> bool:
        """Whether the player can take a number of the board that is shown."""
        return True

    @property
    def can_type(self) -> bool:
        """Whether a typed number can be chosen, now or in a moment."""
        return bool(self.check_action("choose", ()))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Hide the key that deletes a digit if none can be typed."""
        return self.can_type if action == "rub_out" else True

    def advice_keys(self) -> str:
        """Name the keys that give advice."""
        return ""

    def choose(self, number: int) -> None:
        """React to a number that was typed, clicked on, or chosen with Enter."""
        raise NotImplementedError

    def title_text(self) -> str:
        """Return the first line of the screen; a narrow window leaves out the title of the book."""
        return sentences.title(self.shown, is_short=self.size.width < NARROW)

    def compose(self) -> ComposeResult:
        """Put the board on the left, the panels on the right, and a message below."""
        yield Static(id="title")
        yield Static(id="player-line")
        with Horizontal(id="main"):
            yield BoardView(self.marked_board(), id="board")
            with Vertical(id="side"):
                yield Static(id="players")
                with VerticalScroll(id="moves-box", can_focus=False):
                    yield Static(id="moves")
                yield Static(id="advantage")
                with VerticalScroll(id="advice-box", can_focus=False):
                    yield Static(id="advice")
        yield Static(id="message")
        yield KeyLine()

    @property
    def board_view(self) -> BoardView:
        """The board."""
        return self.query_one("#board", BoardView)

    def on_mount(self) -> None:
        """Show everything, and check the progress of computations now and then."""
        self.set_interval(0.2, self._show_progress)
        self.show_all()

    def on_resize(self, event: events.Resize) -> None:
        """Fit the board and the panels to the window."""
        self.lay_out(event.size.width)
        self.show_all()

    def lay_out(self, window: int) -> None:
        """Give the panels their share of the window, or hide them in a narrow one."""
        width = side_width(window, self.marked_board().digits)
        side = self.query_one("#side")
        side.display = width > 0
        side.styles.width = width
        self.query_one("#player-line").display = width == 0
        self.board_view.styles.margin = (0, 1) if width else 0

    @property
    def has_panels(self) -> bool:
        """Whether the window is wide enough for panels beside the board."""
        return bool(self.query_one("#side").display)

    def say(self, said: Said) -> None:
        """Show a message under the board; a refusal only until the player does something else."""
        self._said = said
        if said.tone != "reason":
            self._lasting = said
        self._show_message()

    def _drop_refusal(self) -> None:
        """Show again what was said before a refusal."""
        self._said = self._lasting

    def advise(self, text: str) -> None:
        """Show some advice, in its panel or in a window of its own."""
        self.advice = text
        self._drop_refusal()
        self.show_all()
        if self.has_panels:
            self.call_after_refresh(self._open_if_cut)
        elif len(text) > 2 * (self.size.width - 2) - 8:  # two lines
            self._open_advice()
        else:
            self.say(Said(text))

    def _open_if_cut(self) -> None:
        """Show advice that does not fit in its panel in a window of its own."""
        side, box = self.query_one("#side"), self.query_one("#advice-box")
        is_cut = box.max_scroll_y > 0 or box.region.bottom > side.region.bottom
        if is_cut and self.is_current:
            self._open_advice()

    def _open_advice(self) -> None:
        self.app.push_screen(TextScreen("Advice", Text(self.advice)))

    def show_all(self) -> None:
        """Show the match as it is now."""
        inner = max(10, side_width(self.size.width, self.board_view.board.digits) - 4)
        self.board_view.show(self.marked_board())
        self._update("title", self.title_text())
        self._update("player-line", panels.player_line(self.players_of))
        self._update("players", panels.players(self.players_of, inner + 2))
        self._update("moves", panels.moves(self.moves_of, inner, self.shown_turn))
        self._update("advantage", panels.advantage(self.review, inner))
        self.query_one("#side").set_class(self.review is not None, "reviewed")
        self._update("advice", self.advice or Text(self.advice_keys(), panels.QUIET))
        if self.shown_turn is None:
            self.query_one("#moves-box").scroll_end(animate=False)
        self._show_message()
        self.refresh_bindings()

    def _update(self, name: str, content: str | Text) -> None:
        text = Text(content) if isinstance(content, str) else content
        self.query_one(f"#{name}", Static).update(text)

    def _show_progress(self) -> None:
        if self.thinker.is_busy:
            self._show_message()

    def _show_message(self) -> None:
        """Show the message and, if it fits in one line, what is under the cursor in the other.

        A typed number is always shown.
        """
        progress = self.thinker.progress()
        said = Said(progress) if progress else self._said
        text = Text().append(said.text, _TONES[said.tone])
        second = self._second_line()
        if self._typed:
            text.truncate(self.size.width - 2, overflow="ellipsis")
        if text.cell_len <= self.size.width - 2 and second != said.text:
            text.append("\n")
            text.append(second, panels.QUIET)
        self._update("message", text)

    def _second_line(self) -> str:
        if self._typed:
            return f"Number: {self._typed}▏ Enter takes it."
        return self.about_cursor()

    def about_cursor(self) -> str:
        """Say what the tile under the cursor is to the player who can take it."""
        return sentences.about(self.board_view.tile, self.shown) if self.can_take else ""

    def on_key(self, event: events.Key) -> None:
        """Collect digits; the cursor moves to the number."""
        if event.character and event.character in "0123456789" and self.can_type:
            self._typed = (self._typed + event.character)[:LONGEST_TYPED]
            self.board_view.move_to(int(self._typed))
            self._typed_to = self.board_view.cursor
            self._drop_refusal()
            self._show_message()
            event.stop()
        elif event.character and event.character.isalpha() and not self._is_bound(event.key):
            self.say(Said(f"{event.character} does nothing here. Press ? for the keys.", "reason"))

    def _is_bound(self, key: str) -> bool:
        active = self.active_bindings.get(key)
        return active is not None and active.enabled

    def action_rub_out(self) -> None:
        """Delete the digit typed last."""
        self._typed = self._typed[:-1]
        self._show_message()

    def action_choose(self) -> None:
        """Choose the number that was typed, or the one under the cursor."""
        number = int(self._typed) if self._typed else self.board_view.tile.number
        self._typed = ""
        self._show_message()
        self.choose(number)

    def on_board_view_clicked(self) -> None:
        """Choose the number that was clicked on."""
        self._typed = ""
        self.action_choose()

    def on_board_view_cursor_moved(self) -> None:
        """Say what is under the cursor now."""
        if self.board_view.cursor != self._typed_to:
            self._typed, self._typed_to = "", None
            self._drop_refusal()
        self.on_cursor()
        self._show_message()

    def on_cursor(self) -> None:
        """React to a new place of the cursor."""

    def action_keys(self) -> None:
        """List the keys, and what the signs on the board mean."""
        legend = LEGEND if self.review is None else {**LEGEND, **panels.ADVANTAGE_LEGEND}
        self.app.push_screen(keys_of(self, legend))

    def action_rules(self) -> None:
        """Show the rules of the game."""
        game = self.shown.game
        self.app.push_screen(rules_of(game.book.key, game))

    def action_back(self) -> None:
        """Stop thinking, clear what was typed, or leave."""
        if self.thinker.stop():
            return
        if self._typed:
            self._typed = ""
            self._show_message()
            return
        self.action_leave()

    def action_leave(self) -> None:
        """Leave the screen."""
        self.thinker.drop()
        self.dismiss()
