"""The command on a real terminal, played by hand through a pseudo-terminal."""

import re
import signal

import pexpect

from tests.conftest import DUEL, Duel


def _heed_ctrl_c() -> None:
    """Undo what a shell does to programs in the background: they ignore Ctrl-C."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


class Hands:
    """A person at a terminal."""

    def __init__(self, duel: Duel, *words: str, columns: int = 80, **environ: str) -> None:
        self.screen = pexpect.spawn(
            DUEL,
            list(words),
            env=duel.environment(TERM="xterm", **environ),
            dimensions=(40, columns),
            timeout=20,
            encoding="utf-8",
            cwd=str(duel.home),
            preexec_fn=_heed_ctrl_c,
        )

    def see(self, text: str) -> str:
        self.screen.expect_exact(text)
        return str(self.screen.before)

    def type(self, line: str) -> None:
        self.screen.sendline(line)

    def interrupt(self) -> int:
        """Press Ctrl-C until it is noticed: Python sees it when the terminal is next read."""
        for _ in range(40):
            if self.screen.expect([pexpect.EOF, pexpect.TIMEOUT], timeout=0.5) == 0:
                return self._status()
            self.screen.sendintr()
        raise AssertionError("Ctrl-C was not noticed")

    def leave(self) -> int:
        """Wait for the end of the program, and return its exit status."""
        self.screen.expect(pexpect.EOF)
        return self._status()

    def _status(self) -> int:
        self.rest = str(self.screen.before)
        self.screen.close()
        return int(self.screen.exitstatus or 0)


def test_a_rematch_is_offered_and_the_games_won_are_counted(duel: Duel) -> None:
    hands = Hands(duel, "play", "chain")
    hands.see("Enter your chosen number: ")
    hands.type("43")
    hands.see("Play again? (yes, no or review): ")
    hands.type("yes")
    hands.see("Player 2, it's your turn.")
    hands.type("47")
    hands.see("Games won: Player 1: 1, Player 2: 1.")
    hands.see("Play again?")
    hands.type("no")
    assert hands.leave() == 0


def test_the_winning_move_can_be_taken_back_when_a_rematch_is_offered(duel: Duel) -> None:
    hands = Hands(duel, "play", "chain")
    hands.type("43")
    hands.see("Play again?")
    hands.type("help")
    hands.see("history")
    hands.type("undo")
    hands.see("43 was taken back.")
    hands.see("Player 1, it's your turn.")
    hands.type("8")
    hands.see("You selected 8.")
    hands.type("quit")
    hands.see("The game is saved.")
    assert hands.leave() == 0


def test_ctrl_c_saves_the_game_and_exits_with_130(duel: Duel) -> None:
    hands = Hands(duel, "play", "chain")
    hands.type("8")
    hands.see("You selected 8.")
    hands.see("Enter your chosen number: ")
    assert hands.interrupt() == 130
    assert "The game is saved. To continue: duel resume" in hands.rest
    assert "turn 2" in duel.run("resume").stdout


def test_ctrl_c_before_the_game_exits_with_130(duel: Duel) -> None:
    hands = Hands(duel)
    hands.see("Game: ")
    assert hands.interrupt() == 130
    assert "Traceback" not in hands.rest


def test_ctrl_d_saves_the_game_and_exits_with_3(duel: Duel) -> None:
    hands = Hands(duel, "play", "chain")
    hands.type("8")
    hands.see("You selected 8.")
    hands.see("Enter your chosen number: ")
    hands.screen.sendeof()
    hands.see("The game is saved. To continue: duel resume")
    assert hands.leave() == 3


def test_a_prime_starting_number_is_explained_before_it_is_played(duel: Duel) -> None:
    hands = Hands(duel, "play", "descent")
    hands.see("Enter the starting number (greater than 1): ")
    hands.type("17")
    hands.see("17 is a prime: the game ends at once")
    hands.see("same one to play it.")
    hands.see("Enter the starting number (greater than 1): ")
    hands.type("17")
    hands.see("Player 1 cannot make a move and loses.")
    hands.see("Play again?")
    hands.type("quit")
    assert hands.leave() == 0


def test_the_menu_starts_a_game(duel: Duel) -> None:
    hands = Hands(duel)
    for prompt, answer in (
        ("Game: ", "2"),
        ("Board (Enter for 2-50): ", "2-6"),
        ("Player 2 (Enter for human): ", ""),
        ("Player 1's name (Enter for Player 1): ", "Ann"),
        ("Player 2's name (Enter for Player 2): ", ""),
        ("Who starts? Type 1 for Ann, 2 for Player 2, or random (Enter for 1): ", "random"),
        ("it's your turn.", "5"),
        ("wins the game!", ""),
        ("Play again?", "n"),
    ):
        hands.see(prompt)
        if answer or "Enter" in prompt:
            hands.type(answer)
    assert hands.leave() == 0


def test_output_on_a_terminal_is_coloured_unless_no_color_is_set(duel: Duel) -> None:
    for no_colour, coloured in (("", True), ("1", False)):
        hands = Hands(duel, "play", "chain", NO_COLOR=no_colour)
        hands.see("Enter your chosen number: ")
        hands.type("99")
        before = hands.see("99 is not on the board")
        assert ("\x1b[33m" in before) is coloured
        hands.type("quit")
        hands.leave()


def test_no_line_is_wider_than_a_window_of_40_columns(duel: Duel) -> None:
    hands = Hands(duel, "play", "chain", columns=40, NO_COLOR="1")
    shown = hands.see("Enter your chosen number: ")
    plain = re.sub(r"\x1b\[[0-9;?]*[a-z]", "", shown)
    assert max(map(len, plain.splitlines())) <= 40
    hands.type("quit")
    assert hands.leave() == 0


def test_a_replay_steps_forward_and_back(duel: Duel) -> None:
    duel.run("play", "chain", typed="8\n4\nsave g.duel\n12\n")
    hands = Hands(duel, "replay", "g.duel")
    step = "[Enter: next, b: back, q: quit] "
    hands.see(step)
    hands.type("")
    hands.see("You selected 8.")
    hands.see(step)
    hands.type("")
    hands.see("You selected 4.")
    hands.see(step)
    hands.type("b")
    hands.see("You selected 8.")
    hands.see(step)
    hands.type("q")
    assert hands.leave() == 0
