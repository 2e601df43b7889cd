"""A match in full screen: take numbers, undo, give up, play again."""

from typing import TYPE_CHECKING, ClassVar, cast

from textual.binding import Binding, BindingType

from divisorduel.coach.quick_end import quick_end
from divisorduel.coach.review import Review, review
from divisorduel.play.commands import Command, Forfeit, Redo, Rematch, Take, Undo
from divisorduel.play.match import Match, other
from divisorduel.play.players import HUMAN, is_bot
from divisorduel.rules.catalogue import must_be_given
from divisorduel.store.match_files import StoreError
from divisorduel.terminal.fullscreen import sentences
from divisorduel.terminal.fullscreen.coached_screen import CoachedScreen
from divisorduel.terminal.fullscreen.dialogs import AskLine, Confirm, named_file
from divisorduel.terminal.fullscreen.review_screen import ReviewScreen
from divisorduel.terminal.fullscreen.sentences import Said
from divisorduel.terminal.local_match import ChosenMove, LocalMatch, LocalOutcome
from divisorduel.terminal.terminal import printable
from divisorduel.words.advice import GUESSING
from divisorduel.words.quick_ends import longer_text, quick_end_text
from divisorduel.words.refusals import refusal_text
from divisorduel.words.reviews import summary

if TYPE_CHECKING:
    from divisorduel.terminal.fullscreen.duel_app import DuelApp

LONG = 1.0
"""If a computer player has thought for more seconds than this, the bell rings."""
DELAY = 0.6
"""A computer player waits this long before its move, so that people can follow."""


