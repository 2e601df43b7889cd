"""The history and the statistics in full screen."""

from pathlib import Path

import pytest
from textual.widgets import Input, OptionList

from divisorduel.play.commands import Forfeit, Rematch, Take
from divisorduel.store.history import History
from divisorduel.terminal.fullscreen.dialogs import AskLine, Confirm
from divisorduel.terminal.fullscreen.duel_app import DuelApp
from divisorduel.terminal.fullscreen.history_screen import HistoryScreen
from divisorduel.terminal.fullscreen.list_screen import ListScreen
from divisorduel.terminal.fullscreen.review_screen import ReviewScreen
from divisorduel.terminal.fullscreen.start_screen import StartScreen
from divisorduel.terminal.fullscreen.statistics_screen import StatisticsScreen
from divisorduel.terminal.local_match import LocalMatch
from tests.terminal.fullscreen.test_review_screen import MISTAKEN
from tests.terminal.fullscreen.user import Scenario, User, match_of, use


def save(*moves: int, kind: str = "human", board: str = "2-12") -> LocalMatch:
    """Save a game of chain between Ann and Ben."""
    local = LocalMatch.new(match_of("chain", board, kinds=("human", kind)))
    for move in moves:
        local.submit(Take(move))
    return local


def menu(scenario: Scenario, size: tuple[int, int] = (80, 24)) -> int | None:
    return use(DuelApp(delay=0, seed=1), scenario, size)


async def open_history(user: User) -> HistoryScreen:
    """Open the history, and wait until every finished game is judged."""
    await user.press("h")
    screen = user.app.screen
    assert isinstance(screen, HistoryScreen)
    await user.until(lambda: bool(screen.entries) and all(e.is_judged for e in screen.entries))
    return screen


def test_the_history_lists_finished_and_unfinished_games() -> None:
    save(6, 3)
    save(*MISTAKEN)

    async def scenario(user: User) -> None:
        await open_history(user)
        page = user.lines()
        [finished] = [line for line in page if "Ann won" in line or "Ben won" in line]
        [unfinished] = [line for line in page if "unfinished" in line]
        assert "chain" in finished
        assert "2-12" in finished
        assert "Ann against Ben" in finished
        assert page.index(finished) < page.index(unfinished)
        assert {"Open", "Export", "Delete", "Back"} <= user.footer()
        await user.press("escape")
        assert user.is_on(StartScreen)

    menu(scenario)


def test_without_games_the_history_and_the_statistics_say_so() -> None:
    async def scenario(user: User) -> None:
        await user.press("h")
        await user.until(lambda: "There are no games yet." in user.text("message"))
        assert "Open" not in user.footer()
        await user.press("enter", "e", "d")
        assert user.is_on(HistoryScreen)
        await user.press("q", "t")
        await user.until(lambda: any("not finished a game against" in x for x in user.lines()))

    menu(scenario)


def test_enter_reviews_a_finished_game_and_escape_comes_back() -> None:
    save(*MISTAKEN)

    async def scenario(user: User) -> None:
        await open_history(user)
        await user.press("question_mark")
        page = "\n".join(user.lines())
        assert "Delete the game for good" in page
        assert "some moves could not be judged" in page
        await user.press("escape", "enter")
        await user.until(lambda: user.is_on(ReviewScreen))
        assert "Mistake!" in user.text("message")
        await user.press("escape")
        assert user.is_on(HistoryScreen)

    menu(scenario)


def test_a_round_of_a_match_is_chosen_before_its_review() -> None:
    local = save(*MISTAKEN)
    local.submit(Rematch())
    local.submit(Take(5))
    local.submit(Forfeit())
    assert local.match.over

    async def scenario(user: User) -> None:
        screen = await open_history(user)
        await user.press("enter")
        assert user.is_on(ListScreen)
        assert any("Round 2" in line for line in user.lines())
        await user.press("enter")
        await user.until(lambda: user.is_on(ReviewScreen))
        assert user.app.screen is not screen
        assert "2 to 12" in user.text("title")
        review = user.app.screen
        assert isinstance(review, ReviewScreen)
        assert review.moves_of.current.moves == MISTAKEN
        await user.press("escape")
        assert user.is_on(HistoryScreen)

    menu(scenario)


