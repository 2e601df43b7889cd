"""A review on the full screen."""

import pytest

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


def test_a_review_begins_at_the_first_mistake_and_points_out_what_punishes_it() -> None:
    async def scenario(user: User) -> None:
        screen = await open_review(user)
        assert screen.review is not None
        mistakes = screen.review.mistakes
        assert mistakes
        assert screen.shown.current.moves == MISTAKEN[: mistakes[0].turn]
        assert "Mistake!" in user.text("message")
        assert screen.board_view.board.hint == mistakes[0].answer
        await user.press("w")
        assert user.is_on(TextScreen)
        await user.press("escape")
        assert user.is_on(ReviewScreen)

    play(match_of("chain", "2-12"), scenario)


@pytest.mark.thorough
def test_arrow_keys_step_through_the_game() -> None:
    async def scenario(user: User) -> None:
        screen = await open_review(user)
        turn = len(screen.shown.current.moves)
        await user.press("right")
        assert screen.shown.current.moves == MISTAKEN[: turn + 1]
        await user.press("left", "left")
        assert screen.shown.current.moves == MISTAKEN[: turn - 1]
        for _ in MISTAKEN:
            await user.press("left")
        assert screen.shown.current.moves == ()
        assert "The start of the game" in user.text("message")

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
def test_n_and_p_go_from_mistake_to_mistake() -> None:
    async def scenario(user: User) -> None:
        screen = await open_review(user)
        assert screen.review is not None
        turns = [mistake.turn for mistake in screen.review.mistakes]
        for turn in turns[1:]:
            await user.press("n")
            assert screen.shown_turn == turn
        await user.press("n")
        assert "no more mistakes" in user.text("message")
        for turn in turns[-2::-1]:
            await user.press("p")
            assert screen.shown_turn == turn

    play(match_of("chain", "2-12"), scenario)


def test_the_keys_of_a_review_are_listed_once_and_home_goes_to_the_start() -> None:
    async def scenario(user: User) -> None:
        await open_review(user)
        await user.press("end")
        assert "After turn 8 of 8" in user.text("message")
        await user.press("home")
        assert "The start of the game" in user.text("message")
        await user.press("question_mark")
        page = "\n".join(user.lines())
        assert page.count("Next mistake") == page.count("Forward") == 1
        for useless in ("typed digit", "Stop thinking", "First number"):
            assert useless not in page

    play(match_of("chain", "2-12"), scenario, (100, 50))
