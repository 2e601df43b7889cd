"""The start menu and the way from it to every other screen."""

import re
import threading
from pathlib import Path
from random import Random
from typing import Any

import pytest
from textual.screen import Screen
from textual.widgets import Input, OptionList, Static

from divisorduel.coach.puzzles import Puzzle, puzzle
from divisorduel.play.commands import Take
from divisorduel.play.match import Match
from divisorduel.rules.catalogue import game, rule_book_keys
from divisorduel.store.match_files import MatchFolder, data_folder, read_match
from divisorduel.terminal.fullscreen.duel_app import DuelApp
from divisorduel.terminal.fullscreen.fields import Choice
from divisorduel.terminal.fullscreen.history_screen import HistoryScreen
from divisorduel.terminal.fullscreen.list_screen import ListScreen
from divisorduel.terminal.fullscreen.match_screen import MatchScreen
from divisorduel.terminal.fullscreen.new_game_screen import NewGameScreen, WatchScreen
from divisorduel.terminal.fullscreen.puzzle_screen import PuzzleFormScreen, PuzzleScreen
from divisorduel.terminal.fullscreen.settings_screen import SettingsScreen
from divisorduel.terminal.fullscreen.start_screen import ENTRIES, StartScreen
from divisorduel.terminal.fullscreen.statistics_screen import StatisticsScreen
from divisorduel.terminal.fullscreen.text_screen import TextScreen
from divisorduel.terminal.local_match import LocalMatch
from tests.terminal.fullscreen.user import SECONDS, Scenario, User, match_of, use


def menu(scenario: Scenario, size: tuple[int, int] = (80, 24)) -> int | None:
    """Let a person start at the menu, and return the exit status."""
    return use(DuelApp(delay=0, seed=1), scenario, size)


SCREENS: dict[str, type[Screen[None]]] = {
    "p": NewGameScreen,
    "c": ListScreen,
    "z": PuzzleFormScreen,
    "w": WatchScreen,
    "h": HistoryScreen,
    "t": StatisticsScreen,
    "r": ListScreen,
    "s": SettingsScreen,
    "question_mark": TextScreen,
}


@pytest.mark.thorough
def test_every_entry_has_a_key_and_escape_comes_back() -> None:
    async def scenario(user: User) -> None:
        for key in ("p", "c", "z", "w", "h", "t", "r", "s", "question_mark"):
            await user.press(key)
            assert user.is_on(SCREENS[key])
            if key == "question_mark":
                page = "\n".join(user.lines())
                assert all(entry.label in page for entry in ENTRIES)
            await user.press("escape")
            assert user.is_on(StartScreen)

    menu(scenario)
    assert {entry.key for entry in ENTRIES} - {"q"} <= {*SCREENS}


@pytest.mark.parametrize("key", ["q", "escape", "ctrl+q"])
def test_the_program_ends_with_a_key(key: str) -> None:
    async def scenario(user: User) -> None:
        await user.press(key)

    assert menu(scenario) == 0


def test_enter_opens_the_entry_under_the_cursor_and_the_last_one_quits() -> None:
    async def scenario(user: User) -> None:
        await user.press("enter")
        assert user.is_on(NewGameScreen)
        await user.press("escape", "up", "enter")

    assert ENTRIES[-1].label == "Quit"
    assert menu(scenario) == 0


def test_a_form_is_filled_in_with_the_keyboard() -> None:
    async def scenario(user: User) -> None:
        await user.press("p")
        form = user.app.screen
        first = form.focused
        for forward, back in (("tab", "shift+tab"), ("down", "up")):
            await user.press(forward)
            assert form.focused is not first
            await user.press(back)
            assert form.focused is first
        game, keys = form.query_one("#key", Choice), rule_book_keys()
        for key, step in (("right", 1), ("left", 0), ("left", -1), ("space", 0), ("space", 1)):
            await user.press(key)
            assert game.value == keys[(keys.index("chain") + step) % len(keys)]
        await user.press(*["down"] * 5, "2")
        assert form.query_one("#rounds", Input).value == "2"
        assert "Field" in user.footer()
        await user.press("f1")
        page = "\n".join(user.lines())
        assert "Go to another field" in page
        assert "Select all" not in page
        await user.press("escape")
        assert user.app.screen is form
        await user.press("escape")
        assert user.is_on(StartScreen)
        await user.press("p", "enter")
        assert user.match.game.book.key == "chain"
        assert user.match.kinds == ("human", "5")

    menu(scenario)


def test_what_is_typed_in_a_form_is_played_and_remembered() -> None:
    async def scenario(user: User) -> None:
        await user.press("p")
        form = user.app.screen
        form.query_one("#key", Choice).value = "antichain"
        await user.pilot.pause()
        for field, text in {"board": "2-30", "name1": "Zoë", "rounds": "3"}.items():
            form.query_one(f"#{field}", Input).value = text
        form.query_one("#kind2", Choice).value = "human"
        await user.pilot.pause()
        form.query_one("#name2", Input).value = "Max"
        form.query_one("#first", Choice).value = "2"
        await user.press("down", "enter")
        match = user.match
        assert match.names == ("Zoë", "Max")
        assert (match.game.board, match.rounds, match.first) == ("2-30", 3, 2)
        await user.press("q", "p")
        assert user.app.screen.query_one("#key", Choice).value == "antichain"

    menu(scenario)


@pytest.mark.parametrize(
    ("field", "text", "reason"),
    [
        ("board", "x", "'x' is not a board"),
        ("rounds", "0", "A match has between 1 and 1,000 rounds"),
        ("rounds", "many", "'many' is not valid"),
        ("name1", "Level 5", ""),
    ],
)
@pytest.mark.thorough
def test_a_choice_that_cannot_be_used_is_explained(field: str, text: str, reason: str) -> None:
    async def scenario(user: User) -> None:
        await user.press("p")
        user.app.screen.query_one(f"#{field}", Input).value = text
        await user.press("enter")
        if reason:
            assert reason in user.text("message")
        else:
            assert user.match.names[0] == text

    menu(scenario)


def test_the_form_says_what_cannot_be_used_and_how_a_game_is_won() -> None:
    async def scenario(user: User) -> None:
        await user.press("p")
        rounds = user.app.screen.query_one("#rounds", Input)
        rounds.value = "1299"
        await user.until(lambda: "between 1 and 1,000 rounds" in user.text("message"))
        await user.press("enter")
        assert "1,000" not in user.text("about")
        rounds.value = "3"
        await user.until(lambda: not user.text("message"))
        user.app.screen.query_one("#key", Choice).value = "descent"
        await user.until(lambda: "prime" in user.text("about"))
        page = " ".join(" ".join(user.lines()).split())
        assert "The player who cannot move loses." in page
        assert user.text("about") in page

    menu(scenario)


@pytest.mark.thorough
def test_a_click_on_a_choice_changes_it_and_a_click_on_start_starts() -> None:
    async def scenario(user: User) -> None:
        await user.press("p")
        await user.pilot.click("#key", offset=(6, 0))
        value = user.app.screen.query_one("#key", Choice).value
        assert value == rule_book_keys()[rule_book_keys().index("chain") + 1]
        await user.pilot.click("#key", offset=(0, 0))
        await user.pilot.click("#start")
        await user.settle()
        assert user.match.game.book.key == "chain"

    menu(scenario)


@pytest.mark.thorough
def test_a_rematch_of_a_game_that_needs_a_number_asks_for_a_new_one() -> None:
    async def scenario(user: User) -> None:
        await user.press("p")
        user.app.screen.query_one("#key", Choice).value = "descent"
        user.app.screen.query_one("#kind2", Choice).value = "human"
        await user.press("enter")
        await user.take(2)
        assert user.winner() == 1
        await user.press("n")
        assert user.is_on(NewGameScreen)
        assert user.app.screen.query_one("#key", Choice).value == "descent"

    menu(scenario)


@pytest.mark.thorough
def test_two_computers_are_watched() -> None:
    async def scenario(user: User) -> None:
        await user.press("w")
        user.app.screen.query_one("#key", Choice).value = "antichain"
        user.app.screen.query_one("#kind1", Choice).value = "random"
        user.app.screen.query_one("#kind2", Choice).value = "greedy"
        await user.press("enter")
        assert user.match.kinds == ("random", "greedy")
        await user.until(lambda: user.match.over)

    menu(scenario)


@pytest.mark.thorough
def test_a_game_that_was_left_is_continued() -> None:
    async def scenario(user: User) -> None:
        await user.press("p")
        user.app.screen.query_one("#kind2", Choice).value = "human"
        await user.press("enter")
        await user.take(24, 12)
        await user.press("q")
        assert user.is_on(StartScreen)
        assert "The game is saved" in user.text("message")
        await user.press("r", "escape")
        assert not user.text("message")
        await user.press("c", "enter")
        assert user.moves() == (24, 12)
        await user.take(6)
        [file] = MatchFolder(data_folder()).newest_first()
        assert read_match(file).match.current.moves == (24, 12, 6)

    menu(scenario)


def test_unfinished_games_are_listed_and_continued() -> None:
    async def scenario(user: User) -> None:
        await user.press("c")
        assert "There are no unfinished games." in user.text("message")
        await user.press("q")
        assert user.is_on(StartScreen)
        for board in ("2-20", "2-30"):
            LocalMatch.new(match_of("chain", board)).submit(Take(6))
        (data_folder() / "broken.duel").write_text("?")
        await user.press("c")
        assert user.app.screen.query_one(OptionList).option_count == 2
        assert "1 file cannot be read." in user.text("message")
        await user.press("enter")
        assert user.match.game.board == "2-30"  # the newest comes first

    menu(scenario)


