"""A review in full screen: every turn with its remark, and mistakes refuted on the board."""

from typing import ClassVar

from rich.text import Text
from textual.binding import Binding, BindingType

from divisorduel.coach.review import Judgement, Review
from divisorduel.play.match import Match
from divisorduel.terminal.fullscreen.board_screen import BoardScreen
from divisorduel.terminal.fullscreen.frames import after_turn, with_moves
from divisorduel.terminal.fullscreen.sentences import BEFORE_THE_FIRST, Said
from divisorduel.terminal.fullscreen.text_screen import TextScreen
from divisorduel.terminal.fullscreen.tiles import BoardTiles, board_of
from divisorduel.words.reviews import remark, summary


class ReviewScreen(BoardScreen, inherit_bindings=False):
    """Steps through a finished game. Enter plays the refutation of a mistake."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left,left_square_bracket", "step(-1)", show=False, priority=True),
        Binding(
            "right,right_square_bracket",
            "step(1)",
            "Step",
            key_display="←→",
            priority=True,
            tooltip="Step back or forward",
        ),
        Binding(
            "n,down",
            "mistake(1)",
            "Mistake",
            key_display="n",
            priority=True,
            tooltip="Next mistake",
        ),
        Binding("p,up", "mistake(-1)", "Previous mistake", show=False, priority=True),
        Binding("enter", "refute", "Line", priority=True, tooltip="Show how a mistake loses"),
        Binding("w", "read", "Read", tooltip="Read the whole remark"),
        Binding("home", "jump(0)", "Start of the game", show=False, priority=True),
        Binding("end", "jump(1)", "End of the game", show=False, priority=True),
        *BoardScreen.READING,
        Binding("escape", "back", "Go back", show=False),
    ]

    def __init__(self, match: Match, review: Review) -> None:
        super().__init__()
        self._match = match
        self.review = review
        self._turn = 0
        self._line: int | None = None
        """How many moves of the refutation are shown; None while the game itself is."""
        mistakes = review.mistakes
        if mistakes:
            self._turn = mistakes[0].turn
        self.advice = summary(review)

    @property
    def judgement(self) -> Judgement | None:
        """The judgement of the turn that is shown; None before the first turn."""
        assert self.review is not None  # noqa: S101  # it is given at the start
        return self.review.judgements[self._turn - 1] if self._turn else None

    @property
    def shown(self) -> Match:
        """The match after the turn that is shown, and after the moves of the refutation."""
        at = after_turn(self._match, self._turn)
        line = self.judgement.line if self.judgement and self._line is not None else ()
        return with_moves(at, line[: self._line])

    @property
    def moves_of(self) -> Match:
        """The whole game, or the game with its refutation."""
        return self._match if self._line is None else self.shown

    @property
    def shown_turn(self) -> int | None:
        """The turn to point out in the list of moves."""
        return self._turn + (self._line or 0)

    def marked_board(self) -> BoardTiles:
        """Return the board; after a mistake it points out the move that refutes it."""
        answer = self.judgement.answer if self.judgement and self._line is None else None
        return board_of(self.shown, hint=answer)

    def title_text(self) -> str:
        """Name the game, and say that this is a review."""
        return f"Review · {super().title_text()}"

    def on_mount(self) -> None:
        """Begin at the first mistake."""
        self._show()

    def about_cursor(self) -> str:
        """Say where in the game this is."""
        last = len(self._match.current.moves)
        if self._line is not None and self.judgement:
            return f"Best play, move {self._line} of {len(self.judgement.line)}. Esc goes back."
        where = f"After turn {self._turn} of {last}. ← →" if self._turn else f"{BEFORE_THE_FIRST} →"
        return f"{where} step, n next mistake."

    def choose(self, number: int) -> None:
        """Show the turn in which a number was taken."""
        moves = self._match.current.moves
        if number in moves:
            self._turn, self._line = moves.index(number) + 1, None
            self._show()

    def _show(self) -> None:
        judgement = self.judgement
        if judgement is None:
            self.say(Said("The start of the game."))
        elif self._line is not None:
            moves = ", ".join(map(str, judgement.line[: self._line])) or "…"
            self.say(Said(f"{judgement.move} loses: {moves}"))
        else:
            name = self._match.name(judgement.seat)
            said = f"{name} took {judgement.move}. {remark(judgement)}".strip()
            self.say(Said(said, "notice" if judgement.mistake else ""))
        self.show_all()
        shown = self.shown.current.moves
        if shown:
            self.board_view.move_to(shown[-1])

    def action_read(self) -> None:
        """Show a remark that is too long for the line below the board."""
        if self.judgement is not None:
            text = remark(self.judgement) or "Nothing better was possible."
            self.app.push_screen(TextScreen(f"Turn {self._turn}", Text(text)))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer the refutation after a mistake only."""
        if action == "refute":
            return bool(self.judgement and self.judgement.line)
        return action != "choose" and super().check_action(action, parameters)

    def action_step(self, turns: int) -> None:
        """Step through the game, or through the refutation."""
        if self._line is not None and self.judgement:
            self._line = max(0, min(len(self.judgement.line), self._line + turns))
        else:
            self._turn = max(0, min(len(self._match.current.moves), self._turn + turns))
        self._show()

    def action_jump(self, to: int) -> None:
        """Go to the start of the game, or to its end."""
        self._turn, self._line = to * len(self._match.current.moves), None
        self._show()

    def action_mistake(self, way: int) -> None:
        """Go to the next mistake, or to the previous one."""
        assert self.review is not None  # noqa: S101  # it is given at the start
        turns = [mistake.turn for mistake in self.review.mistakes]
        ahead = [turn for turn in turns[::way] if (turn - self._turn) * way > 0]
        if ahead:
            self._turn, self._line = ahead[0], None
            self._show()
        else:
            self.say(Said("There are no more mistakes in this direction."))

    def action_refute(self) -> None:
        """Play the next move of the refutation of a mistake."""
        self._line = 0 if self._line is None else self._line
        self.action_step(1)

    def action_back(self) -> None:
        """Return from a refutation to the game, or leave."""
        if self._line is None:
            self.action_leave()
        else:
            self._line = None
            self._show()
