"""Openings are distinct and proven, and either player can get them wrong."""

from random import Random

import pytest

from divisorduel import game, read_code, solve
from divisorduel.bots.arena.openings import TooFewOpenings, openings
from divisorduel.play.players import Judge
from tests.conftest import thorough_except

BOARDS = [("antichain", 24), ("chain", 30), ("divider", 20), ("evens", 40), ("juniper", 40)]


@pytest.mark.parametrize(("key", "to"), thorough_except(BOARDS, ("antichain", 24), ("chain", 30)))
def test_at_most_half_of_the_moves_win_and_the_game_is_not_over_at_once(key: str, to: int) -> None:
    found = openings(game(key, to=to), 10, Random(1), Judge())
    assert len({*found}) == 10
    assert found == openings(game(key, to=to), 10, Random(1), Judge())
    for code in found:
        board, position = read_code(code)
        verdict = solve(board, position)
        assert verdict.proven
        assert len(board.moves(position)) >= 3
        assert 1 <= len(verdict.winning_moves) <= len(board.moves(position)) / 2
        lasting = [m for m in verdict.winning_moves if not board.is_over(board.after(position, m))]
        assert lasting


def test_a_board_with_too_few_openings_is_refused() -> None:
    with pytest.raises(TooFewOpenings, match=r"^Found only (\d+) of 100 .* Use --pairs \1, or"):
        openings(game("divider", to=9), 100, Random(1), Judge())
    with pytest.raises(
        TooFewOpenings, match=r"^No starting position .* Use a larger board or another game"
    ):
        openings(game("descent", number=720), 1, Random(1), Judge())