def test_a_match_from_another_folder_continues_in_a_copy(tmp_path: Path) -> None:
    local = LocalMatch.new(Match.of(match_of("chain", "2-20").game))
    local.submit(Take(6))
    file = tmp_path / "elsewhere.duel"
    local.save_as(str(file))
    before = file.read_bytes()
    copy = LocalMatch.resumed(MatchFolder(data_folder()), read_match(file))
    copy.submit(Take(3))
    assert file.read_bytes() == before


@pytest.mark.thorough
def test_the_rules_of_every_game_can_be_read() -> None:
    async def scenario(user: User) -> None:
        await user.press("r")
        assert user.app.screen.query_one(OptionList).option_count == len(rule_book_keys())
        await user.press("down", "enter")
        assert user.is_on(TextScreen)
        assert any(rule_book_keys()[1] in line for line in user.lines())
        await user.press("escape", "escape")
        assert user.is_on(StartScreen)

    menu(scenario)


@pytest.mark.thorough
def test_a_puzzle_is_solved_and_another_one_follows() -> None:
    async def scenario(user: User) -> None:
        await user.press("z")
        user.app.screen.query_one("#key", Choice).value = "antichain"
        await user.press("enter")
        await user.settle()
        screen = user.app.screen
        assert isinstance(screen, PuzzleScreen)
        first = screen.puzzle
        assert first is not None
        moves = first.game.moves(first.position)
        await user.press("h")
        assert f"Only one of your {len(moves)} moves wins" in user.text("advice")
        await user.press("h")
        named = set(re.findall(r"\d+", user.text("advice")))
        assert named
        await user.press("h")
        more = set(re.findall(r"\d+", user.text("advice")))
        assert named <= more
        assert str(first.solution) not in more
        await user.take(next(move for move in moves if move != first.solution))
        assert "No: your opponent answers" in user.text("message")
        await user.take(first.solution)
        assert "Right!" in str(screen.query_one("#message", Static).content)
        if user.is_on(TextScreen):  # the reason is too long for its panel
            await user.press("escape")
        assert screen.streak == 0  # not at the first try
        await user.press("n")
        await user.until(lambda: screen.puzzle is not first)
        assert screen.puzzle is not None
        await user.press("w")
        said = str(screen.query_one("#message", Static).content)
        assert f"The solution is {screen.puzzle.solution}." in said

    menu(scenario)


def test_a_puzzle_names_its_players_as_a_sentence_does(monkeypatch: pytest.MonkeyPatch) -> None:
    found = puzzle(game("antichain", to=20), Random(1), 2)
    assert found is not None
    assert found.taken == (19, 14, 5)
    monkeypatch.setattr("divisorduel.terminal.fullscreen.puzzle_screen.puzzle", lambda *_: found)

    async def scenario(user: User) -> None:
        await user.press("z", "enter")
        await user.settle()
        await user.take(7)
        assert "7 divides 14, which you took." in user.text("message")
        await user.take(10)
        assert "10 is a multiple of 5, which your opponent took." in user.text("message")
        await user.press("left")  # to 9, and back to 10
        await user.press("right")
        assert "10 is a multiple of 5, which your opponent took." in user.text("message")

    menu(scenario)


def test_while_a_puzzle_is_looked_for_the_board_is_empty_and_keys_do_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    found = threading.Event()

    def late(*arguments: Any) -> Puzzle | None:
        found.wait(SECONDS)
        return puzzle(*arguments)

    monkeypatch.setattr("divisorduel.terminal.fullscreen.puzzle_screen.puzzle", late)

    async def scenario(user: User) -> None:
        await user.pilot.press("z", "enter")
        screen = user.app.screen
        assert isinstance(screen, PuzzleScreen)
        assert len(screen.board_view.board) == 0
        await user.pilot.press("end", "pageup", "7", "enter", "w", "h", "n", "g", "right")
        assert "Looking for a puzzle" in user.text("message")
        found.set()
        await user.settle()
        assert "Which one?" in user.text("message")
        assert len(screen.board_view.board) > 0
        for key in ("g", "question_mark"):
            await user.press(key)
            assert user.is_on(TextScreen)
            await user.press("escape")
        await user.press("9", "8", "backspace")
        assert "Number: 9" in user.text("message")
        await user.press("escape")
        assert "Number" not in user.text("message")
        await user.press("q")
        assert user.is_on(PuzzleFormScreen)

    menu(scenario)


@pytest.mark.parametrize("size", [(40, 15), (120, 40)])
@pytest.mark.thorough
def test_every_screen_fits_a_window_of_any_size(size: tuple[int, int]) -> None:
    async def scenario(user: User) -> None:
        for key in "pczwhtr":
            await user.press(key)
            assert len(user.lines()) == size[1]
            await user.press("escape")
        await user.press("p", "enter")
        assert user.is_on(MatchScreen)

    menu(scenario, size)
