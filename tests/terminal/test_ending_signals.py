"""A program that is ended from outside leaves the terminal as it was."""

import os
import pty
import signal
import subprocess
import termios
from collections.abc import Iterator

import pexpect
import pytest

from divisorduel.terminal.ending_signals import ending_signals, exit_on_signals
from tests.conftest import DUEL, Duel, thorough_except
from tests.terminal.test_terminal import close_window

SIGNALS = [signal.SIGTERM, signal.SIGHUP]
ECHO = 3
"""Where `termios.tcgetattr` has the flags for echo and whole lines."""


@pytest.fixture
def window() -> Iterator[tuple[int, int]]:
    """Give a test both ends of a pseudo-terminal: what a person sees, what the program uses."""
    ends = pty.openpty()
    yield ends
    for end in ends:
        os.close(end)


@pytest.mark.parametrize("number", thorough_except(SIGNALS, signal.SIGTERM))
def test_a_signal_at_the_prompt_restores_the_terminal(
    duel: Duel, window: tuple[int, int], number: signal.Signals
) -> None:
    seen, used = window
    before = termios.tcgetattr(used)
    with subprocess.Popen(
        [DUEL, "play", "chain", "--plain"],
        stdin=used,
        stdout=used,
        stderr=used,
        env=duel.environment(TERM="xterm"),
        start_new_session=True,
    ) as program:
        shown = b""
        while b"Enter your chosen number: " not in shown:
            shown += os.read(seen, 4096)
        while termios.tcgetattr(used)[ECHO] == before[ECHO]:  # until it edits the line
            assert program.poll() is None
        program.send_signal(number)
        assert program.wait() == 128 + number
    assert termios.tcgetattr(used) == before
    assert os.read(seen, 4096).endswith(b"\n")


def test_a_window_that_is_closed_at_the_prompt_ends_the_program(duel: Duel) -> None:
    window = pexpect.spawn(
        DUEL,
        ["play", "chain", "--plain"],
        env=duel.environment(TERM="xterm"),
        timeout=60,
        cwd=str(duel.home),
    )
    window.expect_exact("Enter your chosen number: ")
    assert window.pid is not None
    close_window(window)
    _, status = os.waitpid(window.pid, 0)
    assert os.waitstatus_to_exitcode(status) in (128 + signal.SIGHUP, -signal.SIGHUP)


def test_a_signal_that_is_ignored_stays_ignored() -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        assert signal.SIGHUP not in ending_signals()
        with exit_on_signals():
            assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
        assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGHUP, before)


def test_a_signal_has_its_usual_effect_again_afterwards() -> None:
    with pytest.raises(SystemExit, match="143"), exit_on_signals():
        signal.raise_signal(signal.SIGTERM)
    assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL
