"""Plays a match in plain text: read a line, decide, save, show."""

import time
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import TypeVar

from divisorduel.coach.hints import LAST_STEP, hint
from divisorduel.coach.reasons import reason
from divisorduel.coach.review import SECONDS as REVIEW_SECONDS
from divisorduel.coach.review import review
from divisorduel.play.commands import Command, Forfeit, Redo, Rematch, Take, Undo
from divisorduel.play.decide import Decision
from divisorduel.play.match import Match, other
from divisorduel.play.players import HUMAN, is_bot
from divisorduel.rules.catalogue import must_be_given
from divisorduel.store.match_files import StoreError
from divisorduel.terminal.local_match import LocalMatch, LocalOutcome
from divisorduel.terminal.plain import transcript
from divisorduel.terminal.plain.input_parser import HELP, Unclear, Word, read_line
from divisorduel.terminal.plain.replay_view import show_review
from divisorduel.terminal.plain.rules_text import guide
from divisorduel.terminal.plain.setup_prompts import QuitRequested, ask_number, ask_yes_or_no
from divisorduel.terminal.progress import PATIENCE, ThinkingStopped, think
from divisorduel.terminal.stoppable_judge import StoppableJudge
from divisorduel.terminal.terminal import EndOfInput, StyledText, Terminal, printable
from divisorduel.words.advice import GUESSING, reason_text
from divisorduel.words.refusals import refusal_text

FINISHED, INPUT_ENDED, INTERRUPTED = 0, 3, 130
"""The exit statuses of a game."""

WRONG_NUMBER_LOSES = "Take care: a wrong number loses the game.\n"

_COMMANDS: dict[str, Command] = {"undo": Undo(), "redo": Redo()}

T = TypeVar("T")


