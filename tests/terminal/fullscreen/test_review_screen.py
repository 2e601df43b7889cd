"""A review in full screen."""

import pytest

from divisorduel.terminal.fullscreen.match_screen import MatchScreen
from divisorduel.terminal.fullscreen.review_screen import ReviewScreen
from divisorduel.terminal.fullscreen.text_screen import TextScreen
from tests.terminal.fullscreen.user import User, match_of, play

MISTAKEN = (10, 2, 8, 4, 12, 6, 3, 9)
"""A game of chain on 2 to 12 with mistakes."""


async def open_review(user: User) -> ReviewScreen:
    """Play the game, and open its review."""
    await user.take(*MISTAKEN)
    assert user.match.over
    await user.press("v")
    screen = user.app.screen
    assert isinstance(screen, ReviewScreen)
    return screen


def test_a_review_begins_at_the_first_mistake_and_points_out_what_refutes_it() -> None:
    async def scenario(user: User) -> None:
        screen = await open_review(user)
        assert screen.review is not None
        mistakes = screen.review.mistakes
        assert mistakes
        assert screen.shown.current.moves == MISTAKEN[: mistakes[0].turn]
        assert "Mistake!" in user.text("message")
        assert screen.board_view.board.hint == mistakes[0].answer

    play(match_of("chain", "2-12"), scenario)


def test_the_keys_step_through_the_game_and_its_mistakes() -> None:
    async def scenario(user: User) -> None:
        screen = await open_review(user)
        assert screen.review is not None
        turns = [mistake.turn for mistake in screen.review.mistakes]
        for forward, back in (("right", "left"), ("]", "[")):
            await user.press(forward)
            assert screen.shown.current.moves == MISTAKEN[: turns[0] + 1]
            await user.press(back, back)
            assert screen.shown.current.moves == MISTAKEN[: turns[0] - 1]
            await user.press(forward)
        await user.press("home")
        assert screen.shown.current.moves == ()
        assert "The start of the game" in user.text("message")
        await user.press("left")
        assert screen.shown.current.moves == ()
        for following, previous in (("n", "p"), ("down", "up")):
            for turn in turns:
                await user.press(following)
                assert screen.shown_turn == turn
            await user.press(following)
            assert "no more mistakes" in user.text("message")
            for turn in turns[-2::-1]:
                await user.press(previous)
                assert screen.shown_turn == turn
            await user.press("home")
        await user.press("end")
        assert "After turn 8 of 8" in user.text("message")

    play(match_of("chain", "2-12"), scenario)


@pytest.mark.thorough
def test_enter_plays_the_refutation_on_the_board_and_escape_returns() -> None:
    async def scenario(user: User) -> None:
        screen = await open_review(user)
        judgement = screen.judgement
        assert judgement is not None
        before = screen.shown.current.moves
        await user.press("enter")
        assert screen.shown.current.moves == (*before, judgement.line[0])
        for _ in judgement.line:
            await user.press("enter")
        assert screen.shown.current.moves == (*before, *judgement.line)
        assert screen.shown.over
        await user.press("escape")
        assert screen.shown.current.moves == before
        await user.press("escape")
        assert user.match.over

    play(match_of("chain", "2-12"), scenario)


@pytest.mark.thorough
def test_texts_about_a_review_open_and_q_leaves_it() -> None:
    async def scenario(user: User) -> None:
        await open_review(user)
        await user.press("question_mark")
        page = "\n".join(user.lines())
        assert page.count("Next mistake") == page.count("Step back or forward") == 1
        assert "who was winning before each move" in page
        for useless in ("typed digit", "Stop thinking", "First number"):
            assert useless not in page
        for key in ("w", "g"):
            await user.press("escape", key)
            assert user.is_on(TextScreen)
        await user.press("escape", "q")
        assert user.is_on(MatchScreen)

    play(match_of("chain", "2-12"), scenario, (100, 50))
