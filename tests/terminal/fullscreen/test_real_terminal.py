"""The full screen on a pseudo-terminal, used as a person would."""

import os
import re
import signal
from collections.abc import Callable
from pathlib import Path

import pexpect
import pytest

from tests.conftest import DUEL, Duel, thorough_except
from tests.polling import wait_until
from tests.terminal.test_terminal import close_window

COLUMNS, LINES = 80, 24


def _restore_ctrl_c() -> None:
    """React to Ctrl-C, which programs ignore if a shell runs them in the background."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def _ignore_closed_windows() -> None:
    """Do what `nohup` does."""
    signal.signal(signal.SIGHUP, signal.SIG_IGN)


class TerminalUser:
    """A person at a terminal with a shell, which gives the program job control."""

    def __init__(self, duel: Duel, command: str) -> None:
        self.shell = pexpect.spawn(
            "/bin/bash",
            ["--norc", "--noprofile", "-i"],
            env=duel.environment(TERM="xterm-256color", PS1="SHELL> ", LC_ALL="C.UTF-8"),
            dimensions=(LINES, COLUMNS),
            timeout=60,
            encoding="utf-8",
            cwd=str(duel.home),
            preexec_fn=_restore_ctrl_c,
        )
        self.shell.expect_exact("SHELL> ")
        self.shell.sendline(f"{DUEL} {command}")

    def see(self, text: str) -> None:
        """Wait until a text is drawn; it may be split by changes of colour."""
        between = r"(?:\x1b\[[0-9;?]*[A-Za-z])*"
        self.shell.expect(between.join(map(re.escape, text)))

    def press(self, keys: str) -> None:
        self.shell.send(keys)

    def close(self) -> None:
        self.shell.close(force=True)


@pytest.fixture
def start(duel: Duel) -> "Callable[[str], TerminalUser]":  # type: ignore[misc]  # it yields
    users = []

    def begin(command: str) -> TerminalUser:
        users.append(TerminalUser(duel, command))
        return users[-1]

    yield begin
    for user in users:
        user.close()


def test_bare_duel_opens_the_full_screen_and_q_ends_it(
    start: Callable[[str], TerminalUser],
) -> None:
    user = start("; echo status $?")
    user.see("D U E L")
    user.press("q")
    user.see("status 0")


@pytest.mark.thorough
def test_plain_text_is_shown_on_request(start: Callable[[str], TerminalUser]) -> None:
    user = start("--plain")
    user.see("What would you like to do?")
    user.press("quit\r")
    user.see("SHELL> ")


@pytest.mark.thorough
def test_the_screen_is_drawn_again_after_suspend_and_after_a_change_of_size(
    start: Callable[[str], TerminalUser],
) -> None:
    user = start("play chain --names Ann Ben")
    user.see("Ann, it's your turn")
    user.press("24\r")
    user.see("Ann took 24.")
    user.press("\x1a")
    user.see("Stopped")
    user.see("SHELL> ")
    user.press("fg\r")
    user.see("Ann took 24.")
    user.shell.setwinsize(15, 40)
    user.see("▶○ Ben")  # the players are in one line now
    user.shell.setwinsize(40, 120)
    user.see("▶ ○ Ben")
    user.press("q")
    user.see("The game is saved. To continue")


@pytest.mark.thorough
def test_ctrl_c_ends_the_thinking_and_not_the_game(start: Callable[[str], TerminalUser]) -> None:
    user = start("play antichain --to 100 --names Ann Ben; echo status $?")
    user.see("Ann, it's your turn")
    user.press("h")
    user.see("Looking for a hint")
    user.press("\x03")
    user.see("Stopped.")
    user.press("24\r")
    user.see("Ann took 24.")
    user.press("\x03")
    user.see("The game is saved. To continue")
    user.see("status 130")


@pytest.mark.thorough
def test_a_killed_game_is_continued_where_it_was(
    start: Callable[[str], TerminalUser], duel: Duel
) -> None:
    user = start("play chain --names Ann Ben & echo $! >pid; fg")
    user.see("Ann, it's your turn")
    user.press("24\r")
    user.see("Ann took 24.")
    os.kill(int((duel.home / "pid").read_text()), signal.SIGKILL)
    user.close()
    again = start("")
    again.see("D U E L")
    again.press("c")
    again.see("Ann against Ben")
    again.press("\r")
    again.see("Ben, it's your turn")
    again.press("q")


def open_window(
    duel: Duel, *words: str, preexec_fn: Callable[[], None] | None = None
) -> "pexpect.spawn[str]":
    """Run the program in a window of its own."""
    return pexpect.spawn(
        DUEL,
        [*words],
        env=duel.environment(TERM="xterm-256color", LC_ALL="C.UTF-8"),
        dimensions=(LINES, COLUMNS),
        timeout=60,
        encoding="utf-8",
        cwd=str(duel.home),
        preexec_fn=preexec_fn,
    )


@pytest.mark.parametrize("number", thorough_except([signal.SIGTERM, signal.SIGHUP], signal.SIGTERM))
def test_a_signal_that_ends_the_program_restores_the_terminal(
    duel: Duel, number: signal.Signals
) -> None:
    window = open_window(duel, "play", "chain", "--names", "Ann", "Ben")
    window.expect("Ann, it's your turn")
    window.send("24\r")
    window.expect("Ann took 24")
    window.kill(number)
    window.expect("To continue")
    restored = str(window.before)
    window.expect(pexpect.EOF)
    window.close()
    assert (window.exitstatus, window.signalstatus) == (128 + number, None)
    for mode in ("?1049l", "?1000l", "?1003l", "?25h"):  # the screen, the mouse and the cursor
        assert f"\x1b[{mode}" in restored
    [match] = duel.matches
    assert "24" in match.read_text()


@pytest.mark.thorough
def test_resume_continues_on_the_full_screen(
    start: Callable[[str], TerminalUser], duel: Duel
) -> None:
    duel.run("play", "chain", "--names", "Ann", "Ben", typed="24\n")
    user = start("resume; echo status $?")
    user.see("Ben, it's your turn")
    user.press("q")
    user.see("status 0")


@pytest.mark.thorough
def test_a_closed_window_ends_the_program_even_if_it_ignores_the_signal(duel: Duel) -> None:
    window = open_window(duel, preexec_fn=_ignore_closed_windows)
    window.expect("D U E L")
    assert window.pid is not None
    close_window(window)
    _, status = os.waitpid(window.pid, 0)
    assert os.waitstatus_to_exitcode(status) == -signal.SIGHUP


def threads(window: "pexpect.spawn[str]") -> int:
    """Return how many threads a program has; one of them reads its terminal."""
    return len([*Path(f"/proc/{window.pid}/task").iterdir()])


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="needs /proc")
def test_a_program_that_was_stopped_from_outside_goes_on_and_can_be_ended(duel: Duel) -> None:
    window = open_window(duel, "play", "chain", "--names", "Ann", "Ben")
    window.expect("Ann, it's your turn")
    before = threads(window)
    for _ in range(6):
        window.kill(signal.SIGSTOP)
        window.kill(signal.SIGCONT)
        window.expect_exact("\x1b[?1049h")  # the screen is entered again
        window.send("\t")
    window.send("24\r")
    window.expect("Ann took 24")
    assert threads(window) == before
    window.kill(signal.SIGTERM)
    window.expect(pexpect.EOF)
    window.close()
    assert window.exitstatus == 128 + signal.SIGTERM


def test_bytes_that_are_not_text_do_not_end_the_program(duel: Duel) -> None:
    window = open_window(duel, "play", "chain", "--names", "Ann", "Ben")
    window.expect("Ann, it's your turn")
    os.write(window.child_fd, b"\xff")
    for _ in wait_until("a number can be taken"):
        window.send("24\r")
        if window.expect(["Ann took 24", pexpect.TIMEOUT], timeout=1) == 0:
            break
    window.kill(signal.SIGTERM)
    window.expect(pexpect.EOF)
    window.close()
    assert window.exitstatus == 128 + signal.SIGTERM
