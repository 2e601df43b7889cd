"""Long computations in a thread, with a progress line, which the player can stop."""

import asyncio
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

from divisorduel.terminal.daemon_thread import in_thread
from divisorduel.terminal.stoppable_judge import StoppableJudge

if TYPE_CHECKING:
    from textual.screen import Screen

T = TypeVar("T")

PATIENCE = 0.4
"""After how many seconds the player sees that the program is thinking."""
_WHEEL = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"


class Thinker:
    """Does one long computation at a time for a screen.

    The judge is shared by all of them, so that a second hint is fast. A judge that was stopped is
    replaced by a new one.
    """

    def __init__(self, screen: "Screen[None]", clock: Callable[[], float] = time.monotonic) -> None:
        self.judge = StoppableJudge()
        self._screen = screen
        self._clock = clock
        self._label = ""
        self._began = 0.0
        self._on_stop: Callable[[], None] = lambda: None

    @property
    def is_busy(self) -> bool:
        """Whether something is being computed."""
        return bool(self._label)

    @property
    def seconds(self) -> float:
        """How long ago the last computation began."""
        return self._clock() - self._began

    def start(
        self,
        label: str,
        job: Callable[[StoppableJudge], T],
        done: Callable[[T], None],
        on_stop: Callable[[], None] = lambda: None,
        delay: float = 0.0,
    ) -> None:
        """Compute something, then call `done` with it; a computation in progress is dropped.

        The result is held back until `delay` seconds have passed.
        """
        self.drop()
        self._label, self._began, self._on_stop = label, self._clock(), on_stop
        judge = self.judge
        judge.positions = 0

        async def think() -> None:
            waiting = asyncio.sleep(delay)
            result, _ = await asyncio.gather(in_thread(lambda: job(judge)), waiting)
            self._label = ""
            done(result)

        self._screen.run_worker(think(), group="thinking")

    def stop(self) -> bool:
        """End the computation at once, as the player wishes; return whether there was one."""
        if not self.is_busy:
            return False
        on_stop = self._on_stop
        self.drop()
        on_stop()
        return True

    def drop(self) -> None:
        """End the computation, and forget its result."""
        if self.is_busy:
            self._label = ""
            self.judge.stop()
            self.judge = StoppableJudge()
            self._screen.workers.cancel_group(self._screen, "thinking")

    def progress(self) -> str:
        """Return the progress line; empty if nothing has taken long yet."""
        seconds = self.seconds
        if not self.is_busy or seconds < PATIENCE:
            return ""
        wheel = _WHEEL[int(seconds * 8) % len(_WHEEL)]
        positions = f", {self.judge.positions:,} positions" if self.judge.positions else ""
        return f"{wheel} {self._label}: {seconds:.0f} s{positions}. Esc stops it."
