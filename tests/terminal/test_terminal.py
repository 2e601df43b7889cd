"""The command on a pseudo-terminal, used as a person would."""

import io
import os
import re
import shlex
import signal
from pathlib import Path
from typing import Any

import pexpect
import pytest

from divisorduel.terminal.terminal import Terminal, printable, undirected
from tests.conftest import DUEL, Duel


def close_window(window: "pexpect.spawn[Any]") -> None:
    """Close the window of a program, but not its file number, which pexpect closes later."""
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, window.fileno())
    os.close(nothing)


class TerminalUser:
    """A person at a terminal."""

    def __init__(
        self,
        duel: Duel,
        *words: str,
        columns: int = 80,
        standard_output: Path | None = None,
        **environ: str,
    ) -> None:
        redirected = "" if standard_output is None else f" > {shlex.quote(str(standard_output))}"
        self.screen = pexpect.spawn(
            "sh",
            ["-c", f"exec {shlex.join((DUEL, *words))}{redirected}"],
            env=duel.environment(**{"TERM": "xterm", "DUEL_PLAIN": "1", **environ}),
            dimensions=(40, columns),
            timeout=120,
            encoding="utf-8",
            cwd=str(duel.home),
        )

    def see(self, text: str) -> str:
        self.screen.expect_exact(text)
        return str(self.screen.before)

    def see_board(self, least: int = 0) -> int:
        """Wait until progress names a board of at least this size, and return its size.

        Not every board is shown: a busy machine skips some.
        """
        shown = -1
        while shown < least:
            self.screen.expect(r"n = (\d+)\D")
            assert isinstance(self.screen.match, re.Match)
            shown = int(self.screen.match[1])
        return shown

    def type(self, line: str) -> None:
        self.screen.sendline(line)

    def interrupt(self) -> int:
        """Press Ctrl-C until the program exits, and return its exit status."""
        # Once may not be enough: Python notices it only when it next reads from the terminal.
        for _ in range(40):
            if self.screen.expect([pexpect.EOF, pexpect.TIMEOUT], timeout=0.5) == 0:
                return self._status()
            self.screen.sendintr()
        raise AssertionError("Ctrl-C did not stop the program")

    def wait_for_exit(self) -> int:
        """Wait until the program exits, and return its exit status."""
        self.screen.expect(pexpect.EOF)
        return self._status()

    def _status(self) -> int:
        self.rest = str(self.screen.before)
        self.screen.close()
        return int(self.screen.exitstatus or 0)


def test_a_rematch_is_offered_and_the_games_won_are_counted(duel: Duel) -> None:
    user = TerminalUser(duel, "play", "chain")
    user.see("Enter your chosen number: ")
    user.type("43")
    user.see("Play again? (yes, no or review): ")
    user.type("yes")
    user.see("Player 2, it's your turn.")
    user.type("47")
    user.see("Games won: Player 1: 1, Player 2: 1.")
    user.see("Play again?")
    user.type("no")
    assert user.wait_for_exit() == 0


def test_the_winning_move_can_be_taken_back_when_a_rematch_is_offered(duel: Duel) -> None:
    user = TerminalUser(duel, "play", "chain")
    user.type("43")
    user.see("Play again?")
    user.type("help")
    user.see("history")
    user.type("undo")
    user.see("43 was taken back.")
    user.see("Player 1, it's your turn.")
    user.type("8")
    user.see("You selected 8.")
    user.type("quit")
    user.see("The game is saved.")
    assert user.wait_for_exit() == 0


def test_a_forfeit_is_confirmed(duel: Duel) -> None:
    user = TerminalUser(duel, "play", "chain", "--names", "Ann", "Bob")
    user.type("f")
    user.see('type "forfeit" in full')
    for no in ("no", ""):
        user.type("forfeit")
        user.see("Give up this game? Then Bob wins.")
        user.type(no)
        user.see("Enter your chosen number: ")
    user.type("give up")
    user.see("Give up this game?")
    user.type("maybe")
    user.see('Type "yes" or "no".')
    user.type("yes")
    user.see("Bob wins the game!")
    user.see("Play again?")
    user.type("exit")
    assert user.wait_for_exit() == 0


def test_a_player_can_leave_instead_of_confirming_a_forfeit(duel: Duel) -> None:
    user = TerminalUser(duel, "play", "chain")
    user.type("8")
    user.type("resign")
    user.see("Give up this game?")
    user.type("quit")
    user.see("The game is saved. To continue")
    assert user.wait_for_exit() == 0


