"""A match in full screen, key by key."""

import asyncio
import threading
import time
from pathlib import Path
from random import Random

import pytest
from textual.widgets import Input

from divisorduel import Game, Position
from divisorduel.play.match import Match
from divisorduel.play.players import PlayerFault
from divisorduel.rules.catalogue import rule_book
from divisorduel.store.match_files import MatchFolder, data_folder, read_match
from divisorduel.terminal.fullscreen.dialogs import AskLine, Confirm
from divisorduel.terminal.fullscreen.duel_app import DuelApp
from divisorduel.terminal.fullscreen.match_screen import MatchScreen
from divisorduel.terminal.fullscreen.review_screen import ReviewScreen
from divisorduel.terminal.fullscreen.text_screen import TextScreen
from divisorduel.terminal.local_match import ChosenMove, LocalMatch
from divisorduel.terminal.stoppable_judge import StoppableJudge
from tests.terminal.fullscreen.user import User, match_of, play, use
from tests.terminal.test_local_match import FakeBot


def test_arrow_keys_move_the_cursor_and_enter_takes_its_number() -> None:
    async def scenario(user: User) -> None:
        await user.press("down", "right", "right", "left", "up", "down", "enter")
        assert user.moves() == (13,)
        assert "Ann took 13." in user.text("message")

    play(match_of("chain", "2-50"), scenario)


def test_a_board_that_ends_at_once_is_announced_until_the_first_move() -> None:
    async def scenario(user: User) -> None:
        assert "can win with the first move" in user.text("advice")
        assert "the first number must be even" in user.text("advice")
        await user.take(24)
        assert "first move" not in user.text("advice")

    play(match_of("chain", "2-50"), scenario)


@pytest.mark.thorough
def test_home_end_and_the_page_keys_reach_the_ends_of_the_board() -> None:
    async def scenario(user: User) -> None:
        board = user.playing.board_view
        await user.press("end")
        assert board.tile.number == 1000
        await user.press("home")
        assert board.tile.number == 2
        await user.press("pagedown", "pagedown")
        assert board.tile.number > 200
        assert board.scroll_offset.y > 0
        await user.press("pageup", "pageup")
        assert board.tile.number == 2
        assert board.scroll_offset.y == 0

    play(match_of("chain", "2-1000"), scenario)


def test_a_typed_number_moves_the_cursor_and_enter_takes_it() -> None:
    async def scenario(user: User) -> None:
        await user.press("4", "8")
        assert user.playing.board_view.tile.number == 48
        assert "Number: 48" in user.text("message")
        await user.press("escape")
        assert "Number" not in user.text("message")
        await user.press("4", "8", "backspace")
        assert user.playing.board_view.tile.number == 48
        assert "Number: 4" in user.text("message")
        await user.press("2", "enter")
        assert user.moves() == (42,)

    play(match_of("chain", "2-50"), scenario)


def test_a_pasted_number_outside_the_board_takes_no_other_number() -> None:
    async def scenario(user: User) -> None:
        await user.paste("100")
        assert "Number: 100" in user.text("message")
        await user.press("enter")
        assert user.moves() == ()
        assert "100 is not on the board" in user.text("message")

    play(match_of("chain", "2-50"), scenario)


def test_a_click_takes_a_number() -> None:
    async def scenario(user: User) -> None:
        board = user.playing.board_view
        place = board.tile_region(board.board.index(30) or 0).offset
        await user.pilot.click(board, offset=(place.x + 1, place.y + 1))
        await user.settle()
        assert user.moves() == (30,)
        await user.pilot.click(board, offset=(board.tile_region(0).x - 3, place.y - 8))  # no 1
        await user.settle()
        assert user.moves() == (30,)

    play(match_of("chain", "2-50"), scenario)


@pytest.mark.thorough
def test_a_click_on_a_scrolled_board_takes_the_number_under_the_mouse() -> None:
    async def scenario(user: User) -> None:
        board = user.playing.board_view
        await user.press("end")
        place = board.tile_region(board.board.index(995) or 0).offset - board.scroll_offset
        await user.pilot.click(board, offset=(place.x + 1, place.y))
        await user.settle()
        assert user.moves() == (995,)

    play(match_of("chain", "2-1000"), scenario)


