"""Hints give away a little more each time, and reasons are true."""

import re

import pytest

from divisorduel import Game, Position, game
from divisorduel.coach.hints import hint
from divisorduel.coach.reasons import best_move, reason
from divisorduel.play.players import judge
from divisorduel.rules.pool_game import PoolGame
from divisorduel.solve.budget import Budget
from divisorduel.solve.nimbers import components_of, nimbers_of
from tests.conftest import ALL_KEYS, small_game
from tests.solve.test_oracle import reachable


def test_the_ladder_of_hints_in_a_won_position() -> None:
    g = game("divider")
    assert [hint(g, g.start(), step) for step in (1, 2, 3, 4)] == [
        "You can win this.",
        "Of your 8 moves, 1 wins.",
        "Take 4.",
        "Take 4.",
    ]


def test_the_ladder_of_hints_in_a_lost_position() -> None:
    g = game("evens")
    assert hint(g, g.start(), 1) == "You are losing, if your opponent plays well."
    assert hint(g, g.start(), 2) == "Of your 10 moves, none wins."
    assert hint(g, g.start(), 3).startswith("Try 2: of the 9 answers to it, only 1 beats you.")


@pytest.mark.parametrize("key", ALL_KEYS)
def test_every_position_has_a_reason_and_a_move_that_fits_the_verdict(key: str) -> None:
    g = small_game(key)
    for position in reachable(g):
        move, verdict = best_move(g, position), judge(g, position)
        assert reason(g, position)
        if verdict.winning_moves:
            assert move in verdict.winning_moves
        elif not g.is_over(position):
            assert move in g.moves(position)


PAIR = re.compile(r"(\d+)-(\d+)")


def test_the_pairs_of_a_reason_answer_each_other() -> None:
    g = game("evens")
    pairs = PAIR.findall(reason(g, g.start()))
    assert sorted(int(n) for pair in pairs for n in pair) == list(range(2, 21, 2))
    assert all(int(b) % int(a) == 0 or int(a) % int(b) == 0 for a, b in pairs)


@pytest.mark.parametrize("key", ["chain", "juniper", "evens"])
def test_the_partners_of_a_reason_win_against_every_try(key: str) -> None:
    g = small_game(key)
    for position in reachable(g):
        if g.is_over(position):
            continue
        told = reason(g, position)
        at = position
        if judge(g, position).winner == 1:
            at = g.play(position, best_move(g, position) or 0)
        if "and so on" in told or g.is_over(at):
            continue
        answers = dict(
            pair for a, b in PAIR.findall(told) for pair in ((int(a), int(b)), (int(b), int(a)))
        )
        for move in g.moves(at):
            assert answers[move] in judge(g, g.play(at, move)).winning_moves


def test_the_parts_of_a_reason_are_those_of_the_position() -> None:
    g = game("divider")
    after = g.play(g.start(), 4)
    assert isinstance(g, PoolGame)
    parts = components_of(g, after.playable)
    worth = sorted(nimbers_of(g).nimber(part, Budget()) for part in parts)
    assert worth == [0, 1, 1]
    assert "3 parts, 2 worth 1 each and one worth 0, which cancel" in reason(g, g.start())


def test_a_prime_is_reason_enough_in_descent() -> None:
    g = game("descent", number=30)
    assert reason(g, g.start()) == "Take 2: it is a prime, so your opponent has no move."


def test_what_is_not_proven_is_not_explained(monkeypatch: pytest.MonkeyPatch) -> None:
    g: Game = game("antichain", to=5000)
    assert "beyond what can be proven" in reason(g, g.start())
    assert "beyond what can be proven" in hint(g, g.start(), 1)
    assert best_move(g, g.start()) is None


def test_there_is_nothing_to_explain_at_the_end() -> None:
    assert reason(game("divider"), Position()) == "There is no move left."


@pytest.mark.parametrize(
    ("key", "board"),
    [
        ("divider", {"from_": 3, "to": 9, "opening": "low"}),
        ("antichain", {"from_": 5, "to": 15, "opening": "even"}),
    ],
)
def test_parts_are_said_to_cancel_only_if_they_do(key: str, board: dict[str, int]) -> None:
    g = game(key, **board)
    assert judge(g, g.start()).winner == 2
    assert "cancel" not in reason(g, g.start())
