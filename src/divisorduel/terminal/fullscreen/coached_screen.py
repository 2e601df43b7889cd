"""A match with a coach: hints, reasons, and steps back to earlier turns. It changes nothing."""

from typing import ClassVar

from textual.binding import Binding, BindingType

from divisorduel.coach.hints import LAST_STEP, Hint, hint
from divisorduel.coach.reasons import Reason, reason
from divisorduel.play.match import Match
from divisorduel.terminal.fullscreen import sentences
from divisorduel.terminal.fullscreen.board_screen import BoardScreen
from divisorduel.terminal.fullscreen.frames import after_turn
from divisorduel.terminal.fullscreen.sentences import Said
from divisorduel.terminal.fullscreen.tiles import BoardTiles, board_of
from divisorduel.words.advice import hint_text, reason_text


class CoachedScreen(BoardScreen):
    """Explains the position to the player to move, and shows earlier ones."""

    COACH: ClassVar[list[BindingType]] = [
        Binding("h", "hint", "Hint", tooltip="Hint; again for more"),
        Binding("left_square_bracket", "step(-1)", "Earlier turn", show=False, key_display="["),
        Binding("right_square_bracket", "step(1)", "Later turn", show=False, key_display="]"),
    ]

    def __init__(self) -> None:
        super().__init__()
        self._hints = 0
        self._hint: Hint | None = None
        self._reason: Reason | None = None
        self._turn: int | None = None

    @property
    def match(self) -> Match:
        """The match as it is now."""
        raise NotImplementedError

    @property
    def is_earlier(self) -> bool:
        """Whether an earlier turn is shown."""
        return self._turn is not None

    @property
    def shown(self) -> Match:
        """The match whose board is shown: as it is now, or after an earlier turn."""
        return self.match if self._turn is None else after_turn(self.match, self._turn)

    @property
    def moves_of(self) -> Match:
        """The match whose moves are listed: all of them, even if an earlier turn is shown."""
        return self.match

    @property
    def shown_turn(self) -> int | None:
        """The earlier turn that is shown."""
        return self._turn

    def marked_board(self) -> BoardTiles:
        """Return the board with the hint, and with the partner of the number under the cursor."""
        if self.is_earlier or not self.is_mounted:
            return board_of(self.shown)
        pairs = self._reason.pairs if self._reason else ()
        number = self.board_view.tile.number
        partner = next((sum(pair) - number for pair in pairs if number in pair), None)
        return board_of(self.match, hint=self._hint.move if self._hint else None, partner=partner)

    def advice_keys(self) -> str:
        """Name the keys that give advice, if they do now."""
        return "h hint   w why" if self.check_action("hint", ()) else ""

    def on_cursor(self) -> None:
        """Point out the partner of the number under the cursor."""
        if self._reason is not None:
            self.board_view.show(self.marked_board())

    def forget_advice(self) -> None:
        """Drop the hints and reasons for an earlier position."""
        self._hints, self._hint, self._reason, self._turn = 0, None, None, None
        self.advice, self.review = "", None

    def action_hint(self) -> None:
        """Give the next hint."""
        step, game, position = self._hints + 1, self.match.game, self.match.current.position

        def show(found: Hint) -> None:
            self._hints, self._hint = step, found
            more = "" if found.is_last else "Press h again for more."
            if found.code == "try":
                more = "Press w to see why you are losing."
            elif found.move is not None:
                more = "Press w for the reason."
            self.advise(f"{hint_text(found)} {more}".rstrip())
            if found.move is not None:
                self.board_view.move_to(found.move)

        self._turn = None
        self.thinker.start(
            "Looking for a hint",
            lambda judge: hint(game, position, step, judge),
            show,
            on_stop=self.say_stopped,
        )

    def action_why(self) -> None:
        """Explain who wins, without revealing a move that no hint has named."""
        game, position = self.match.game, self.match.current.position
        reveal = self._hints >= LAST_STEP

        def show(found: Reason) -> None:
            self._reason = found
            self.advise(reason_text(found))

        self._turn = None
        self.thinker.start(
            "Looking for the reason",
            lambda judge: reason(game, position, judge, reveal=reveal),
            show,
            on_stop=self.say_stopped,
        )

    def say_stopped(self) -> None:
        """Say that thinking was stopped, and whose turn it is."""
        self.say(Said(f"Stopped. {sentences.turn(self.match)}"))

    def action_step(self, turns: int) -> None:
        """Show the board after an earlier turn, or after a later one."""
        last = len(self.match.current.moves)
        now = last if self._turn is None else self._turn
        self._turn = max(0, now + turns)
        if self._turn >= last:
            self.action_return()
            return
        where = (
            f"After turn {self._turn} of {last}. [ earlier,"
            if self._turn
            else sentences.BEFORE_THE_FIRST
        )
        self.say(Said(f"{where} ] later, Esc back."))
        self.show_all()

    def action_return(self) -> None:
        """Return from an earlier turn to the game."""
        self._turn = None
        self.say(Said(sentences.turn(self.match)))
        self.show_all()

    def action_back(self) -> None:
        """Return from an earlier turn first."""
        if self.is_earlier and not self.thinker.is_busy:
            self.action_return()
        else:
            super().action_back()
