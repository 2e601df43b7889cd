"""Reasons are true: the move wins, every answer wins, pairs and parts are those of the position."""

from functools import reduce
from operator import xor

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from divisorduel import Game, Position, game
from divisorduel.coach.reasons import MOST_ANSWERS, MOST_DRAWN, Reason, reason
from divisorduel.play.players import Judge
from divisorduel.rules.numbers import has, members
from divisorduel.rules.pool_game import PoolGame
from divisorduel.rules.traits import CHAIN, INDEPENDENT, UPSET
from divisorduel.solve.budget import Budget
from divisorduel.solve.component_solver import components_of
from divisorduel.solve.nimbers import nimbers_of
from tests.conftest import ALL_KEYS, small_game
from tests.solve.test_oracle import reachable

JUDGE = Judge()


def reached(game: Game, choices: list[int]) -> Position:
    """Return the position after some moves, chosen from the legal ones by these numbers."""
    position = game.start()
    for choice in choices:
        moves = game.moves(position)
        if not moves:
            break
        position = game.after(position, moves[choice % len(moves)])
    return position


def faced_by_the_loser(game: Game, position: Position, why: Reason) -> Position:
    return position if why.move is None else game.after(position, why.move)


positions = st.lists(st.integers(0, 100), max_size=6)
CHAINS = [key for key in ALL_KEYS if small_game(key).trait is CHAIN]
SUMS = [key for key in ALL_KEYS if small_game(key).trait in (INDEPENDENT, UPSET)]


def test_there_are_games_of_pairs_and_games_of_parts() -> None:
    assert CHAINS
    assert SUMS


@pytest.mark.parametrize("key", ALL_KEYS)
def test_in_every_position_the_move_and_every_answer_win(key: str) -> None:
    g = small_game(key)
    for position in reachable(g):
        why, verdict = reason(g, position, JUDGE), JUDGE.verdict(g, position)
        assert why.move in (verdict.winning_moves or [None])
        at = faced_by_the_loser(g, position, why)
        assert [move for move, _ in why.answers] == list(g.moves(at)[:MOST_ANSWERS])
        assert why.more is (len(g.moves(at)) > MOST_ANSWERS)
        for move, answer in why.answers:
            assert answer in JUDGE.verdict(g, g.play(at, move)).winning_moves


@pytest.mark.parametrize("key", CHAINS)
@given(choices=positions)
def test_partners_are_related_and_answer_every_move(key: str, choices: list[int]) -> None:
    chosen = small_game(key)
    position = reached(chosen, choices)
    assume(not chosen.is_over(position))
    assert isinstance(chosen, PoolGame)
    why = reason(chosen, position, JUDGE)
    at = faced_by_the_loser(chosen, position, why)
    assert why.code == ("no-answer" if chosen.is_over(at) else "pairs")
    partner = {a: b for pair in why.pairs for a, b in (pair, pair[::-1])}
    assert len(partner) == 2 * len(why.pairs)
    for move in chosen.moves(at):
        assert has(chosen.related_to(move), partner[move]) or has(
            chosen.related_to(partner[move]), move
        )
    assert all(partner[move] == answer for move, answer in why.answers)


@pytest.mark.parametrize("key", SUMS)
@given(choices=positions)
def test_the_parts_share_no_number_and_cancel(key: str, choices: list[int]) -> None:
    chosen = small_game(key)
    position = reached(chosen, choices)
    why = reason(chosen, position, JUDGE)
    assume(why.parts)
    numbers = [number for part in why.parts for number in part.numbers]
    assert len(numbers) == len(set(numbers))
    at = faced_by_the_loser(chosen, position, why)
    assert set(numbers) == set(members(at.playable))
    assert why.nimbers == tuple(part.nimber for part in why.parts)
    assert reduce(xor, why.nimbers, 0) == 0


@pytest.mark.parametrize("key", SUMS)
def test_answers_stay_in_the_part_or_go_to_one_that_is_worth_the_same(key: str) -> None:
    g = small_game(key)
    for position in reachable(g):
        why = reason(g, position, JUDGE)
        home = {number: part for part in why.parts for number in part.numbers}
        has_twins = all(why.nimbers.count(nimber) % 2 == 0 for nimber in why.nimbers if nimber)
        for move, answer in why.answers if why.parts else ():
            if not home[move].nimber:
                assert home[answer] is home[move]
            elif has_twins:
                assert home[answer].nimber == home[move].nimber