def test_a_wrong_number_is_explained_and_costs_nothing() -> None:
    async def scenario(user: User) -> None:
        await user.take(24, 7)
        assert user.moves() == (24,)
        assert "7 neither divides 24 nor is a multiple of it" in user.text("message")
        await user.take(9999)
        assert "9999 is not on the board" in user.text("message")

    play(match_of("chain", "2-50"), scenario)


def test_a_refusal_is_shown_once_and_only_until_the_next_key() -> None:
    async def scenario(user: User) -> None:
        await user.take(7)
        assert user.text("message").count("7 is odd") == 1
        await user.press("h")
        assert user.text("message").count("7 is odd") == 1  # what is under the cursor
        assert "Ann, it's your turn" in user.text("message")
        await user.take(9)
        await user.press("left")
        assert "9 is odd" not in user.text("message")

    play(match_of("chain", "2-50,even"), scenario)


def test_a_wrong_number_that_loses_is_taken_only_after_confirmation() -> None:
    async def scenario(user: User) -> None:
        await user.take(7)
        assert user.is_on(Confirm)
        await user.press("n")
        assert user.winner() is None
        await user.take(7)
        await user.press("y")
        assert user.winner() == 2
        assert "7 does not divide 720" in user.text("message")

    play(match_of("descent", "720"), scenario)


def test_undo_takes_a_move_back_and_redo_repeats_it() -> None:
    async def scenario(user: User) -> None:
        await user.take(24, 12)
        await user.press("u")
        assert user.moves() == (24,)
        assert "12 was taken back" in user.text("message")
        await user.press("r")
        assert user.moves() == (24, 12)
        await user.press("r")
        assert "Nothing to redo" in user.text("message")

    play(match_of("chain", "2-50"), scenario)


def test_the_third_hint_is_marked_on_the_board() -> None:
    async def scenario(user: User) -> None:
        await user.take(24)
        advice = []
        for _ in range(3):
            await user.press("h")
            advice.append(user.text("advice"))
        assert "win" in advice[0] or "lose" in advice[0]
        assert "moves win" in advice[1]
        board = user.playing.board_view.board
        assert board.hint is not None
        assert f"{board.hint}" in advice[2]
        assert user.playing.board_view.tile.number == board.hint
        await user.press("enter")
        assert user.playing.board_view.board.hint is None

    play(match_of("chain", "2-50"), scenario)


@pytest.mark.thorough
def test_no_more_hints_are_promised_on_a_board_that_is_too_large() -> None:
    async def scenario(user: User) -> None:
        await user.press("h")
        await user.until(lambda: "too large" in user.text("advice"))
        assert "h again" not in user.text("advice")

    play(match_of("antichain", "2-2000"), scenario)


@pytest.mark.thorough
def test_why_reveals_a_move_only_after_the_last_hint() -> None:
    async def scenario(user: User) -> None:
        for _ in range(3):
            await user.press("w")
            assert "Look for a move" in user.text("advice")
            assert "Take" not in user.text("advice")
            await user.press("h")
        assert "Take 4." in user.text("advice")
        await user.press("w")
        assert "Take 4. That leaves 3 parts" in " ".join(user.text("advice").split())

    play(match_of("divider", "2-9"), scenario, (120, 40))


def test_why_explains_and_shows_the_partner_of_the_number_under_the_cursor() -> None:
    async def scenario(user: User) -> None:
        await user.take(24)
        await user.press("w")
        assert "partner" in user.text("advice")
        board = user.playing.board_view
        for number in board.board.numbers:
            board.move_to(number)
            await user.pilot.pause()
            if board.board.partner is not None:
                break
        assert board.board.partner is not None

    play(match_of("chain", "2-50"), scenario)


