"""Fair starts have the outcome, the length and the difficulty that they state."""

import pytest

from divisorduel.coach.fair_starts import SAMPLES, SHORTEST, fair_starts, usual_start
from divisorduel.play.players import Judge
from divisorduel.solve.budget import Budget
from tests.coach.counted_budget import after_calls
from tests.conftest import thorough_except


def test_the_mistakes_of_a_won_start_are_the_share_of_moves_that_lose() -> None:
    start = usual_start("divider")
    assert start is not None
    assert (start.winner, start.winning_moves, start.move_count) == (1, 1, 8)
    assert start.mistakes == 1 - 1 / 8
    assert start.interest == start.length * start.mistakes


def test_the_mistakes_of_a_lost_start_are_those_in_answer_to_its_best_move() -> None:
    start = usual_start("evens")
    assert start is not None
    assert (start.winner, start.winning_moves, start.move_count) == (2, 0, 10)
    assert start.mistakes == 1 - 1 / 9  # of nine answers to 2, only 14 wins


@pytest.mark.parametrize("key", ["chain", "antichain", "divider"])
def test_the_length_of_a_start_is_an_average_of_games_that_its_winner_wins(key: str) -> None:
    starts = fair_starts(key, range(8, 14))
    assert starts
    for start in starts:
        moves = start.length * SAMPLES
        assert moves == pytest.approx(round(moves))
        # The player who chooses first makes the moves 1, 3, 5, …, so a game they win is odd.
        assert round(moves) % 2 == (SAMPLES if start.winner == 1 else 0) % 2
        assert start.length >= SHORTEST


def test_a_rule_book_without_a_default_board_has_no_usual_start() -> None:
    assert usual_start("descent") is None


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


def test_a_search_for_fair_starts_ends_with_its_budget_and_says_what_it_left_out() -> None:
    sizes = range(20, 31)
    everything = fair_starts("chain", sizes)
    left_out: list[range] = []
    found = fair_starts("chain", sizes, after_calls(2_000), left_out.append)
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


def test_a_search_for_fair_starts_can_be_stopped() -> None:
    budget = Budget(on_progress=lambda _: budget.stop())
    assert fair_starts("chain", range(20, 30), budget) == []