@pytest.mark.parametrize("key", ALL_KEYS)
def test_a_reason_that_must_not_reveal_a_move_holds_no_number(key: str) -> None:
    g = small_game(key)
    for position in reachable(g):
        hidden = reason(g, position, JUDGE, reveal=False)
        if JUDGE.verdict(g, position).winning_moves and len(g.moves(position)) > 1:
            assert hidden == Reason(hidden.code, hidden=True)
        else:
            assert hidden == reason(g, position, JUDGE)


def test_the_pairs_of_a_lost_board_are_a_perfect_matching() -> None:
    g = game("evens")
    pairs = reason(g, g.start()).pairs
    assert sorted(number for pair in pairs for number in pair) == list(range(2, 21, 2))
    assert all(b % a == 0 for a, b in pairs)


def test_the_parts_of_a_reason_are_those_of_the_position() -> None:
    g = game("divider")
    after = g.play(g.start(), 4)
    assert isinstance(g, PoolGame)
    parts = components_of(g, after.playable)
    worth = [nimbers_of(g).nimber(part, Budget()) for part in parts]
    assert sorted(worth) == [0, 1, 1]
    why = reason(g, g.start())
    assert (why.code, why.move) == ("parts", 4)
    found = {(members(part), n) for part, n in zip(parts, worth, strict=True)}
    assert {(part.numbers, part.nimber) for part in why.parts} == found
    assert why.nimbers == (0, 1, 1)  # first the part with several numbers


PRIMES = (11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67)
"""No prime removes another one: the player to move loses if their number is even."""


@pytest.mark.parametrize(("left", "more"), [(10, False), (12, False), (14, True)])
def test_a_reason_says_whether_the_loser_has_more_moves_than_it_answers(
    left: int, more: bool
) -> None:
    g = game("divider", to=70)
    assert MOST_ANSWERS == 12
    lost = reason(g, Position.of(PRIMES[:left]))
    won = reason(g, Position.of(PRIMES[: left + 1]))
    assert [lost.more, won.more] == [more, more]
    assert [move for move, _ in lost.answers] == [*PRIMES[: min(left, 12)]]
    assert len(won.answers) == min(left, 12)


def test_a_prime_is_the_reason_in_descent() -> None:
    g = game("descent", number=30)
    assert reason(g, g.start()) == Reason("prime", 2)


def test_an_unproven_position_is_not_explained() -> None:
    g: Game = game("antichain", to=5000)
    assert reason(g, g.start()) == Reason("unproven")
    assert JUDGE.best_move(g, g.start()) is None


@pytest.mark.parametrize("g", [game("divider"), game("chain", to=3)])
def test_there_is_nothing_to_explain_at_the_end(g: Game) -> None:
    assert reason(g, Position()) == Reason("no-moves")
    assert JUDGE.best_move(g, Position()) is None


def test_a_board_with_too_many_numbers_to_draw_gets_only_the_answers() -> None:
    chosen = game("chain", to=MOST_DRAWN + 3)
    position = chosen.play(chosen.start(), 2)
    why = reason(chosen, position)
    assert why.move is not None
    assert (why.code, why.pairs, why.parts) == ("pairs", (), ())
    assert why.answers


@pytest.mark.parametrize(
    ("key", "board"),
    [
        ("divider", {"from_": 3, "to": 9, "opening": "low"}),
        ("divider", {"to": 10, "opening": "even"}),
        ("antichain", {"from_": 5, "to": 15, "opening": "even"}),
    ],
)
def test_parts_that_do_not_cancel_are_not_a_reason(key: str, board: dict[str, int]) -> None:
    g = game(key, **board)
    assert JUDGE.verdict(g, g.start()).winner == 2
    why = reason(g, g.start())
    assert (why.code, why.move, why.parts, why.nimbers) == ("answers", None, (), ())
    assert why.answers
