"""Plays a match in plain lines: read a line, decide, save, show."""

import secrets
import time
from collections.abc import Iterable
from datetime import datetime
from random import Random

from divisorduel.coach.hints import hint
from divisorduel.coach.reasons import reason
from divisorduel.coach.review import review
from divisorduel.play.commands import Command, Forfeit, Redo, Rematch, Take, Undo
from divisorduel.play.decide import Decision, begin, decide
from divisorduel.play.events import Seat
from divisorduel.play.match import Match, other
from divisorduel.play.players import Judge, Player, player
from divisorduel.record.match_records import Heading, match_to_records
from divisorduel.store.match_files import ChangedElsewhere, MatchFile, StoreError, save_as
from divisorduel.system import program
from divisorduel.terminal.plain import transcript
from divisorduel.terminal.plain.input_parser import HELP, Unclear, Word, read_line
from divisorduel.terminal.plain.replay_view import show_review
from divisorduel.terminal.plain.rules_text import guide
from divisorduel.terminal.terminal import EndOfInput, StyledText, Terminal
from divisorduel.words.advice import GUESSING, hint_text, reason_text
from divisorduel.words.refusals import sentence

FINISHED, INPUT_ENDED, INTERRUPTED = 0, 3, 130
"""The exit statuses of a game."""

NOT_SAVED = "You can keep playing, but the game is not saved. To save it elsewhere, type save FILE."
SAVED_SEPARATELY = (
    "This game is also open in another window. From here on it is saved separately.\n"
)
_COMMANDS: dict[str, Command] = {"undo": Undo(), "redo": Redo(), "forfeit": Forfeit()}


def new_name() -> str:
    """Return a unique name for a match; names sort by time."""
    return f"{datetime.now().astimezone():%Y%m%d-%H%M%S}-{secrets.token_hex(3)}"


