"""Puzzles have one solution, and fair starts state the proven outcome."""

from random import Random

import pytest

from divisorduel import game
from divisorduel.coach.fair_starts import fair_starts
from divisorduel.coach.puzzles import puzzle
from divisorduel.play.players import Judge
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


@pytest.mark.parametrize("key", ["chain", "evens", "antichain", "divider", "juniper"])
def test_fair_starts_state_the_proven_outcome(key: str) -> None:
    starts = fair_starts(key, range(20, 27, 2))
    assert starts
    for start in starts:
        position = start.game.start()
        if start.handicap is not None:
            position = start.game.play(position, start.handicap)
        verdict = Judge().verdict(start.game, position)
        assert (start.winner, start.winning_moves) == (verdict.winner, len(verdict.winning_moves))
    assert starts == sorted(starts, key=lambda start: -start.interest)


def test_descent_has_no_fair_starts() -> None:
    assert fair_starts("descent", range(12, 15)) == []
