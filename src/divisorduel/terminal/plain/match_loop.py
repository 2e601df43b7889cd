"""Plays a match in plain lines: read a line, decide, save, show."""

import time
from collections.abc import Iterable

from divisorduel.coach.hints import LAST_STEP, hint
from divisorduel.coach.reasons import reason
from divisorduel.coach.review import review
from divisorduel.play.commands import Command, Forfeit, Redo, Rematch, Take, Undo
from divisorduel.play.decide import Decision
from divisorduel.play.match import Match
from divisorduel.play.players import HUMAN, Judge
from divisorduel.store.match_files import StoreError
from divisorduel.terminal.local_match import LocalMatch
from divisorduel.terminal.plain import transcript
from divisorduel.terminal.plain.input_parser import HELP, Unclear, Word, read_line
from divisorduel.terminal.plain.replay_view import show_review
from divisorduel.terminal.plain.rules_text import guide
from divisorduel.terminal.terminal import EndOfInput, StyledText, Terminal
from divisorduel.words.advice import GUESSING, hint_text, reason_text
from divisorduel.words.refusals import sentence

FINISHED, INPUT_ENDED, INTERRUPTED = 0, 3, 130
"""The exit statuses of a game."""

_COMMANDS: dict[str, Command] = {"undo": Undo(), "redo": Redo(), "forfeit": Forfeit()}


class PlainMatch:
    """One match, played at a terminal.

    A computer player pauses for `delay` seconds before each move; by default for a moment if a
    person is at the terminal.
    """

    def __init__(
        self, terminal: Terminal, local: LocalMatch, *, delay: float | None = None
    ) -> None:
        self._terminal = terminal
        self._local = local
        self._delay = (0.6 if terminal.interactive else 0.0) if delay is None else delay
        self._judge = Judge()
        self._hints = 0
        self._warned = False

    @property
    def match(self) -> Match:
        """The match as it is now."""
        return self._local.match

    def play(self, opening: Iterable[StyledText]) -> int:
        """Play until the match is over or a player leaves, and return the exit status."""
        try:
            self._terminal.show(opening)
            self._show(self._local.opening)
            while self._play_turn():
                pass
        except EndOfInput:
            if self.match.over:
                return FINISHED
            self._terminal.complain(
                f"The input ended before the game did. {self._local.farewell()}"
            )
            return INPUT_ENDED
        except KeyboardInterrupt:
            self._terminal.complain("" if self.match.over else f"\n{self._local.farewell()}")
            return INTERRUPTED
        return FINISHED

    def _play_turn(self) -> bool:
        """Let the player to move act; return whether the match continues."""
        if not self.match.over:
            if self.match.computer_to_move:
                self._play_computer()
                return True
            return self._answer(read_line(self._terminal.ask(transcript.prompt(self.match))))
        if not self._terminal.interactive or HUMAN not in self.match.kinds:
            return False
        line = self._terminal.ask("\nPlay again? (yes, no or review): ")
        match line.strip().lower():
            case "no" | "n" | "":
                return False
            case "yes" | "y":
                self._submit(Rematch())
            case "r" | "review":
                self._terminal.show(show_review(review(self._local.record)))
            case _:
                return self._answer(read_line(line))
        return True

    def _play_computer(self) -> None:
        choice = self._local.choose(self._judge)
        if not self._warned and choice.is_guess:
            self._warned = True
            self._terminal.say(f"{GUESSING}\n", "reason")
        self._terminal.flush()
        time.sleep(self._delay)
        self._submit(Take(choice.number))

    def _answer(self, said: Take | Word | Unclear) -> bool:
        """Do what the player typed; return whether the match continues."""
        match said:
            case Word("quit"):
                if not self.match.over:
                    self._terminal.say(f"{self._local.farewell()}\n")
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
                reveal = self._hints >= LAST_STEP
                found = reason(game, position, self._judge, reveal=reveal)
                say(f"{reason_text(found)}\n", "prose")
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
        outcome = self._local.submit(command)
        refusal = outcome.decision.refusal
        if refusal is not None:
            self._terminal.say(f"{sentence(refusal, self.match)}\n", "reason")
            return
        self._hints = 0
        for notice in outcome.notices:
            self._terminal.say(f"{notice}\n", "reason")
        self._show(outcome.decision)

    def _save_as(self, file: str) -> None:
        try:
            self._terminal.say(f"{self._local.save_as(file)}\n")
        except StoreError as error:
            self._terminal.say(f"{error}\n", "reason")

    def _show(self, decision: Decision) -> None:
        for event, after in decision.steps:
            self._terminal.show(transcript.show(event, after))