def test_ctrl_c_first_ends_only_the_thinking(duel: Duel) -> None:
    user = TerminalUser(
        duel, "play", "antichain", "--to", "100", "--p1", "perfect", "--names", "Ann", "Bob"
    )
    user.see("Ann is thinking: ")
    user.screen.sendintr()
    user.see("Stopped. Ann plays the move that looks best.")
    user.see("Bob's Turn")
    user.type("undo")
    user.see("You have not made a move")
    user.type("quit")
    user.see("The game is saved.")
    assert user.wait_for_exit() == 0


def test_a_simple_terminal_is_told_once_that_the_program_is_thinking(duel: Duel) -> None:
    user = TerminalUser(duel, "play", "antichain", "--to", "100", TERM="dumb")
    user.type("hint")
    user.see("Looking for a hint: ")
    assert "\x1b" not in str(user.screen.before)
    user.screen.sendintr()
    user.see("Stopped.")
    assert user.interrupt() == 130
    assert "\x1b" not in user.rest


def test_descent_warns_once_and_asks_for_a_new_number_on_a_rematch(duel: Duel) -> None:
    user = TerminalUser(duel, "play", "descent", "--number", "30", "--names", "Ann", "Bob")
    user.see("Take care: a wrong number loses the game.")
    user.type("2")
    user.see("Ann wins the game!")
    user.see("Play again?")
    user.type("yes")
    user.see("Enter the starting number (greater than 1): ")
    user.type("72")
    before = user.see("Select a proper divisor of 72: ")
    assert "Bob will go first." in before
    assert "Take care" not in before
    user.type("quit")
    user.see("No move was made")
    assert user.wait_for_exit() == 0


def test_ctrl_c_saves_the_game_and_exits_with_130(duel: Duel) -> None:
    user = TerminalUser(duel, "play", "chain")
    user.type("8")
    user.see("You selected 8.")
    user.see("Enter your chosen number: ")
    assert user.interrupt() == 130
    assert "The game is saved. To continue: duel resume" in user.rest
    assert "turn 2" in duel.run("resume").stdout


def test_ctrl_c_before_the_game_exits_with_130(duel: Duel) -> None:
    user = TerminalUser(duel)
    user.see("What would you like to do?")
    assert user.interrupt() == 130
    assert "Traceback" not in user.rest


def test_ctrl_d_saves_the_game_and_exits_with_3(duel: Duel) -> None:
    user = TerminalUser(duel, "play", "chain")
    user.type("8")
    user.see("You selected 8.")
    user.see("Enter your chosen number: ")
    user.screen.sendeof()
    user.see("The game is saved. To continue: duel resume")
    assert user.wait_for_exit() == 3


def test_a_prime_starting_number_is_explained_before_it_is_played(duel: Duel) -> None:
    user = TerminalUser(duel, "play", "descent")
    user.see("Enter the starting number (greater than 1): ")
    user.type("17")
    user.see("17 is a prime: the game ends at once")
    user.see("play it anyway.")
    user.see("Enter the starting number (greater than 1): ")
    user.type("17")
    user.see("Player 1 cannot make a move and loses.")
    user.see("Play again?")
    user.type("quit")
    assert user.wait_for_exit() == 0


def test_the_menu_starts_a_game(duel: Duel) -> None:
    user = TerminalUser(duel)
    for prompt, answer in (
        ("What would you like to do? (Press Enter for play): ", ""),
        ("Game? (Press Enter for chain): ", "2"),
        (
            (
                "Which numbers? For example 2-50, or 2-50,even if the first number must be even. "
                "(Press Enter for 2-50,even): "
            ),
            "2-6",
        ),
        ("Who is Player 2? (Press Enter for human): ", ""),
        ("What is Player 1's name? (Press Enter for Player 1): ", "Ann"),
        ("What is Player 2's name? (Press Enter for Player 2): ", ""),
        (
            'Who starts? Type 1 for Ann, 2 for Player 2, or "random". (Press Enter for 1): ',
            "random",
        ),
        ("How many rounds? (Press Enter for 1): ", ""),
        ("Play the longer game? Type yes or no. (Press Enter for yes): ", "no"),
        ("it's your turn.", "5"),
        ("wins the game!", ""),
        ("Play again?", "n"),
        ("What would you like to do?", "quit"),
    ):
        user.see(prompt)
        if answer or "Enter" in prompt:
            user.type(answer)
    assert user.wait_for_exit() == 0


@pytest.mark.thorough
def test_output_on_a_terminal_is_coloured_unless_no_color_is_set(duel: Duel) -> None:
    for no_colour, coloured in (("", True), ("1", False)):
        user = TerminalUser(duel, "play", "chain", NO_COLOR=no_colour)
        user.see("Enter your chosen number: ")
        user.type("99")
        before = user.see("99 is not on the board")
        assert ("\x1b[33m" in before) is coloured
        user.type("quit")
        user.wait_for_exit()