def test_advice_is_shown_to_its_end() -> None:
    async def scenario(user: User) -> None:
        await user.take(24)
        await user.press("w")
        assert user.is_on(MatchScreen)
        box = user.app.screen.query_one("#advice-box")
        assert box.max_scroll_y == 0
        assert box.region.bottom <= user.app.screen.query_one("#side").region.bottom
        user.playing.advise("word " * 80 + "end.")
        await user.until(lambda: user.is_on(TextScreen))
        assert any("end." in line for line in user.lines())

    play(match_of("chain", "2-50"), scenario)


def test_giving_up_must_be_confirmed() -> None:
    async def scenario(user: User) -> None:
        await user.press("f")
        assert user.is_on(Confirm)
        await user.press("enter")  # the safe answer has the focus
        for no in ("n", "escape", "q"):
            await user.press("f", no)
            assert user.is_on(MatchScreen)
        await user.press("f", "right", "left", "down", "up", "enter")
        assert user.winner() is None
        await user.press("f", "right", "enter")
        assert user.winner() == 2
        assert "Ann gives up. Ben wins!" in user.text("message")
        await user.press("n", "f", "y")
        assert user.winner() == 1

    play(match_of("chain", "2-50"), scenario)


@pytest.mark.thorough
def test_save_writes_a_file_that_the_player_names(tmp_path: Path) -> None:
    file = tmp_path / "mine.duel"

    async def scenario(user: User) -> None:
        await user.take(24)
        await user.press("s")
        assert user.is_on(AskLine)
        await user.press("escape", "s")
        user.app.screen.query_one(Input).value = "-"
        await user.press("enter")
        assert "The screen uses standard output" in user.text("message")
        await user.press("s")
        user.app.screen.query_one(Input).value = str(file)
        await user.press("enter")
        assert "Saved to" in user.text("message")
        assert read_match(file).match.current.moves == (24,)

    play(match_of("chain", "2-50"), scenario)


@pytest.mark.thorough
def test_brackets_step_through_the_moves_without_changing_them() -> None:
    async def scenario(user: User) -> None:
        await user.take(24, 12, 6)
        await user.press("[", "[")
        board = user.playing.board_view.board
        assert board.takers == {24: 1}
        assert "After turn 1 of 3" in user.text("message")
        await user.take(8)
        assert "This is an earlier turn" in user.text("message")
        assert user.moves() == (24, 12, 6)
        await user.press("]")
        assert user.playing.board_view.board.takers == {24: 1, 12: 2}
        await user.press("]")
        assert user.playing.board_view.board.takers == {24: 1, 12: 2, 6: 1}
        await user.press("[", "escape")
        assert "it's your turn" in user.text("message")

    play(match_of("chain", "2-50"), scenario)


def test_the_end_of_a_game_shows_who_was_winning_and_offers_a_review_and_a_rematch() -> None:
    async def scenario(user: User) -> None:
        assert "Review" not in user.footer()
        await user.take(4, 8, 2, 10, 5)
        assert "Ben cannot move: Ann wins!" in user.text("message")
        assert "Who was winning" in user.text("advantage")
        assert {"Review", "Play again"} <= user.footer()
        assert not {"Take", "Hint", "Why", "Give up"} & user.footer()
        await user.press("v")
        assert user.is_on(ReviewScreen)
        await user.press("q", "n")
        assert len(user.match.played) == 2
        assert user.match.current.starter == 2
        assert "Round 2" in user.text("message")

    play(match_of("chain", "2-12"), scenario)


@pytest.mark.thorough
def test_rounds_follow_each_other_and_the_score_is_shown() -> None:
    async def scenario(user: User) -> None:
        assert "round 1 of 2" in user.text("title")
        await user.take(4, 8, 2, 10, 5)
        assert "Ann wins! Round 2 of 2 begins." in user.text("message")
        assert "round 2 of 2" in user.text("title")
        await user.take(4, 8, 2, 10, 5)
        assert "The match is a draw, 1 to 1." in user.text("message")

    play(match_of("chain", "2-12", rounds=2), scenario)


