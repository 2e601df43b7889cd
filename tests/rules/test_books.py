"""What each rule book allows, and how it explains a wrong number."""

import pickle
from collections.abc import Sequence
from itertools import islice
from random import Random

import pytest

from divisorduel import Game, IllegalMove, Position, Refusal, Taken, game
from tests.conftest import ALL_KEYS, default_game

ONE, TWO = "Player 1", "Player 2"


def reason(g: Game, position: Position, move: int, taken: Sequence[Taken] = ()) -> str:
    refusal = g.refusal(position, move, taken)
    return g.explain(refusal) if refusal else ""


def test_the_reference_game_of_evens_can_be_played_to_its_end() -> None:
    g = game("evens")
    position = g.start()
    for move in (12, 6, 18, 2, 4, 8, 16):
        position = g.play(position, move)
    assert g.is_over(position)
    assert position.numbers == (10, 14, 20)


def test_evens_after_8_allows_2_4_and_16() -> None:
    g = game("evens")
    assert g.moves(g.play(g.start(), 8)) == (2, 4, 16)


@pytest.mark.parametrize(("last", "wrong"), [(12, 18), (6, 4), (6, 8)])
def test_evens_refuses_what_its_worked_game_wrongly_calls_valid(last: int, wrong: int) -> None:
    g = game("evens")
    with pytest.raises(IllegalMove, match=f"{wrong} neither divides {last} nor is a multiple"):
        g.play(g.play(g.start(), last), wrong)


def test_the_reference_game_of_antichain_ends_with_no_move_for_player_1() -> None:
    g = game("antichain", to=10)
    position = g.start()
    for move in (7, 3, 5, 8):
        position = g.play(position, move)
    assert g.is_over(position)


def test_antichain_refuses_10_once_5_is_taken() -> None:
    g = game("antichain", to=10)
    position = g.play(g.start(), 5)
    assert reason(g, position, 10, [Taken(5, ONE)]) == (
        "10 is a multiple of 5, which Player 1 took."
    )


def test_antichain_refuses_a_divisor_and_says_who_took_the_multiple() -> None:
    g = game("antichain")
    position = g.play(g.start(), 8)
    assert reason(g, position, 2, [Taken(8, TWO)]) == "2 divides 8, which Player 2 took."


def test_chain_after_10_allows_its_factors_and_multiples() -> None:
    g = game("chain")
    assert g.moves(g.play(g.start(), 10)) == (2, 5, 20, 30, 40, 50)


def test_chain_never_offers_a_number_that_was_taken() -> None:
    g = game("chain")
    position = g.play(g.play(g.start(), 8), 4)
    assert g.moves(position) == (2, 12, 16, 20, 24, 28, 32, 36, 40, 44, 48)
    assert reason(g, position, 8, [Taken(8, ONE), Taken(4, TWO)]) == "8 was taken on turn 1."


def test_chain_explains_a_number_that_does_not_fit() -> None:
    g = game("chain")
    position = g.play(g.start(), 12)
    assert reason(g, position, 14) == "14 neither divides 12 nor is a multiple of it."


def test_chain_explains_a_number_that_is_not_on_the_board() -> None:
    g = game("chain")
    assert reason(g, g.start(), 51) == "51 is not on the board (2 to 50)."
    assert "A number that large is not on the board" in reason(g, g.start(), 10**100)


def test_without_the_history_a_refusal_says_only_that_the_number_is_gone() -> None:
    g = game("chain")
    position = g.play(g.start(), 8)
    assert reason(g, g.play(position, 4), 8) == "8 can no longer be taken."


def test_a_refusal_is_a_code_with_parameters() -> None:
    g = game("antichain", to=10)
    position = g.play(g.start(), 5)
    assert g.refusal(position, 10, [Taken(5, ONE)]) == Refusal(
        "ruled-out", {"number": 10, "other": 5, "player": ONE}
    )
    assert g.refusal(position, 7) is None


def test_an_illegal_move_carries_its_refusal_between_processes() -> None:
    g = game("chain")
    with pytest.raises(IllegalMove) as caught:
        g.play(g.play(g.start(), 12), 14)
    for error in (caught.value, pickle.loads(pickle.dumps(caught.value))):
        assert error.refusal == Refusal("not-related", {"number": 14, "other": 12})
        assert str(error) == "14 neither divides 12 nor is a multiple of it."
        assert error.code == "illegal-move"


def test_divider_removes_the_multiples() -> None:
    g = game("divider")
    position = g.play(g.play(g.start(), 5), 3)
    assert position.numbers == (2, 4, 7, 8)
    taken = [Taken(5, ONE), Taken(3, TWO)]
    assert reason(g, position, 9, taken) == "9 is a multiple of 3, which Player 2 took."
    assert reason(g, position, 5, taken) == "5 was taken on turn 1."


def test_divider_keeps_the_divisors_of_a_number() -> None:
    g = game("divider")
    assert g.play(g.start(), 8).numbers == (2, 3, 4, 5, 6, 7, 9)


