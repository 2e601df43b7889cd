"""Shows the progress of a long computation on a terminal, and lets Ctrl-C stop it."""

import os
import shutil
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from types import FrameType
from typing import TypeVar

from divisorduel.solve.budget import Budget, BudgetSpent

Running = Callable[[], Mapping[tuple[int, int | None], int | None]]
"""Returns the boards in progress, each with a first move or None, and how many positions it saw."""

NAMED = 3
"""The most boards in progress that are named."""

PATIENCE = 1.0
"""After how many seconds a person sees that the program is thinking."""

T = TypeVar("T")


class ThinkingStopped(Exception):  # not an error
    """The player pressed Ctrl-C to end the thinking, and not the game."""


class StatusLine:
    """A line on standard error that is written again and again, if that is a terminal.

    A terminal that cannot go back to the start of a line gets the first text only.
    """

    def __init__(self) -> None:
        self.is_shown = False

    def show(self, text: str) -> None:
        """Show a text in place of the one before."""
        if not _is_shown():
            return
        # First, because the player may press Ctrl-C as soon as the text is visible.
        is_first, self.is_shown = not self.is_shown, True
        if _can_rewrite():
            width = shutil.get_terminal_size().columns - 1
            sys.stderr.write(f"\r{text[:width]}\x1b[K")
        elif is_first:
            sys.stderr.write(f"{text}\n")
        sys.stderr.flush()

    def clear(self) -> None:
        """Remove the line."""
        if self.is_shown and _can_rewrite():
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
        self.is_shown = False


def think(
    label: str,
    job: Callable[[], T],
    *,
    stop: Callable[[], None],
    positions: Callable[[], int],
    is_awaited: bool,
) -> T:
    """Return the result of a job, and show after a second that it is in progress.

    Ctrl-C calls `stop`, which must end the job soon. If a person waits for the result, or has seen
    that it takes a long time, it raises `ThinkingStopped`; otherwise `KeyboardInterrupt`.
    """
    from concurrent.futures import Future, wait  # slow to import

    line, began = StatusLine(), time.monotonic()
    found: Future[T] = Future()

    def run() -> None:
        try:
            found.set_result(job())
        except BaseException as error:  # it is raised where the result is awaited
            found.set_exception(error)

    # In a thread of its own, the job can be left at once, whatever it is doing.
    threading.Thread(target=run, daemon=True, name="thinking").start()
    try:
        while not found.done():
            wait([found], timeout=0.1)
            seconds = time.monotonic() - began
            if seconds >= PATIENCE and not found.done():
                seen = f", {positions():,} positions" if positions() else ""
                line.show(f"{label}: {seconds:.0f} s{seen}. Ctrl-C stops it.")
    except KeyboardInterrupt:
        stop()
        if is_awaited or line.is_shown:
            raise ThinkingStopped from None
        raise
    finally:
        line.clear()
    return found.result()


@contextmanager
def table_progress(boards: int, running: Running) -> Iterator[Callable[[int, int], None]]:
    """Show a bar on standard error, if that is a terminal, and let Ctrl-C raise only once.

    Yields a function to call with the number of solved boards, and of first moves solved on others.
    """
    with _shown(boards, "boards", running) as show:
        yield lambda done, moves: show(
            done, f"and {moves} first move{'' if moves == 1 else 's'}" if moves else ""
        )


@contextmanager
def games_progress(games: int, noun: str = "games") -> Iterator[Callable[[int, str], None]]:
    """Show a bar as `table_progress` does.

    Yields a function to call with the number of games played, and a remark about them.
    """
    with _shown(games, noun, dict) as show:
        yield show


@contextmanager
def _shown(total: int, noun: str, running: Running) -> Iterator[Callable[[int, str], None]]:
    before = signal.signal(signal.SIGINT, _interrupt_once)
    try:
        with _bar(total, noun, running) as show:
            yield show
    finally:
        if signal.getsignal(signal.SIGINT) is _interrupt_once:
            signal.signal(signal.SIGINT, before)


def _interrupt_once(_signal: int, _frame: FrameType | None) -> None:
    # Stopping takes a moment, and another Ctrl-C must not interrupt it.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    raise KeyboardInterrupt


@contextmanager
def _bar(total: int, noun: str, running: Running) -> Iterator[Callable[[int, str], None]]:
    if not _is_shown():
        yield lambda _done, _remark: None
        return
    from rich import progress
    from rich.console import Console
    from rich.text import Text

    class Named:
        def __rich__(self) -> Text:
            return Text(named(running()), no_wrap=True, overflow="ellipsis")

    columns = (
        progress.BarColumn(bar_width=20),
        progress.MofNCompleteColumn(),
        progress.TextColumn(f"{noun} {{task.description}}"),
        progress.TimeElapsedColumn(),
        progress.RenderableColumn(Named()),
    )
    with progress.Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        shown = bar.add_task("", total=total)
        yield lambda done, remark: bar.update(shown, completed=done, description=remark)


def named(running: Mapping[tuple[int, int | None], int | None]) -> str:
    """Name the boards in progress."""
    words = []
    for (n, move), positions in sorted(running.items(), key=str)[:NAMED]:
        after = "" if move is None else f" after {move}"
        seen = f" ({positions:,} positions)" if positions else ""
        words.append(f"n = {n}{after}{seen}")
    more = len(running) - NAMED
    return "; ".join(words) + (f" and {more} more" if more > 0 else "")


class SearchProgress:
    """Shows how many positions a long search has seen, and lets Ctrl-C stop it."""

    def __init__(self) -> None:
        self.interrupted = False
        self._began = self._latest = time.perf_counter()
        self._line = StatusLine()

    def show(self, positions: int) -> None:
        """Show the number of positions, at most a few times a second."""
        now = time.perf_counter()
        if now - self._began > PATIENCE and now - self._latest > 0.2:
            self._latest = now
            self._line.show(f"{positions:,} positions, {now - self._began:.0f} s")

    @contextmanager
    def stopping(self, budget: Budget) -> Iterator[None]:
        """Let Ctrl-C end the search; a second Ctrl-C ends the program."""

        def stop(_signal: int, _frame: FrameType | None) -> None:
            self.interrupted = True
            budget.stop()
            signal.signal(signal.SIGINT, signal.default_int_handler)

        before = signal.signal(signal.SIGINT, stop)
        try:
            yield
        finally:
            signal.signal(signal.SIGINT, before)
            self._line.clear()

    def unless_stopped(self, compute: Callable[[], T]) -> T | None:
        """Return a result, or None if Ctrl-C or the end of the budget stops it."""
        signal.signal(signal.SIGINT, signal.default_int_handler)
        try:
            return compute()
        except KeyboardInterrupt:
            self.interrupted = True
        except BudgetSpent:
            pass
        return None


def _is_shown() -> bool:
    return bool(sys.stderr and sys.stderr.isatty())


def _can_rewrite() -> bool:
    return os.environ.get("TERM", "dumb") not in ("", "dumb", "unknown")