@pytest.mark.thorough
def test_texts_open_over_the_board_and_several_keys_close_them() -> None:
    async def scenario(user: User) -> None:
        for key in ("escape", "q", "enter", "space"):
            await user.press("g")
            assert user.is_on(TextScreen)
            await user.press("down", "up", key)
            assert user.is_on(MatchScreen)
        await user.press("g")
        page = user.app.screen.query_one("#page")
        await user.press("down")
        assert page.scroll_offset.y == 1
        await user.press("up")
        assert page.scroll_offset.y == 0
        assert any("Rules" in line for line in user.lines())
        await user.press("escape", "question_mark")
        page_of_keys = "\n".join(user.lines())
        for words in ("Take the number", "Hint", "Undo", "Redo", "Why", "Give up", "Save", "["):
            assert words in page_of_keys

    play(match_of("chain", "2-50"), scenario, (100, 36))


def test_every_move_is_on_disk_before_it_is_shown() -> None:
    async def scenario(user: User) -> None:
        await user.take(24)
        [file] = MatchFolder(data_folder()).newest_first()
        assert read_match(file).match.current.moves == (24,)
        await user.press("q")

    assert play(match_of("chain", "2-50"), scenario, save=True) == 0


def test_a_match_that_is_open_twice_is_saved_separately() -> None:
    async def scenario(user: User) -> None:
        await user.take(24)
        [file] = MatchFolder(data_folder()).newest_first()
        file.write_text(file.read_text() + "\n")
        await user.take(12)
        assert "also open in another window" in user.text("message")
        assert len(MatchFolder(data_folder()).newest_first()) == 2

    play(match_of("chain", "2-50"), scenario, save=True)


def test_the_computer_answers() -> None:
    async def scenario(user: User) -> None:
        await user.take(24)
        assert len(user.moves()) == 2
        assert "Level 5 took" in user.text("message")
        await user.press("u")
        assert user.moves() == ()

    names = ("Ann", "Level 5")
    play(match_of("antichain", "2-30", ("human", "5"), names), scenario)


def _endless(_local: LocalMatch, judge: StoppableJudge) -> ChosenMove:
    judge.budget()
    while not judge.stopped:
        time.sleep(0.005)
    return ChosenMove(0)


