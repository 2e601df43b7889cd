"""Plays a match on a server in plain text, as it happens: what is typed, and what arrives."""

import asyncio
import signal
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, TextIO

from divisorduel.client.match_client import (
    CommandAnswer,
    Connected,
    ConnectionLost,
    MatchAdvanced,
    MatchChanged,
    MatchClient,
    NoticeReceived,
    PresenceChanged,
    Refused,
    Update,
)
from divisorduel.client.remote_match import AppliedEvents
from divisorduel.play.commands import Command, Forfeit, Rematch, Take
from divisorduel.play.match import Match
from divisorduel.terminal import remote_words
from divisorduel.terminal.plain import remote_transcript, transcript
from divisorduel.terminal.plain.input_parser import Unclear, Word
from divisorduel.terminal.plain.match_loop import FINISHED, INPUT_ENDED, INTERRUPTED
from divisorduel.terminal.plain.remote_adviser import RemoteAdviser
from divisorduel.terminal.plain.remote_input import COMMANDS, read_remote_line
from divisorduel.terminal.plain.typed_lines import TypedLines
from divisorduel.terminal.terminal import StyledText, Terminal

AGAIN = "\nPlay again? (yes, no or review): "
LEAVE = "\nThe game is over. Press Enter to leave, or wait in case they play again: "


@dataclass(frozen=True, slots=True)
class _Question:
    """A question that the player answers with yes or no, and what a yes sends."""

    text: str
    command: Command


def play_remote(terminal: Terminal, client: MatchClient, stdin: TextIO | None) -> int:
    """Play or follow a match until it is over or the player leaves; return the exit status.

    Raises `ClientError` if the match cannot be followed any more.
    """
    loop = _RemoteLoop(terminal, client, stdin)
    try:
        return asyncio.run(loop.play())
    except (KeyboardInterrupt, asyncio.CancelledError):  # Ctrl-C
        terminal.complain(f"\n{loop.farewell()}")
        return INTERRUPTED


