"""The signals by which others end the program: SIGTERM, and SIGHUP if the window is closed.

By default they end it at once, so a terminal would stay as the program has changed it.
"""

import signal
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from threading import current_thread, main_thread
from types import FrameType

CHECK_SECONDS = 1.0
"""How often a program that waits for a key checks whether a signal has arrived."""


def ending_signals() -> tuple[signal.Signals, ...]:
    """Return the signals that end this program; `nohup`, for example, lets it ignore SIGHUP."""
    known = (getattr(signal, name, None) for name in ("SIGTERM", "SIGHUP"))
    return tuple(one for one in known if one and signal.getsignal(one) is signal.SIG_DFL)


def status_after(number: int) -> int:
    """Return the exit status of a program that a signal has ended, as shells count it."""
    return 128 + number


@contextmanager
def exit_on_signals() -> Iterator[None]:
    """Let the signals raise `SystemExit`, so that the terminal is restored first."""
    heeded = ending_signals() if current_thread() is main_thread() else ()

    def leave(number: int, _frame: FrameType | None) -> None:
        raise SystemExit(status_after(number))

    with _woken() if heeded else nullcontext():
        try:
            for one in heeded:
                signal.signal(one, leave)
            yield
        finally:
            for one in heeded:
                signal.signal(one, signal.SIG_DFL)


@contextmanager
def _woken() -> Iterator[None]:
    """Interrupt the wait for a key now and then.

    Python notices a signal when it interrupts the wait. One that arrives just before the wait would
    be noticed only at the next key.
    """
    if not hasattr(signal, "setitimer"):
        yield
        return
    before = signal.signal(signal.SIGALRM, lambda *_: None)
    signal.setitimer(signal.ITIMER_REAL, CHECK_SECONDS, CHECK_SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
