"""Puzzles have one solution, and the search for them ends in time."""

from random import Random

import pytest

from divisorduel import game
from divisorduel.coach.puzzles import puzzle
from divisorduel.play.players import Judge
from divisorduel.solve.budget import Budget
from tests.coach.counted_budget import after_calls
from tests.conftest import ALL_KEYS

WITH_PUZZLES = sorted(set(ALL_KEYS) - {"descent"})


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("key", WITH_PUZZLES)
def test_a_puzzle_has_exactly_one_winning_move_and_is_reached_by_play(key: str, seed: int) -> None:
    found = puzzle(game(key), Random(seed))
    assert found is not None
    assert Judge().verdict(found.game, found.position).winning_moves == (found.solution,)
    position = found.game.start()
    for move in found.taken:
        position = found.game.play(position, move)
    assert position == found.position


@pytest.mark.parametrize("level", [1, 2, 3, 4])
def test_a_puzzle_has_the_level_asked_for(level: int) -> None:
    found = puzzle(game("chain"), Random(1), level)
    assert found is not None
    assert found.level == level


def test_the_same_seed_gives_the_same_puzzle() -> None:
    assert puzzle(game("chain"), Random(7)) == puzzle(game("chain"), Random(7))


def test_a_board_may_have_no_puzzle() -> None:
    assert puzzle(game("divider", to=3), Random(0)) is None


def test_a_search_for_a_puzzle_ends_with_its_budget() -> None:
    assert puzzle(game("chain"), Random(1), budget=Budget(0)) is None
    found = puzzle(game("chain"), Random(1), 5, budget=after_calls(2_000))
    assert found is not None
    assert found.level < 5


def test_a_search_for_a_puzzle_can_be_stopped() -> None:
    budget = Budget(on_progress=lambda _: budget.stop())
    assert puzzle(game("chain"), Random(1), 5, budget=budget) is None
