"""Puzzles have one solution, and fair starts state the proven outcome."""

from itertools import count
from random import Random

import pytest

from divisorduel import game
from divisorduel.coach.fair_starts import fair_starts
from divisorduel.coach.puzzles import puzzle
from divisorduel.play.players import Judge
from divisorduel.solve.budget import Budget
from tests.conftest import ALL_KEYS, thorough_except

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


@pytest.mark.parametrize(
    "key",
    thorough_except(["chain", "evens", "antichain", "divider", "juniper"], "evens", "juniper"),
)
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


def after_calls(number: int) -> Budget:
    """Return a budget whose time is up once its clock has been read this many times."""
    calls = count()
    return Budget(number, clock=lambda: next(calls))


def test_a_search_for_fair_starts_ends_with_its_budget_and_says_what_it_left_out() -> None:
    sizes = range(20, 31)
    everything = fair_starts("chain", sizes)
    left_out: list[range] = []
    found = fair_starts("chain", sizes, after_calls(400), left_out.append)
    [rest] = left_out
    assert sizes[0] < rest[0] <= rest[-1] == sizes[-1]
    assert found
    assert all(start in everything for start in found)
    assert fair_starts("chain", range(20, rest[0])) == [
        start for start in found if start.game.pool < 1 << rest[0]
    ]


def test_without_time_all_boards_are_left_out() -> None:
    left_out: list[range] = []
    assert fair_starts("chain", range(20, 10**12), Budget(0), left_out.append) == []
    assert left_out == [range(20, 10**12)]


def test_sizes_without_a_board_are_counted_within_the_budget() -> None:
    left_out: list[range] = []
    sizes = range(10**20, 10**40)
    assert fair_starts("chain", sizes, after_calls(100), left_out.append) == []
    assert left_out == [sizes[left_out[0][0] - sizes[0] :]]


def test_boards_that_cannot_be_solved_are_left_out_of_the_fair_starts(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(Judge, "budget", lambda _: Budget(0))
    left_out: list[range] = []
    assert fair_starts("antichain", range(20, 22), Budget(), left_out.append) == []
    assert left_out == [range(20, 21), range(21, 22)]


def test_a_search_for_a_puzzle_ends_with_its_budget() -> None:
    assert puzzle(game("chain"), Random(1), budget=Budget(0)) is None
    found = puzzle(game("chain"), Random(1), 5, budget=after_calls(2_000))
    assert found is not None
    assert found.level < 5


def test_a_search_can_be_stopped() -> None:
    budget = Budget(on_progress=lambda _: budget.stop())
    assert puzzle(game("chain"), Random(1), 5, budget=budget) is None
    budget = Budget(on_progress=lambda _: budget.stop())
    assert fair_starts("chain", range(20, 30), budget) == []
