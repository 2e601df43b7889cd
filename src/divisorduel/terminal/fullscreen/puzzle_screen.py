"""Puzzles in full screen: find the one move that wins."""

from collections.abc import Iterable
from dataclasses import replace
from random import Random
from typing import ClassVar, cast

from textual.binding import Binding, BindingType

from divisorduel.coach.puzzles import LEVELS, Puzzle, puzzle
from divisorduel.coach.reasons import Reason, reason
from divisorduel.play.match import Match
from divisorduel.rules.catalogue import rule_book, rule_book_keys
from divisorduel.rules.game import Game
from divisorduel.terminal.fullscreen import sentences
from divisorduel.terminal.fullscreen.board_screen import BoardScreen
from divisorduel.terminal.fullscreen.fields import Choice, Field
from divisorduel.terminal.fullscreen.form_screen import FormScreen
from divisorduel.terminal.fullscreen.frames import with_moves
from divisorduel.terminal.fullscreen.sentences import Said
from divisorduel.terminal.fullscreen.setup import GAMES
from divisorduel.terminal.fullscreen.tiles import BoardTiles, board_of
from divisorduel.terminal.stoppable_judge import StoppableJudge
from divisorduel.words.advice import reason_text
from divisorduel.words.listing import listing
from divisorduel.words.refusals import refusal_text

SIZE = 20
"""The boards of the puzzles end at this number: searching larger ones takes a long time."""
QUESTION = "Only one move wins. Which one?"
PUZZLES = {"": "any game"} | {
    key: GAMES[key] for key in rule_book_keys() if not rule_book(key).book.easy_win
}


class PuzzleFormScreen(FormScreen):
    """Asks for the game and the level of the puzzles."""

    heading = "Puzzles"

    def fields(self) -> Iterable[Field]:
        """Return the fields."""
        levels = {"": "any level"} | {str(level): f"level {level}" for level in LEVELS}
        yield Field("Game", Choice(PUZZLES, "", id="key"))
        yield Field("Level", Choice(levels, "2", id="level"))

    def about(self) -> str:
        """Say what a puzzle is."""
        return "Each puzzle is a position from a game. Find the one move that wins."

    def start(self) -> None:
        """Show the first puzzle."""
        level = self.value("level")
        chosen = [self.value("key")] if self.value("key") else [key for key in PUZZLES if key]
        self.app.push_screen(PuzzleScreen(chosen, int(level) if level else None))