def test_descent_moves_to_proper_divisors_only() -> None:
    g = game("descent", number=16)
    assert list(g.moves(g.start())) == [2, 4, 8]
    assert reason(g, g.start(), 16) == "16 is the current number itself: a move must be smaller."
    assert reason(g, g.start(), 3) == "3 does not divide 16."
    assert "greater than 1" in reason(g, g.start(), 1)
    assert reason(g, g.start(), 0) == "0 does not divide 16."


def test_descent_ends_at_a_prime() -> None:
    g = game("descent", number=16)
    assert g.is_over(g.play(g.start(), 2))
    assert "prime" in game("descent", number=17).note


def test_descent_handles_a_number_with_millions_of_divisors() -> None:
    number = 2**30 * 3**15 * 5**10 * 7**7 * 11**3 * 13**3 * 17 * 19 * 23
    assert number < 10**50
    g = game("descent", number=number)
    moves = g.moves(g.start())
    assert len(moves) == 31 * 16 * 11 * 8 * 4 * 4 * 2 * 2 * 2 - 2
    assert 3**15 * 23 in moves
    assert list(islice(moves, 5)) == [2, 3, 4, 5, 6]


def test_descent_factors_a_product_of_two_primes_of_25_digits() -> None:
    p, q = 10**24 + 7, 10**24 + 49
    g = game("descent", number=p * q)
    assert list(g.moves(g.start())) == [p, q]


def test_juniper_starts_with_an_even_number_and_later_ones_may_be_odd() -> None:
    g = game("juniper")
    assert g.moves(g.start()) == tuple(range(2, 101, 2))
    assert reason(g, g.start(), 97) == "The first number must be even: 97 is odd."
    assert 25 in g.moves(g.play(g.start(), 50))


def test_the_low_opening_allows_the_lower_half() -> None:
    g = game("antichain", to=11, opening="low")
    assert g.moves(g.start()) == (2, 3, 4, 5)
    assert 11 in g.moves(g.play(g.start(), 4))


def test_a_high_opening_is_refused_if_the_first_number_must_be_low() -> None:
    g = game("antichain", to=11, opening="low")
    assert reason(g, g.start(), 6) == (
        "The first number must be at most half the largest one: 6 is too large."
    )


def test_the_low_opening_allows_up_to_half_the_largest_number_on_the_board() -> None:
    assert game("divider", from_=2, to=9, step=3, opening="low").moves(Position.of([2, 5, 8])) == (
        2,
    )


@pytest.mark.parametrize("key", ["chain", "antichain", "divider"])
def test_a_board_with_a_step_holds_every_nth_number(key: str) -> None:
    assert game(key, from_=3, to=20, step=4).start().numbers == (3, 7, 11, 15, 19)


def test_a_position_made_from_a_list_equals_the_one_reached_in_play() -> None:
    g = game("chain", to=6)
    assert g.play(g.start(), 4) == Position.of([2, 3, 5, 6], last=4)


@pytest.mark.parametrize("key", ["evens", "antichain", "chain", "divider"])
def test_any_number_can_be_taken_first(key: str) -> None:
    g = game(key)
    assert tuple(g.moves(g.start())) == g.start().numbers


@pytest.mark.parametrize("key", ALL_KEYS)
def test_no_number_is_taken_twice(key: str) -> None:
    for seed in range(20):
        g, rng, taken = default_game(key), Random(seed), list[int]()
        position = g.start()
        while moves := list(g.moves(position)):
            taken.append(rng.choice(moves))
            position = g.play(position, taken[-1])
            assert not set(taken) & set(g.moves(position))
        assert len(taken) == len(set(taken))


@pytest.mark.parametrize(
    ("key", "board", "turns"),
    [
        (
            "evens",
            {},
            [
                (12, [2, 4, 6]),
                (6, [2, 18]),
                (18, [2]),
                (2, [4, 8, 10, 14, 16, 20]),
                (4, [8, 16, 20]),
                (8, [16]),
                (16, []),
            ],
        ),
        (
            "antichain",
            {"to": 10},
            [
                (7, [2, 3, 4, 5, 6, 8, 9, 10]),
                (3, [2, 4, 5, 8, 10]),
                (5, [2, 4, 8]),
                (8, []),
            ],
        ),
        (
            "chain",
            {},
            [
                (10, [2, 5, 20, 30, 40, 50]),
                (5, [15, 20, 25, 30, 35, 40, 45, 50]),
                (15, [3, 30, 45]),
                (30, [2, 3, 6]),
                (6, [2, 3, 12, 18, 24, 36, 42, 48]),
            ],
        ),
        (
            "divider",
            {},
            [
                (5, [2, 3, 4, 6, 7, 8, 9]),
                (3, [2, 4, 7, 8]),
                (2, [7]),
                (7, []),
            ],
        ),
        ("descent", {"number": 16}, [(8, [2, 4]), (4, [2]), (2, [])]),
    ],
)
def test_the_answers_in_a_worked_game_are_those_of_the_rules(
    key: str, board: dict[str, int], turns: list[tuple[int, list[int]]]
) -> None:
    g = game(key, **board)
    position = g.start()
    for move, answers in turns:
        position = g.play(position, move)
        assert list(g.moves(position)) == answers
