"""Hints, reasons and reviews during a match on a server, computed while other things happen."""

import asyncio
from collections.abc import Callable, Coroutine, Iterable
from typing import Any

from divisorduel.coach.hints import LAST_STEP, hint
from divisorduel.coach.reasons import reason
from divisorduel.coach.review import review
from divisorduel.play.match import Match
from divisorduel.record.match_records import Heading, match_to_records
from divisorduel.terminal.daemon_thread import in_thread
from divisorduel.terminal.plain import transcript
from divisorduel.terminal.plain.replay_view import show_review
from divisorduel.terminal.progress import PATIENCE
from divisorduel.terminal.stoppable_judge import StoppableJudge
from divisorduel.terminal.terminal import StyledText
from divisorduel.words.advice import reason_text


class RemoteAdviser:
    """Computes one answer at a time; a new question drops the one before."""

    def __init__(self, on_patience_end: Callable[[], None]) -> None:
        """Call `on_patience_end` when an answer takes so long that a person must be told."""
        self.answer: asyncio.Task[Iterable[StyledText]] | None = None
        """The answer that is being computed, or that has not been taken yet."""
        self._on_patience_end = on_patience_end
        self._judge, self._hints = StoppableJudge(), 0

    def take(self) -> Iterable[StyledText]:
        """Return the answer, which must be ready."""
        done, self.answer = self.answer, None
        return () if done is None else done.result()

    def stop(self) -> bool:
        """Stop computing, and return whether something was being computed."""
        if self.answer is None:
            return False
        self._judge.stop()
        self.answer.cancel()
        self.answer, self._judge = None, StoppableJudge()
        return True

    def forget_position(self) -> None:
        """Stop computing, and begin again with the first hint."""
        self.stop()
        self._hints = 0

    def hint(self, match: Match) -> None:
        """Compute the next hint."""
        self._begin(self._hint(match))

    def why(self, match: Match) -> None:
        """Compute who wins and why."""
        self._begin(self._why(match))

    def review(self, match: Match, name: str) -> None:
        """Compute the review of the last round of a match of that name."""
        self._begin(self._review(match, name))

    async def _hint(self, match: Match) -> Iterable[StyledText]:
        position, judge, step = match.current.position, self._judge, self._hints + 1
        given = await in_thread(lambda: hint(match.game, position, step, judge))
        self._hints = step
        return [transcript.hint_line(given)]

    async def _why(self, match: Match) -> Iterable[StyledText]:
        """Explain who wins, without revealing a move that no hint has named."""
        position, judge, reveal = match.current.position, self._judge, self._hints >= LAST_STEP
        found = await in_thread(lambda: reason(match.game, position, judge, reveal=reveal))
        return [StyledText(f"{reason_text(found)}\n", "prose")]

    async def _review(self, match: Match, name: str) -> Iterable[StyledText]:
        record, budget = match_to_records(match, Heading(name, ""))[-1], self._judge.budget()
        return show_review(await in_thread(lambda: review(record, budget)))

    def _begin(self, answer: Coroutine[Any, Any, Iterable[StyledText]]) -> None:
        self.stop()
        self.answer = begun = asyncio.ensure_future(answer)

        def end_patience() -> None:
            if self.answer is begun:
                self._on_patience_end()

        asyncio.get_running_loop().call_later(PATIENCE, end_patience)