@pytest.mark.parametrize("key", ["escape", "ctrl+c"])
@pytest.mark.thorough
def test_a_computer_that_thinks_for_a_long_time_can_be_told_to_move(
    key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(LocalMatch, "choose", _endless)

    async def scenario(user: User) -> None:
        await user.pilot.press(*"24", "enter")
        await user.until(lambda: "Level 5 is thinking" in user.text("message"))
        await user.pilot.press("8", "enter")  # it is not the player's turn
        assert user.moves() == (24,)
        await user.press(key)
        assert len(user.moves()) == 2
        assert user.app.is_running

    play(match_of("antichain", "2-30", ("human", "5"), ("Ann", "Level 5")), scenario)


def test_a_slow_hint_can_be_stopped_and_asked_for_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    module = "divisorduel.terminal.fullscreen.coached_screen.hint"

    def endless(_game: object, _position: object, _step: int, judge: StoppableJudge) -> None:
        while not judge.stopped:
            time.sleep(0.005)

    async def scenario(user: User) -> None:
        with monkeypatch.context() as patch:
            patch.setattr(module, endless)
            await user.pilot.press("h")
            await user.until(lambda: "Looking for a hint" in user.text("message"))
            await user.press("ctrl+c")
            assert "Stopped. Ann, it's your turn" in user.text("message")
        await user.press("h")
        assert "You can win this." in user.text("advice")

    play(match_of("chain", "2-30"), scenario)


@pytest.mark.thorough
def test_two_computers_play_to_the_end() -> None:
    async def scenario(user: User) -> None:
        await user.until(lambda: user.match.over)
        await user.settle()
        assert "Who was winning" in user.text("advantage")

    kinds, names = ("random", "greedy"), ("Random", "Greedy")
    play(match_of("antichain", "2-30", kinds, names), scenario)


@pytest.mark.thorough
def test_space_pauses_two_computers(monkeypatch: pytest.MonkeyPatch) -> None:
    choose = LocalMatch.choose
    moves = 0

    def slow(local: LocalMatch, judge: StoppableJudge) -> ChosenMove:
        nonlocal moves
        moves += 1
        return _endless(local, judge) if moves == 3 else choose(local, judge)

    monkeypatch.setattr(LocalMatch, "choose", slow)

    async def scenario(user: User) -> None:
        await user.until(lambda: moves == 3)
        await user.press("space")
        assert len(user.moves()) == 2
        assert "Paused" in user.text("message")
        await user.press("space")
        await user.until(lambda: user.match.over)

    kinds, names = ("random", "greedy"), ("Random", "Greedy")
    play(match_of("antichain", "2-30", kinds, names), scenario)


def test_ctrl_c_without_thinking_ends_the_program_with_its_status() -> None:
    async def scenario(user: User) -> None:
        await user.take(24)
        await user.pilot.press("ctrl+c")

    assert play(match_of("chain", "2-50"), scenario) == 130


def test_only_a_player_who_can_take_a_number_is_told_how(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(LocalMatch, "choose", _endless)

    async def scenario(user: User) -> None:
        await user.pilot.press("right")
        assert not user.text("advice")
        assert "Enter" not in user.text("message")

    kinds, names = ("random", "greedy"), ("Random", "Greedy")
    play(match_of("antichain", "2-30", kinds, names), scenario)


def test_a_hint_does_not_keep_the_computer_from_moving(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(LocalMatch, "choose", _endless)

    async def scenario(user: User) -> None:
        await user.pilot.press("h", "w")
        await user.press("escape")
        assert len(user.moves()) == 1

    match = Match.of(
        rule_book("antichain").on_board("2-30"),
        names=("Ann", "Level 5"),
        kinds=("human", "5"),
        first=2,
    )
    play(match, scenario)


def test_typed_digits_are_shown_under_a_long_message() -> None:
    async def scenario(user: User) -> None:
        await user.press("1", "9")
        assert "Number: 19" in "\n".join(user.lines())

    play(match_of("chain", "2-50"), scenario, (40, 15))


def test_a_letter_without_a_meaning_leads_to_the_list_of_keys_and_signs() -> None:
    async def scenario(user: User) -> None:
        await user.press("x")
        assert "x does nothing here. Press ? for the keys." in user.text("message")
        await user.press("question_mark")
        page = "\n".join(user.lines())
        assert "the partner of the number in brackets" in page
        assert "Delete a typed digit" in page

    play(match_of("chain", "2-50"), scenario, (100, 50))


def test_an_engine_that_fails_forfeits_and_the_screen_says_why() -> None:
    match = match_of("chain", "2-50", kinds=("human", "bot"))
    bot = FakeBot(PlayerFault("late", "It did not answer within 10 seconds."))
    local = LocalMatch.new(match, save=False, bots={2: bot})

    async def scenario(user: User) -> None:
        await user.press("8", "enter")
        await user.until(lambda: user.winner() == 1)
        assert "Ben did not move in time." in user.text("message")

    use(DuelApp(lambda app: app.match_screen(local), delay=0), scenario)


def test_escape_does_not_move_for_an_engine() -> None:
    match = match_of("chain", "2-50", kinds=("human", "bot"))
    asked, may_answer = list[int](), threading.Event()

    class SlowBot(FakeBot):
        def choose(self, game: Game, position: Position, rng: Random) -> int:
            asked.append(len(asked))
            may_answer.wait()
            return super().choose(game, position, rng)

    local = LocalMatch.new(match, save=False, bots={2: SlowBot(2, 2)})

    async def scenario(user: User) -> None:
        user.playing.choose(8)
        while len(asked) < 1:
            await asyncio.sleep(0.01)
        user.playing.thinker.stop()
        while len(asked) < 2:
            await asyncio.sleep(0.01)
        assert user.moves() == (8,)
        may_answer.set()
        await user.until(lambda: user.moves() == (8, 2))

    use(DuelApp(lambda app: app.match_screen(local), delay=0), scenario)