def test_enter_continues_an_unfinished_game() -> None:
    save(*MISTAKEN)
    save(6, 3)

    async def scenario(user: User) -> None:
        await open_history(user)
        await user.press("enter")
        assert user.moves() == (6, 3)
        await user.take(9)
        assert user.moves() == (6, 3, 9)

    menu(scenario)


def test_a_deletion_is_confirmed_and_the_list_is_shown_again() -> None:
    save(6, 3)
    save(*MISTAKEN)

    async def scenario(user: User) -> None:
        screen = await open_history(user)
        await user.press("down", "d")
        assert user.is_on(Confirm)
        await user.press("n")
        assert len(History.of_user().entries()) == 2
        await user.press("d", "y")
        await user.until(lambda: len(screen.entries) == 1)
        assert "was deleted" in user.text("message")
        assert screen.entries[0].summary.is_over
        assert [entry.name for entry in History.of_user().entries()] == [screen.entries[0].name]

    menu(scenario)


@pytest.mark.thorough
def test_a_game_is_exported_and_replaces_a_file_only_if_confirmed(tmp_path: Path) -> None:
    save(*MISTAKEN)
    file = tmp_path / "mine.duel"

    async def export(user: User, name: Path | str) -> None:
        await user.press("e")
        dialog = user.app.screen
        assert isinstance(dialog, AskLine)
        dialog.query_one(Input).value = str(name)
        await user.press("enter")

    async def scenario(user: User) -> None:
        screen = await open_history(user)
        await export(user, file)
        assert f"Written to {file}." in user.text("message")
        [entry] = screen.entries
        exported = file.read_bytes()
        assert exported == History.of_user().path(entry).read_bytes()
        file.write_text("precious")
        for answer, content in (("n", b"precious"), ("y", exported)):
            await export(user, file)
            assert user.is_on(Confirm)
            await user.press(answer)
            assert file.read_bytes() == content
        await export(user, "-")
        assert "The screen uses standard output" in user.text("message")

    menu(scenario)


def test_a_game_that_was_deleted_in_another_window_is_explained() -> None:
    save(*MISTAKEN)

    async def scenario(user: User) -> None:
        screen = await open_history(user)
        History.of_user().path(screen.entries[0]).unlink()
        await user.press("enter")
        assert "cannot be read" in user.text("message")

    menu(scenario)


def test_statistics_show_wins_and_positions_kept_with_a_sparkline() -> None:
    save(*MISTAKEN, kind="5")
    save(11, kind="5")
    save(*MISTAKEN)

    async def scenario(user: User) -> None:
        await user.press("t")
        screen = user.app.screen
        assert isinstance(screen, StatisticsScreen)
        await user.until(lambda: all(e.is_judged for e in screen.entries or []))
        await user.until(lambda: any("level 5" in line for line in user.lines()))
        page = "\n".join(user.lines())
        assert "Winning positions kept" in page
        assert "Wins over time" in page
        assert "Each bar is a game, the newest on the right: ▁ is 0%, █ is 100%" in page
        assert "chain 2-12" in page
        assert "Not counted: 1 between two people" in page
        await user.press("escape")
        assert user.is_on(StartScreen)

    menu(scenario, (80, 36))


@pytest.mark.parametrize("size", [(40, 15), (120, 40)])
@pytest.mark.thorough
def test_both_screens_fit_a_window_of_any_size(size: tuple[int, int]) -> None:
    save(*MISTAKEN, kind="5")

    async def scenario(user: User) -> None:
        screen = await open_history(user)
        assert screen.query_one(OptionList).option_count == 1
        [row] = [line for line in user.lines() if "against" in line]
        assert "won" in row or "lost" in row
        await user.press("escape", "t")
        await user.until(lambda: any("Winning positions" in line for line in user.lines()))

    menu(scenario, size)


@pytest.mark.parametrize(("size", "shown"), [((100, 24), "2-50,even"), ((40, 15), "Game 1, 20")])
def test_wide_windows_show_the_board_and_narrow_ones_the_date(
    size: tuple[int, int], shown: str
) -> None:
    save(6, board="2-50,even")

    async def scenario(user: User) -> None:
        await open_history(user)
        assert any(shown in line for line in user.lines())

    menu(scenario, size)
