"""Fair starts are as long and as hard to win as they say."""

import pytest

from divisorduel.coach.fair_starts import SAMPLES, SHORTEST, fair_starts, usual_start


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