class MatchScreen(CoachedScreen, inherit_bindings=False):
    """One match, from its first move or where it was left."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            "enter", "choose", "Take", tooltip="Take the number in brackets, or the one you typed"
        ),
        *CoachedScreen.COACH,
        Binding(
            "u",
            "undo",
            "Undo",
            tooltip="Undo: take back the last move; against a computer, your last one",
        ),
        Binding("r", "redo", "Redo", show=False, tooltip="Redo: make an undone move again"),
        Binding("v", "review", "Review", tooltip="Review: which moves were mistakes"),
        Binding("n", "rematch", "Play again"),
        Binding("space", "pause", "Pause", tooltip="Pause, or continue"),
        *CoachedScreen.COMMON,
        Binding("w", "why", "Why", tooltip="Why: who is winning, and how"),
        Binding("f", "forfeit", "Give up", tooltip="Give up this game"),
        Binding("s", "save", "Save", show=False, tooltip="Save the game to a file"),
    ]

    def __init__(self, local: LocalMatch, *, delay: float = DELAY) -> None:
        super().__init__()
        self.local = local
        self._delay = delay
        self._is_paused = False
        self._has_warned = False
        self.advice = _before_the_game(local.match)

    @property
    def match(self) -> Match:
        """The match as it is now."""
        return self.local.match

    @property
    def _is_waiting(self) -> bool:
        return self.match.computer_to_move is not None

    @property
    def _is_watched(self) -> bool:
        return self.match.is_computer(1) and self.match.is_computer(2)

    @property
    def can_take(self) -> bool:
        """Whether a person is to move, and sees the board as it is now."""
        return not (self.match.over or self._is_waiting or self.is_earlier)

    def on_mount(self) -> None:
        """Say who starts, and let a computer player move."""
        said = [*self.local.notices, self.match.game.note, sentences.turn(self.match)]
        self.say(Said(" ".join(filter(None, said))))
        self._continue()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Hide the keys that do nothing now."""
        over, is_player = self.match.over, not self._is_watched
        match action:
            case "review" | "rematch":
                return over
            case "pause":
                return self._is_watched and not over
            case "choose" | "hint" | "why" | "forfeit":
                return is_player and not over
            case "undo" | "redo":
                return is_player and self.match.undo
        return super().check_action(action, parameters)

    def choose(self, number: int) -> None:
        """Take a number; ask first if a wrong number would lose the game."""
        if self.is_earlier:
            self.say(Said("This is an earlier turn. Press Esc to return to the game.", "reason"))
            return
        refusal = None if self.match.over else self.match.move_refusal(number)
        if refusal and self.match.game.book.wrong_number == "forfeit" and not self._is_waiting:
            question = f"{refusal_text(refusal, self.match)} A wrong number loses the game."
            self._submit_if(question, "Take it", "Go back", Take(number))
        else:
            self._submit(Take(number))

    def _submit(self, command: Command) -> None:
        """Carry out a player's command, unless it is a computer's turn."""
        if self._is_waiting:
            self._say_whose_turn()
        else:
            self._carry_out(command)

    def _say_whose_turn(self) -> None:
        name = self.match.name(self.match.current.to_move)
        self.say(Said(f"It is {name}'s turn.", "reason"))

    def _submit_if(self, question: str, yes: str, no: str, command: Command) -> None:
        def decided(is_yes: bool | None) -> None:
            if is_yes:
                self._submit(command)

        self.app.push_screen(Confirm(question, yes, no), decided)

    def _carry_out(self, command: Command) -> None:
        """Decide and save, then show what happened."""
        self._show_outcome(self.local.submit(command))

    def _show_outcome(self, outcome: LocalOutcome) -> None:
        """Show what a command did, or why it is refused."""
        said = sentences.happened(outcome.decision)
        if outcome.notices:
            said = Said(" ".join(outcome.notices), "notice")
        if outcome.decision.refusal is None:
            self.thinker.drop()
            self.forget_advice()
        else:
            cast("DuelApp", self.app).ring()
        self.say(said)
        self.show_all()
        self._continue()

    def _continue(self) -> None:
        """Let a computer player move; once the match is over, find out who was winning when."""
        if self._is_waiting and not self._is_paused:
            name = self.match.name(self.match.current.to_move)
            self.thinker.start(
                f"{name} is thinking",
                self.local.choose,
                self._play,
                on_stop=self._play_quickly,
                delay=self._delay,
            )
        elif self.match.over and self.review is None and self.match.current.moves:
            record = self.local.record
            self.thinker.start(
                "Reviewing the game",
                lambda judge: review(record, judge.budget()),
                self._show_review,
            )

    def _play(self, choice: ChosenMove) -> None:
        """Make the move of a computer player."""
        is_news = choice.is_guess and not self._has_warned
        if self.thinker.seconds > LONG:
            cast("DuelApp", self.app).ring()
        self._show_outcome(self.local.play(choice))
        if choice.remarks:
            self.advise(printable(" ".join(choice.remarks)))
        if is_news:
            self._has_warned = True
            self.advise(GUESSING)

    def _play_quickly(self) -> None:
        """Move at once for a computer player; an engine keeps its time, and is asked again."""
        if is_bot(self.match.computer_to_move or ""):
            self._continue()
        else:
            self._play(self.local.choose_quickly())

    def _show_review(self, found: Review) -> None:
        self.review = found
        self.advice = summary(found)
        self.show_all()

    def action_hint(self) -> None:
        """Give the next hint, unless a computer player is thinking."""
        if self._is_waiting:
            self._say_whose_turn()
        else:
            super().action_hint()

    def action_why(self) -> None:
        """Explain who wins, unless a computer player is thinking."""
        if self._is_waiting:
            self._say_whose_turn()
        else:
            super().action_why()

    def action_undo(self) -> None:
        """Take back the last move."""
        self._submit(Undo())

    def action_redo(self) -> None:
        """Make an undone move again."""
        self._submit(Redo())

    def action_forfeit(self) -> None:
        """Give up, once the player has confirmed it."""
        winner = self.match.name(other(self.match.current.to_move))
        question = f"Give up this game? Then {winner} wins."
        self._submit_if(question, "Give up", "Keep playing", Forfeit())

    def action_pause(self) -> None:
        """Stop two computer players for a while, or let them continue."""
        self._is_paused = not self._is_paused
        if self._is_paused:
            self.thinker.drop()
            self.say(Said("Paused. Press Space to continue."))
        else:
            self.say(Said(sentences.turn(self.match)))
            self._continue()

    def action_rematch(self) -> None:
        """Play again; a game that needs a number asks for a new one."""
        has_engine = any(map(is_bot, self.match.kinds))
        if must_be_given(self.match.game.book.key) and not has_engine:
            cast("DuelApp", self.app).ask_again(self.match)
        else:
            self._carry_out(Rematch())

    def action_review(self) -> None:
        """Show which moves were mistakes."""
        if self.review is None:
            self.say(Said("The review is not ready yet. Try again in a moment.", "reason"))
            self._continue()
        else:
            self.app.push_screen(ReviewScreen(self.match, self.review))

    def action_leave(self) -> None:
        """Leave the match; every move is saved."""
        cast("DuelApp", self.app).note_left(self.local)
        super().action_leave()

    def action_save(self) -> None:
        """Save the match in a file that the player names."""

        def named(file: str | None) -> None:
            if file:
                try:
                    self.say(Said(self.local.save_as(str(named_file(file)))))
                except StoreError as error:
                    self.say(Said(str(error), "reason"))

        self.app.push_screen(AskLine("Save the game as:", "game.duel"), named)


def _before_the_game(match: Match) -> str:
    """Say that the first move can end the game, before it is made."""
    is_watched = HUMAN not in match.kinds
    found = None if is_watched or match.current.moves else quick_end(match.game, match.start)
    return f"{quick_end_text(found)} {longer_text(found)}".strip() if found else ""