class _RemoteLoop:
    """Shows what arrives, in order, and answers what is typed.

    At a terminal, lines are answered as soon as they are typed. Lines from a pipe wait until they
    are asked for, so that a list of moves can be piped in.
    """

    def __init__(self, terminal: Terminal, client: MatchClient, stdin: TextIO | None) -> None:
        self._terminal = terminal
        self._client = client
        self._lines = TypedLines(stdin)
        self._match: Match | None = None
        """The match as it was last shown; None before that."""
        self._status: int | None = None
        self._sending: asyncio.Task[CommandAnswer] | None = None
        self._sent: Command | None = None
        self._late: asyncio.Task[None] | None = None
        """Done when the answer is late."""
        self._question: _Question | None = None
        self._is_at_prompt = False
        self._adviser = RemoteAdviser(self._say_thinking)

    # --- the loop

    async def play(self) -> int:
        """Play, and return the exit status."""
        self._heed_ctrl_c()
        async with self._client as client:
            updates = client.updates()
            news = asyncio.ensure_future(anext(updates))
            line: asyncio.Task[str | None] | None = None
            try:
                while self._status is None:
                    self._show_prompt()
                    is_wanted = self._asks or (self._terminal.interactive and self._match)
                    if line is None and is_wanted:
                        line = asyncio.ensure_future(self._lines.next())
                    tasks: tuple[asyncio.Task[Any] | None, ...] = (
                        news, line, self._sending, self._late, self._adviser.answer,
                    )  # fmt: skip
                    waiting = {task for task in tasks if task is not None}
                    await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
                    if news.done():
                        self._tell(news.result())
                        news = asyncio.ensure_future(anext(updates))
                    elif self._sending is not None and self._sending.done():
                        self._answered(self._sending.result())
                    elif self._late is not None and self._late.done():
                        self._say_late()
                    elif self._adviser.answer is not None and self._adviser.answer.done():
                        self._show(self._adviser.take())
                    elif line is not None and line.done():
                        self._typed(line.result())
                        line = None
            finally:
                for task in (news, line, self._sending, self._late, self._adviser.answer):
                    if task is not None:
                        task.cancel()
        return self._status

    @property
    def match(self) -> Match:
        """The match as it was last shown, with the others in the third person."""
        if self._match is None:
            raise RuntimeError("Nothing has been shown yet.")
        return remote_words.as_seen_by(self._match, self._client.seats)

    @property
    def _is_current(self) -> bool:
        """Whether everything that has arrived was shown."""
        return self._match is not None and self._match.version == self._client.match.version

    @property
    def _asks(self) -> bool:
        """Whether the player is asked for something."""
        if not self._is_current or self._sending is not None or self._adviser.answer is not None:
            return False
        if self._question is not None:
            return True
        return self._client.is_my_turn or (self._is_over and self._terminal.interactive)

    @property
    def _is_over(self) -> bool:
        return self._match is not None and self._match.state not in ("waiting", "playing")

    def farewell(self) -> str:
        """Say how to come back, unless the match is over."""
        return "" if self._is_over else remote_words.come_back(self._client.link)

    # --- what is shown

    def _show_prompt(self) -> None:
        if not self._asks or self._is_at_prompt:
            self._terminal.flush()
            return
        self._terminal.say(self._prompt)
        self._terminal.flush()
        self._is_at_prompt = True

    @property
    def _prompt(self) -> str:
        if self._question is not None:
            return f"{self._question.text} (yes or no): "
        if not self._is_over:
            return transcript.prompt(self.match)
        return AGAIN if self._client.seats else LEAVE

    def _show(self, texts: Iterable[StyledText]) -> None:
        """Show texts; what the player was typing is interrupted."""
        shown = [text for text in texts if text.text]
        if shown and self._is_at_prompt:
            self._terminal.say("\n")
            self._is_at_prompt = False
        self._terminal.show(shown)

    def _say(self, text: str, *, is_reason: bool = False) -> None:
        if text:
            self._show([StyledText(f"{text}\n", "reason" if is_reason else "")])

    def _tell(self, update: Update) -> None:
        """Show what has arrived."""
        seats = self._client.seats
        match update:
            case Connected():
                self._connected(update)
            case ConnectionLost():
                waits = self._sending is not None
                self._say(remote_words.WAITS if waits else remote_words.LOST, is_reason=True)
            case MatchAdvanced(applied):
                self._say_events(applied)
            case PresenceChanged(before, presence):
                if self._match is not None:
                    self._say(remote_words.presence(before, presence, self._match, seats))
            case NoticeReceived(text):
                self._say(text)

    def _connected(self, update: Connected) -> None:
        if self._match is None:
            self._match = update.match
            self._show(remote_transcript.opening(update.match, self._client.seats))
        else:
            self._say(remote_words.BACK)
            if self._sending is not None:
                self._wait_for_answer()
            if update.applied:
                self._say_events(update.applied)
            elif update.has_changed:
                self._match = update.match
                self._forget_position()
                self._show(remote_transcript.position(update.match, self._client.seats))
        self._end_if_over()

    def _say_events(self, applied: AppliedEvents) -> None:
        seats = self._client.seats
        for event, after in applied:
            before, self._match = self._match or after, after
            self._show(remote_transcript.happened(event, before, after, seats))
        if applied:
            self._show(remote_transcript.undone(*applied[-1], seats))
        self._forget_position()
        self._end_if_over()

    def _forget_position(self) -> None:
        """Drop the advice and the question about an earlier position."""
        self._adviser.forget_position()
        self._question = None

    def _end_if_over(self) -> None:
        """End if there is nothing left to do, or no one to ask."""
        match = self._match
        if match is not None and (match.closed or (match.over and not self._terminal.interactive)):
            self._status = FINISHED

    # --- what is typed

    def _typed(self, line: str | None) -> None:
        was_at_prompt, self._is_at_prompt = self._is_at_prompt, False
        if not self._terminal.interactive and was_at_prompt:
            self._terminal.say(f"{line or ''}\n")
        if line is None:
            self._input_ended()
        elif self._question is not None:
            self._decide(self._question, line)
        elif self._is_over and line.strip().lower() in ("", "n", "no"):
            self._status = FINISHED
        elif self._is_over and line.strip().lower() in ("y", "yes"):
            self._submit(Rematch())
        elif self._is_over and line.strip().lower() in ("r", "review"):
            self._adviser.review(self.match, self._client.link.match_id)
        else:
            self._answer(line)

    def _input_ended(self) -> None:
        if self._terminal.interactive:
            self._terminal.say("\n")
        if self._is_over:
            self._status = FINISHED
        else:
            self._terminal.complain(f"The input ended before the game did. {self.farewell()}")
            self._status = INPUT_ENDED

    def _decide(self, question: _Question, line: str) -> None:
        self._question = None
        if line.strip().lower() in ("y", "yes"):
            self._submit(question.command, sure=True)

    def _answer(self, line: str) -> None:
        """Do what the player typed."""
        said = read_remote_line(line)
        match said:
            case Word("quit"):
                self._say(self.farewell())
                self._status = FINISHED
            case Unclear(answer):
                self._say(answer, is_reason=True)
            case Take():
                # A pipe cannot confirm a number that loses.
                self._submit(said, sure=not self._terminal.interactive)
            case Word("forfeit"):
                self._forfeit()
            case Word("claim") if early := remote_words.too_early(self._client.claim_in):
                self._say(early, is_reason=True)
            case Word(name) if name in COMMANDS:
                self._submit(COMMANDS[name])
            case Word(("hint" | "why") as name):
                self._advise(name)
            case Word(name):
                client = self._client
                self._show(remote_transcript.answer(name, self.match, client.seats, client.link))

    def _forfeit(self) -> None:
        if self._client.seats and self._terminal.interactive:
            self._question = _Question("Give up this game?", Forfeit())
        else:
            self._submit(Forfeit())

    def _submit(self, command: Command, *, sure: bool = False) -> None:
        if not self._client.seats:
            self._say(remote_words.WATCHING, is_reason=True)
        elif self._sending is not None:
            self._say(remote_words.BUSY, is_reason=True)
        elif self._match is not None:
            if not self._client.is_connected:
                self._say(remote_words.WAITS, is_reason=True)
            version, self._sent = self._match.version, command
            sending = self._client.send(command, sure=sure, version=version)
            self._sending = asyncio.ensure_future(sending)
            self._wait_for_answer()

    def _wait_for_answer(self) -> None:
        self._stop_waiting()
        self._late = asyncio.ensure_future(asyncio.sleep(remote_words.SLOW_AFTER))

    def _stop_waiting(self) -> None:
        if self._late is not None:
            self._late.cancel()
            self._late = None

    def _say_late(self) -> None:
        self._late = None
        if self._client.is_connected:  # otherwise the player knows already
            advice = ' To leave, type "quit".' if self._terminal.interactive else ""
            self._say(f"{remote_words.SLOW}{advice}", is_reason=True)

    def _answered(self, answer: CommandAnswer) -> None:
        self._sending = None
        self._stop_waiting()
        match answer:
            case Refused(_, reason, asks) if asks and self._sent is not None:
                self._say(reason, is_reason=True)
                self._question = _Question(
                    "A wrong number loses the game. Take it anyway?", self._sent
                )
            case Refused(_, reason):
                self._say(reason, is_reason=True)
            case MatchChanged() if not isinstance(self._sent, Take):
                self._say(remote_words.MOVED_ON)

    def _advise(self, name: str) -> None:
        if not self._client.hints:
            self._say("Hints are turned off in this game.", is_reason=True)
        elif not self._client.is_my_turn:
            self._say("You can ask for a hint only on your turn.", is_reason=True)
        else:
            ask = self._adviser.hint if name == "hint" else self._adviser.why
            ask(self.match)

    # --- thinking

    def _say_thinking(self) -> None:
        if self._terminal.interactive:
            self._say("Thinking … Ctrl-C stops it.")
            self._terminal.flush()

    def _heed_ctrl_c(self) -> None:
        """Let Ctrl-C end the thinking first, and otherwise the program."""
        playing = asyncio.current_task()

        def interrupt() -> None:
            if self._adviser.stop():
                self._say("Stopped.")
            elif playing is not None:
                playing.cancel()

        with suppress(NotImplementedError):  # on Windows, asyncio ends the program by itself
            asyncio.get_running_loop().add_signal_handler(signal.SIGINT, interrupt)