def test_no_line_is_wider_than_a_window_of_40_columns(duel: Duel) -> None:
    user = TerminalUser(duel, "play", "chain", columns=40, NO_COLOR="1")
    shown = user.see("Enter your chosen number: ")
    plain = re.sub(r"\x1b\[[0-9;?]*[a-z]", "", shown)
    assert max(map(len, plain.splitlines())) <= 40
    user.type("quit")
    assert user.wait_for_exit() == 0


def test_play_without_a_game_asks_for_it(duel: Duel) -> None:
    user = TerminalUser(duel, "play", "--names", "Ann", "Bob")
    user.see("Game? (Press Enter for chain): ")
    user.type("evns")
    user.see("Did you mean evens?")
    user.type("evens")
    user.see("Ann, it's your turn.")
    user.type("q")
    assert user.wait_for_exit() == 0


def test_before_a_computer_ends_the_game_at_once_a_longer_one_is_offered(duel: Duel) -> None:
    user = TerminalUser(duel, "play", "chain", "--p1", "perfect", "--names", "Ann", "Bob")
    user.see("On this board Ann can win with the first move.")
    user.see("Play the longer game? Type yes or no. (Press Enter for yes): ")
    user.type("")
    user.see("The first number must be even.")
    user.see("Bob, it's your turn.")
    user.type("quit")
    assert user.wait_for_exit() == 0


def test_a_person_who_starts_learns_which_option_makes_the_game_longer(duel: Duel) -> None:
    user = TerminalUser(duel, "play", "chain")
    user.see("can win with the first move.")
    user.see("--opening even.")
    user.see("Enter your chosen number: ")
    user.type("quit")
    assert user.wait_for_exit() == 0


def test_a_replay_steps_forward_and_back(duel: Duel) -> None:
    duel.run("play", "chain", typed="8\n4\nsave g.duel\n12\n")
    user = TerminalUser(duel, "replay", "g.duel")
    step = "[Enter: next, b: back, q: quit] "
    user.see(step)
    user.type("")
    user.see("You selected 8.")
    user.see(step)
    user.type("")
    user.see("You selected 4.")
    user.see(step)
    user.type("b")
    user.see("You selected 8.")
    user.see(step)
    user.type("bananas")
    assert "You selected" not in user.see('Press Enter for the next move, or type "b" or "q".')
    user.see(step)
    user.type("q")
    assert user.wait_for_exit() == 0


HOSTILE = "\u202e\u2066\u200f\u061c\x1b[2J\x07\x9b\u2028\ud800"
"""Characters that reverse a line, clear the screen, ring, or start a new line."""


def test_nothing_that_is_written_can_control_the_terminal() -> None:
    out, err = io.StringIO(), io.StringIO()
    terminal = Terminal(io.StringIO("8\n"), out, err, {})
    terminal.say(f"one {HOSTILE}\ntwo\n")
    terminal.complain(f"three {HOSTILE}\nfour")
    terminal.ask(f"five {HOSTILE}: ")
    written = out.getvalue() + err.getvalue()
    assert written.count("\n") == 5
    assert all(char.isprintable() for char in written.replace("\n", ""))


def test_a_zero_width_joiner_is_written_only_where_it_joins_emoji() -> None:
    assert printable("👩\u200d🚀") == "👩\u200d🚀"
    assert printable("A\u200dB\u200d") == "A?B?"


def test_a_text_keeps_everything_but_its_changes_of_direction() -> None:
    kept = "שלום\u00a0👩\u200d🚀 می\u200cروم"
    assert undirected(kept) == kept
    assert undirected("a\u202eb\u2066c\u2069d\u200ee\u061cf") == "a?b?c?d?e?f"


@pytest.mark.thorough
def test_a_long_search_shows_its_progress(duel: Duel) -> None:
    for words in (["fair", "antichain", "--to", "150"], ["puzzle", "chain", "--to", "300000"]):
        user = TerminalUser(duel, *words)
        user.see(" positions, ")
        assert user.interrupt() == 130


def test_the_prompt_is_shown_again_when_the_program_continues_after_a_stop(duel: Duel) -> None:
    user = TerminalUser(duel, "play", "chain")
    user.see("Enter your chosen number: ")
    user.screen.send("4")
    user.see("4")
    user.screen.kill(signal.SIGSTOP)
    user.screen.kill(signal.SIGCONT)
    user.see("Enter your chosen number: 4")
    user.type("3")
    user.see("You selected 43.")
    user.see("Play again?")
    user.type("no")
    assert user.wait_for_exit() == 0