class PlainMatch:
    """One match, played at a terminal.

    A computer player pauses for `delay` seconds before each move; by default for a moment if a
    person is at the terminal. A rematch on another board is a new match, which `begin` sets up.
    """

    def __init__(
        self,
        terminal: Terminal,
        local: LocalMatch,
        *,
        delay: float | None = None,
        begin: Callable[[Match], LocalMatch] = LocalMatch.new,
    ) -> None:
        self._terminal = terminal
        self._local = local
        self._begin = begin
        self._delay = (0.6 if terminal.interactive else 0.0) if delay is None else delay
        self._judge = StoppableJudge()
        self._hints = 0
        self._said_guessing = False
        self._said_wrong_number_loses = False

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
        except QuitRequested:
            self._say_farewell()
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

    def _say_farewell(self) -> None:
        if not self.match.over:
            self._terminal.say(f"{self._local.farewell()}\n")

    def _play_turn(self) -> bool:
        """Let the player to move act; return whether the match continues."""
        if not self.match.over:
            if self.match.computer_to_move:
                self._play_computer()
                return True
            self._caution()
            return self._answer(read_line(self._terminal.ask(transcript.prompt(self.match))))
        if not self._terminal.interactive or HUMAN not in self.match.kinds:
            return False
        line = self._terminal.ask("\nPlay again? (yes, no or review): ")
        match line.strip().lower():
            case "no" | "n" | "":
                return False
            case "yes" | "y":
                return self._play_again()
            case "r" | "review":
                self._review()
            case _:
                return self._answer(read_line(line))
        return True

    def _play_again(self) -> bool:
        """Play another round; a game that needs a number asks for a new one."""
        before = self.match
        if not must_be_given(before.game.book.key):
            self._submit(Rematch())
            return True
        game = ask_number(self._terminal, before.game.book.key)
        match = Match.of(
            game,
            kinds=before.kinds,
            first=other(before.first),
            then=before.then,
            rounds=before.series,
            undo=before.undo,
        )
        self._local = self._begin(replace(match, names=before.names))
        self._terminal.show(transcript.begin_round(self.match, 1))
        self._show(self._local.opening)
        return True

    def _caution(self) -> None:
        """Say once, to a person, that a wrong number loses the game."""
        is_harsh = self.match.game.book.wrong_number == "forfeit"
        if is_harsh and self._terminal.interactive and not self._said_wrong_number_loses:
            self._said_wrong_number_loses = True
            self._terminal.say(WRONG_NUMBER_LOSES, "reason")

    def _play_computer(self) -> None:
        name, began = self.match.name(self.match.current.to_move), time.monotonic()
        self._terminal.flush()
        try:
            choice = self._think(f"{name} is thinking", self._local.choose, is_awaited=False)
        except ThinkingStopped:
            if is_bot(self.match.computer_to_move or ""):
                raise KeyboardInterrupt from None  # no one moves for an engine
            self._terminal.say(f"Stopped. {name} plays the move that looks best.\n", "reason")
            choice = self._local.choose_quickly()
        if not self._said_guessing and choice.is_guess:
            self._said_guessing = True
            self._terminal.say(f"{GUESSING}\n", "reason")
        self._terminal.flush()
        seconds = time.monotonic() - began
        time.sleep(max(0.0, self._delay - seconds))
        for remark in choice.remarks:
            self._terminal.say(f"{printable(remark)}\n", "reason")
        self._tell(self._local.play(choice))
        if seconds > PATIENCE:
            self._terminal.ring()

    def _think(
        self, label: str, job: Callable[[StoppableJudge], T], *, is_awaited: bool = True
    ) -> T:
        """Compute something. Raises `ThinkingStopped` if the player presses Ctrl-C."""
        judge = self._judge
        judge.positions = 0

        def stop() -> None:
            judge.stop()
            self._judge = StoppableJudge()

        return think(
            label,
            lambda: job(judge),
            stop=stop,
            positions=lambda: judge.positions,
            is_awaited=is_awaited and self._terminal.interactive,
        )

    def _answer(self, said: Take | Word | Unclear) -> bool:
        """Do what the player typed; return whether the match continues."""
        match said:
            case Word("quit"):
                raise QuitRequested
            case Take():
                self._submit(said)
            case Unclear(answer):
                self._terminal.say(f"{answer}\n", "reason")
            case Word("save", file):
                self._save_as(file)
            case Word("forfeit"):
                self._forfeit()
            case Word(name) if name in _COMMANDS:
                self._submit(_COMMANDS[name])
            case Word(name):
                try:
                    self._inform(name)
                except ThinkingStopped:
                    self._terminal.say("Stopped.\n", "reason")
        return True

    def _forfeit(self) -> None:
        """Give up; a person at a terminal is asked first."""
        if self._terminal.interactive and not self.match.over:
            winner = self.match.name(other(self.match.current.to_move))
            question = f"Give up this game? Then {winner} wins."
            if not ask_yes_or_no(self._terminal, question, usual="no"):
                return
        self._submit(Forfeit())

    def _inform(self, name: str) -> None:
        """Answer a command that does not change the match."""
        say, game, position = self._terminal.say, self.match.game, self.match.current.position
        match name:
            case "board":
                self._terminal.show(transcript.board(self.match))
            case "score":
                say(*transcript.standing(self.match))
            case "moves":
                say(*transcript.moves(self.match))
            case "history":
                self._terminal.show(transcript.history(self.match))
            case "hint" | "why" if self.match.over:
                say("The game is over.\n", "reason")
            case "hint":
                step = self._hints + 1
                given = self._think(
                    "Looking for a hint", lambda judge: hint(game, position, step, judge)
                )
                self._hints = step
                say(*transcript.hint_line(given))
            case "why":
                reveal = self._hints >= LAST_STEP
                found = self._think(
                    "Looking for the reason",
                    lambda judge: reason(game, position, judge, reveal=reveal),
                )
                say(f"{reason_text(found)}\n", "prose")
            case "rules":
                self._terminal.show(guide(game.book.key, game))
            case _:
                answer = '"yes", "no" or "review"' if self.match.over else "a number to take it"
                say(f"Type {answer}, or a command (its first letters are enough):\n")
                for command, meaning in HELP.items():
                    if self.match.undo or command not in ("undo", "redo"):
                        say(f"  {command:<8} {meaning}\n")

    def _submit(self, command: Command) -> None:
        """Carry out a command; the match is on disk before the player sees an answer."""
        self._tell(self._local.submit(command))

    def _tell(self, outcome: LocalOutcome) -> None:
        """Say what a command did, or why it is refused."""
        refusal = outcome.decision.refusal
        if refusal is not None:
            self._terminal.say(f"{refusal_text(refusal, self.match)}\n", "reason")
            self._terminal.ring()
            return
        self._hints = 0
        for notice in outcome.notices:
            self._terminal.say(f"{notice}\n", "reason")
        self._show(outcome.decision)

    def _review(self) -> None:
        record, judge = self._local.record, StoppableJudge(REVIEW_SECONDS)
        try:
            found = think(
                "Reviewing the game",
                lambda: review(record, judge.budget()),
                stop=judge.stop,
                positions=lambda: judge.positions,
                is_awaited=True,
            )
        except ThinkingStopped:
            self._terminal.say("Stopped.\n", "reason")
        else:
            self._terminal.show(show_review(found))

    def _save_as(self, file: str) -> None:
        self._terminal.flush()  # standard output may be the file
        try:
            said = self._local.save_as(file)
        except StoreError as error:
            self._terminal.say(f"{error}\n", "reason")
        else:
            self._terminal.say(f"{said}\n" if said else "")

    def _show(self, decision: Decision) -> None:
        for event, after in decision.applied:
            self._terminal.show(transcript.show(event, after))
