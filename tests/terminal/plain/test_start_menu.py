"""The start menu in plain text."""

import io
from contextlib import suppress
from pathlib import Path

import pytest

from divisorduel.store.preferences import Preferences
from divisorduel.terminal.plain.setup_prompts import QuitRequested
from divisorduel.terminal.plain.start_menu import ENTRIES, StartMenu
from divisorduel.terminal.terminal import EndOfInput, Terminal
from tests.conftest import Duel

COMMANDS = {entry.command for entry in ENTRIES if entry.command}


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    return tmp_path


class Person(io.StringIO):
    """Lines that a person at a terminal types."""

    def isatty(self) -> bool:
        return True


class Used:
    """A menu that was used by typing lines."""

    def __init__(
        self, *lines: str, commands: set[str] = COMMANDS, chosen: Preferences | None = None
    ) -> None:
        out, self.ran = io.StringIO(), list[list[str]]()
        terminal = Terminal(Person("".join(f"{x}\n" for x in lines)), out, io.StringIO(), {})
        menu = StartMenu(terminal, chosen or Preferences(delay=0), commands, self._run)
        self.status: int | None = None
        with suppress(EndOfInput, QuitRequested):
            self.status = menu.open()
        self.shown = out.getvalue()

    def _run(self, words: list[str]) -> int:
        self.ran.append(words)
        return 0


def test_everything_that_exists_is_offered() -> None:
    shown = Used("quit").shown
    assert all(f"  {entry.name} " in shown for entry in ENTRIES)
    assert "history" not in Used("quit", commands=COMMANDS - {"history"}).shown


def test_a_misspelt_entry_or_game_gets_a_suggestion() -> None:
    assert "Did you mean play? Type a number from 1 to 9" in Used("pley", "quit").shown
    assert "Did you mean chain?" in Used("chian", "quit").shown
    assert "Did you mean" not in Used("xyzzy", "quit").shown


@pytest.mark.parametrize(
    ("lines", "ran"),
    [
        (["history"], [["history"]]),
        (["stat"], [["stats"]]),
        (["5"], [["history"]]),
        (["puzzles", "", "no"], [["puzzle"]]),
        (["puzzles", "evens", "yes", "no"], [["puzzle", "evens"], ["puzzle", "evens"]]),
        (["settings", ""], [["settings"]]),
    ],
)
def test_an_entry_is_chosen_by_its_number_or_its_first_letters(
    lines: list[str], ran: list[list[str]]
) -> None:
    used = Used(*lines, "quit")
    assert (used.ran, used.status) == (ran, 0)


@pytest.mark.parametrize("word", ["q", "quit", "exit"])
@pytest.mark.parametrize("answers", range(7))
def test_quit_works_at_every_question_and_leads_back_to_the_menu(word: str, answers: int) -> None:
    typed = ["play", "evens", "", "", "", "", ""][:answers]
    used = Used(*typed, word, "quit")
    assert "The input ended" not in used.shown
    assert used.shown.count("What would you like to do?") == (1 if answers == 0 else 2)


@pytest.mark.parametrize("answers", range(7))
def test_help_works_at_every_question(answers: int) -> None:
    typed = ["play", "evens", "", "", "", "", ""][:answers]
    before, after = Used(*typed).shown, Used(*typed, "help").shown
    assert len(after) > len(before)
    assert after.startswith(before)
    assert after.endswith(before[-20:])  # the question is asked again


def test_every_default_is_shown() -> None:
    shown = Used("", "", "", "", "", "", "", "").shown
    for usual in ("play", "chain", "2-50,even", "human", "Player 1", "Player 2", "1"):
        assert f"(Press Enter for {usual}): " in shown
    assert shown.count("(Press Enter for 1): ") == 2  # who starts, and how many rounds


def test_the_settings_are_the_defaults() -> None:
    chosen = Preferences(name="Zoë", friend="Max", level="7", delay=0)
    shown = Used("chain", "", "", chosen=chosen).shown
    assert "(Press Enter for 7): " in shown
    assert "(Press Enter for Zoë): " in shown
    assert "(Press Enter for Max): " in Used("chain", "", "human", "", chosen=chosen).shown


def test_a_game_is_played_over_several_rounds_and_the_menu_comes_back() -> None:
    used = Used("divider", "2-3", "", "Ann", "Bob", "", "2", "2", "3", "2", "3", "no", "quit")
    assert "Round 2 of 2" in used.shown
    assert "The match is a draw, 1 to 1." in used.shown
    assert used.status == 0


def test_a_board_that_ends_at_once_is_announced_and_a_longer_game_is_offered() -> None:
    asked = "chain", "2-20", "", "Ann", "Bob", "", ""
    used = Used(*asked, "", "quit", "quit")
    assert "On this board Ann can win with the first move." in used.shown
    assert "The first number must be even.\n" in used.shown
    kept = Used(*asked, "no", "quit", "quit")
    assert "The first number must be even.\n" not in kept.shown


def test_an_unfinished_game_is_chosen_from_a_list_with_dates() -> None:
    Used("divider", "", "", "Ann", "Bob", "", "", "5", "quit", "quit")
    Used("evens", "", "", "Cleo", "Dan", "", "", "12", "quit", "quit")
    used = Used("continue", "2", "quit", "quit")
    assert "  1  20" in used.shown
    assert "Continuing Divider Duel" in used.shown


def test_without_an_unfinished_game_the_menu_says_so_and_comes_back() -> None:
    used = Used("continue", "quit")
    assert "You have no unfinished games." in used.shown
    assert used.status == 0


def test_two_computers_are_watched() -> None:
    used = Used("watch", "divider", "", "human", "random", "greedy", "", "quit")
    assert "Choose random, greedy" in used.shown
    assert "Random's turn." in used.shown
    assert "wins the game!" in used.shown


def test_a_setting_is_changed_and_used_at_once(home: Path) -> None:
    used = Used("settings", "nam", "name", "Zoë", "sounds", "loud", "on", "", "chain", "", "")
    assert "Did you mean name?" in used.shown
    assert "sounds must be on or off" in used.shown
    assert "(Press Enter for Zoë): " in used.shown
    assert (home / "divisorduel" / "settings.toml").read_text() == 'name = "Zoë"\nsounds = true\n'


def test_enter_leaves_a_setting_as_it_is(home: Path) -> None:
    Used("settings", "name", "", "", chosen=Preferences(name="from the environment"))
    assert not (home / "divisorduel" / "settings.toml").exists()


def test_misspelt_games_get_a_suggestion() -> None:
    assert "Did you mean chain?" in Used("play", "chian").shown


@pytest.mark.parametrize("choice", ["history", "statistics", "settings", "rules\nchain"])
def test_a_choice_that_comes_through_a_pipe_is_carried_out(duel: Duel, choice: str) -> None:
    done = duel.run(typed=f"{choice}\nquit\n")
    assert "Error" not in done.stderr
    assert done.returncode == 0


def test_a_game_without_puzzles_is_not_accepted(duel: Duel) -> None:
    done = duel.run(typed="puzzles\ndescent\nquit\n")
    assert 'Type antichain, chain, divider, evens, juniper or "any".' in done.stdout