class PuzzleScreen(BoardScreen, inherit_bindings=False):
    """Poses one puzzle after the other, and counts those solved at the first try."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            "enter", "choose", "Take", tooltip="Take the number in brackets, or the one you typed"
        ),
        Binding("h", "hint", "Hint"),
        Binding("n", "next", "Next", tooltip="Next puzzle"),
        Binding("w", "solution", "Solution", tooltip="Give up, and show the solution"),
        *BoardScreen.COMMON,
    ]

    def __init__(self, games: list[str], level: int | None, seed: int | None = None) -> None:
        super().__init__()
        self._games = games
        self._level = level
        self._rng = Random(seed)  # noqa: S311  # a game, not a secret
        self._puzzle: Puzzle | None = None
        self._match = _nothing(rule_book(games[0]).of_size(SIZE))
        self._wrong: list[int] = []
        """The moves that do not win, in the order in which hints name them."""
        self._hints = 0
        self._is_solved = self._has_failed = False
        self.streak = 0

    @property
    def puzzle(self) -> Puzzle | None:
        """The puzzle that is posed; None while one is being looked for."""
        return self._puzzle

    @property
    def shown(self) -> Match:
        """The position of the puzzle, after the solution once it is found."""
        return self._match

    @property
    def can_take(self) -> bool:
        """Whether the puzzle waits for an answer."""
        return self._puzzle is not None and not self._is_solved

    def marked_board(self) -> BoardTiles:
        """Return the board; it is empty while a puzzle is being looked for."""
        board = board_of(self._match)
        return board if self._puzzle else replace(board, numbers=(), last=None)

    def about_cursor(self) -> str:
        """Say what the tile under the cursor is, while the puzzle waits for an answer."""
        if not self.can_take:
            return ""
        return sentences.about(self.board_view.tile, _in_sentences(self._match))

    def title_text(self) -> str:
        """Name the puzzle, and count the streak."""
        streak = f" · {self.streak} in a row" if self.streak > 1 else ""
        if self._puzzle is None:
            return f"Puzzle{streak}"
        return f"Level {self._puzzle.level} puzzle · {super().title_text()}{streak}"

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Ignore the keys for a puzzle while one is being looked for."""
        match action:
            case "choose" | "rules":
                return self._puzzle is not None
            case "hint" | "solution":
                return self.can_take
            case "next":
                return self._puzzle is not None or not self.thinker.is_busy
        return super().check_action(action, parameters)

    def on_mount(self) -> None:
        """Look for the first puzzle."""
        self.action_next()

    def action_next(self) -> None:
        """Look for another puzzle."""
        board = rule_book(self._rng.choice(self._games)).of_size(SIZE)
        rng = Random(self._rng.random())  # noqa: S311  # a game, not a secret
        self._puzzle, self._match, self.advice = None, _nothing(board), ""

        def find(judge: StoppableJudge) -> Puzzle | None:
            return puzzle(board, rng, self._level, judge)

        self.thinker.start("Looking for a puzzle", find, self._pose, on_stop=self._stopped)
        self.say(Said("Looking for a puzzle …"))
        self.show_all()

    def _stopped(self) -> None:
        self.say(Said("Stopped. Press n for a puzzle."))
        self.refresh_bindings()

    def _pose(self, found: Puzzle | None) -> None:
        if found is None:
            self.say(Said("No puzzle was found. Press n to try again.", "notice"))
            self.refresh_bindings()
            return
        self._puzzle, self._hints = found, 0
        self._is_solved = self._has_failed = False
        self._match = with_moves(Match.of(found.game, names=("You", "Opponent")), found.taken)
        if self._match.current.to_move == 2:  # the player always solves for themselves
            names = ("Opponent", "You")
            self._match = with_moves(Match.of(found.game, names=names), found.taken)
        self._wrong = [move for move in found.game.moves(found.position) if move != found.solution]
        self._rng.shuffle(self._wrong)
        self.advice = QUESTION
        self.lay_out(self.size.width)
        self.show_all()
        self.say(Said(QUESTION))

    def choose(self, number: int) -> None:
        """Check an answer."""
        found = self._puzzle
        if found is None or self._is_solved:
            self.say(Said("Press n for the next puzzle."))
            return
        match = _in_sentences(self._match)
        if refusal := match.move_refusal(number):
            self.say(Said(refusal_text(refusal, match), "reason"))
        elif number == found.solution:
            self._solve("Right!", is_own=True)
        else:
            self._has_failed = True
            self.streak = 0
            position = found.game.after(found.position, number)
            self.thinker.start(
                "Looking for your opponent's answer",
                lambda judge: judge.best_move(found.game, position),
                lambda answer: self.say(
                    Said(f"No: your opponent answers {number} with {answer} and wins.", "reason")
                ),
            )

    def action_hint(self) -> None:
        """Say a little more each time."""
        found = self._puzzle
        if found is None or self._is_solved:
            return
        self._hints += 1
        if self._hints == 1:
            moves = len(self._wrong) + 1
            self.advise(
                f"Only one of your {moves} moves wins, and it does not end the game at once."
            )
            return
        told = min(len(self._wrong) - 1, (self._hints - 1) * -(-len(self._wrong) // 4))
        self.advise(_hint_text(sorted(self._wrong[:told])))

    def action_solution(self) -> None:
        """Give up, and show the solution."""
        if self._puzzle is not None and not self._is_solved:
            self.streak = 0
            self._solve(f"The solution is {self._puzzle.solution}.", is_own=False)

    def _solve(self, said: str, *, is_own: bool) -> None:
        found = cast("Puzzle", self._puzzle)
        self._is_solved = True
        self.streak += is_own and not self._has_failed
        self._match = with_moves(self._match, [found.solution])
        self.say(Said(f"{said} Press n for another one.", "win" if is_own else ""))
        self.show_all()

        def show(why: Reason) -> None:
            self.advise(reason_text(why))

        self.thinker.start(
            "Looking for the reason", lambda judge: reason(found.game, found.position, judge), show
        )


def _nothing(game: Game) -> Match:
    """Return a match to show while no puzzle is posed."""
    return Match.of(game, names=("You", "Opponent"))


def _in_sentences(match: Match) -> Match:
    """Return a match whose players have names that can stand inside a sentence."""
    names = ("you", "your opponent")
    return replace(match, names=names if match.names[0] == "You" else names[::-1])


def _hint_text(wrong: list[int]) -> str:
    """Name moves that do not win."""
    match wrong:
        case []:
            return "Only two moves are left: try one of them."
        case [move]:
            return f"{move} does not win."
    return f"{listing([*map(str, wrong)])} do not win."
