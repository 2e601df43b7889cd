"""A game that the first move can end is noticed, and a longer one is suggested."""

import pytest

from divisorduel import Game, game
from divisorduel.coach.quick_end import QuickEnd, quick_end
from tests.conftest import ALL_KEYS, small_game


@pytest.mark.parametrize("key", ALL_KEYS)
def test_a_quick_end_is_found_if_some_first_move_leaves_no_answer(key: str) -> None:
    board = small_game(key)
    start = board.start()
    ends = [move for move in board.moves(start) if board.is_over(board.after(start, move))]
    found = quick_end(board)
    assert (found is not None) == bool(ends)
    if found is not None:
        assert found.move in ends
        assert found.is_certain == (ends == [*board.moves(start)])


CHAIN, CHAIN_30 = game("chain"), game("chain", to=30)
SIX, HIGH = game("descent", number=6), game("descent", number=720)


@pytest.mark.parametrize(
    ("board", "move", "is_certain", "longer"),
    [
        (CHAIN, 29, False, game("chain", opening="even")),
        (CHAIN_30, 17, False, game("chain", to=30, opening="even")),
        (SIX, 2, True, HIGH),
        (HIGH, 2, False, None),
        (game("divider", to=2), 2, True, None),
    ],
)
def test_the_rule_book_suggests_a_longer_game(
    board: Game, move: int, is_certain: bool, longer: Game | None
) -> None:
    assert quick_end(board) == QuickEnd(board, move, is_certain, longer)


@pytest.mark.parametrize(
    "board", [game("chain", opening="even"), game("descent", number=7), game("juniper")]
)
def test_other_games_do_not_end_with_the_first_move(board: Game) -> None:
    assert quick_end(board) is None


def test_a_quick_end_is_found_even_if_a_number_has_very_many_divisors() -> None:
    number = 2**30 * 3**15 * 5**10 * 7**7 * 11**3
    found = quick_end(game("descent", number=number))
    assert found is not None
    assert found.move == 2


def test_nothing_longer_is_suggested_for_a_position_that_was_agreed_on() -> None:
    chain = game("chain")
    found = quick_end(chain, chain.after(chain.start(), 2))
    assert found is None or found.longer is None