class PlainMatch:
    """One match, played at a terminal.

    A computer player pauses for `delay` seconds before each move; by default for a moment if a
    person is at the terminal.
    """

    def __init__(
        self,
        terminal: Terminal,
        match: Match,
        heading: Heading,
        file: MatchFile | None,
        *,
        is_saved: bool = False,
        resumed: bytes | None = None,
        seed: int | None = None,
        delay: float | None = None,
    ) -> None:
        self.match = match
        self._terminal = terminal
        self._heading = heading
        self._file = file
        self._is_saved = is_saved
        self._resumed = resumed
        self._save_error = ""
        self._rng = Random(seed)  # noqa: S311  # a game, not a secret
        self._delay = (0.6 if terminal.interactive else 0.0) if delay is None else delay
        self._judge = Judge()
        self._players: dict[Seat, Player | None] = {
            1: player(match.kinds[0], self._judge),
            2: player(match.kinds[1], self._judge),
        }
        self._hints = 0
        self._warned = False

    def play(self, opening: Iterable[StyledText]) -> int:
        """Play until the match is over or a player leaves, and return the exit status."""
        try:
            self._terminal.show(opening)
            self._show(begin(self.match))
            while self._play_turn():
                pass
        except EndOfInput:
            if self.match.over:
                return FINISHED
            self._terminal.complain(f"The input ended before the game did. {self._farewell()}")
            return INPUT_ENDED
        except KeyboardInterrupt:
            self._terminal.complain("" if self.match.over else f"\n{self._farewell()}")
            return INTERRUPTED
        return FINISHED

    def _play_turn(self) -> bool:
        """Let the player to move act; return whether the match continues."""
        if not self.match.over:
            computer = self._players[self.match.current.to_move]
            if computer is not None:
                self._play_computer(computer)
                return True
            return self._answer(read_line(self._terminal.ask(transcript.prompt(self.match))))
        if not self._terminal.interactive or all(self._players.values()):
            return False
        line = self._terminal.ask("\nPlay again? (yes, no or review): ")
        match line.strip().lower():
            case "no" | "n" | "":
                return False
            case "yes" | "y":
                self._submit(Rematch())
            case "r" | "review":
                record = match_to_records(self.match, self._heading)[-1]
                self._terminal.show(show_review(review(record)))
            case _:
                return self._answer(read_line(line))
        return True

    def _play_computer(self, computer: Player) -> None:
        match = self.match
        number = computer.choose(match.game, match.current.position, self._rng)
        if not self._warned and computer.is_guessing(match.game, match.current.position):
            self._warned = True
            self._terminal.say(f"{GUESSING}\n", "reason")
        self._terminal.flush()
        time.sleep(self._delay)
        self._submit(Take(number))

    def _answer(self, said: Take | Word | Unclear) -> bool:
        """Do what the player typed; return whether the match continues."""
        match said:
            case Word("quit"):
                if not self.match.over:
                    self._terminal.say(f"{self._farewell()}\n")
                return False
            case Take():
                self._submit(said)
            case Unclear(answer):
                self._terminal.say(f"{answer}\n", "reason")
            case Word("save", file):
                self._save_as(file)
            case Word(name) if name in _COMMANDS:
                self._submit(_COMMANDS[name])
            case Word(name):
                self._inform(name)
        return True

    def _inform(self, name: str) -> None:
        """Answer a command that does not change the match."""
        say, game, position = self._terminal.say, self.match.game, self.match.current.position
        match name:
            case "moves":
                say(*transcript.moves(self.match))
            case "history":
                self._terminal.show(transcript.history(self.match))
            case "hint" | "why" if self.match.over:
                say("The game is over.\n", "reason")
            case "hint":
                self._hints += 1
                given = hint(game, position, self._hints, self._judge)
                ask = ' (Type "why" to see the reason.)' if given.move is not None else ""
                say(f"{hint_text(given)}{ask}\n", "prose")
            case "why":
                say(f"{reason_text(reason(game, position, self._judge))}\n", "prose")
            case "rules":
                self._terminal.show(guide(game.book.key, game))
            case _:
                answer = '"yes", "no" or "review"' if self.match.over else "a number to play it"
                say(f"Type {answer}, or a command (its first letters are enough):\n")
                for command, meaning in HELP.items():
                    if self.match.undo or command not in ("undo", "redo"):
                        say(f"  {command:<8} {meaning}\n")

    def _submit(self, command: Command) -> None:
        """Carry out a command; the match is on disk before the player sees an answer."""
        decision = decide(self.match, self._seat(), command)
        if decision.refusal is not None:
            self._terminal.say(f"{sentence(decision.refusal, self.match)}\n", "reason")
            return
        self._hints = 0
        try:
            self.save(decision.match)
        except ChangedElsewhere:
            self._continue_separately()
            self.save(decision.match)
        self._show(decision)

    def _show(self, decision: Decision) -> None:
        self.match = decision.match
        for event, after in decision.steps:
            self._terminal.show(transcript.show(event, after))

    def _seat(self) -> Seat:
        """Return who acts: the player to move, but after the end never a computer player."""
        to_move = self.match.current.to_move
        return other(to_move) if self.match.over and self._players[to_move] else to_move

    def save(self, match: Match) -> None:
        """Save the match as it will be shown. If that fails, say so: the game can continue.

        Raises `ChangedElsewhere` if another program has changed the file.
        """
        if self._file is None:
            return
        try:
            self._file.save(match)
        except ChangedElsewhere:
            raise
        except StoreError as error:
            self._is_saved = self._is_saved and match is self.match  # which was saved before
            if str(error) != self._save_error:
                self._save_error = str(error)
                self._terminal.say(f"{error} {NOT_SAVED}\n", "reason")
        else:
            self._is_saved, self._save_error = True, ""

    def _continue_separately(self) -> None:
        if self._file is not None:
            self._file = self._file.with_name(new_name())
            self._heading = self._file.heading
            self._terminal.say(SAVED_SEPARATELY)

    def _save_as(self, file: str) -> None:
        try:
            path = save_as(self.match, self._heading, file, replaces=self._resumed)
        except StoreError as error:
            self._terminal.say(f"{error}\n", "reason")
        else:
            self._terminal.say(f"Saved to {path}.\n")

    def _farewell(self) -> str:
        if self._file is None:
            return "The game was not saved, because of --no-save."
        if not self._is_saved:
            if self._save_error:
                return f"The game could not be saved: {self._save_error}"
            return "No move was made, so there is nothing to save."
        return f"The game is saved. To continue: {program()} resume"
