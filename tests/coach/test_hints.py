"""Each hint reveals a little more."""

import pytest

from divisorduel import Position, game
from divisorduel.coach.hints import Hint, hint
from divisorduel.play.players import Judge
from tests.conftest import ALL_KEYS, small_game
from tests.solve.test_oracle import reachable

JUDGE = Judge()


def test_the_hints_in_a_won_position_lead_to_a_winning_move() -> None:
    g = game("divider")
    assert [hint(g, g.start(), step) for step in (1, 2, 3, 4)] == [
        Hint("winning"),
        Hint("winning-moves", {"moves": 8, "wins": 1}),
        Hint("take", {"move": 4}),
        Hint("take", {"move": 4}),
    ]


def test_the_hints_in_a_lost_position_lead_to_a_move_to_try() -> None:
    g = game("evens")
    assert [hint(g, g.start(), step) for step in (1, 2, 3)] == [
        Hint("losing"),
        Hint("winning-moves", {"moves": 10, "wins": 0}),
        Hint("try", {"move": 2, "answers": 9, "wins": 1}),
    ]


@pytest.mark.parametrize("key", ALL_KEYS)
def test_the_last_hint_of_every_position_names_a_move_that_fits_the_verdict(key: str) -> None:
    g = small_game(key)
    for position in reachable(g):
        last, verdict = hint(g, position, 3, JUDGE), JUDGE.verdict(g, position)
        assert hint(g, position, 1, JUDGE).move is None
        if g.is_over(position):
            assert last == Hint("no-moves")
        else:
            assert last.move in (verdict.winning_moves or g.moves(position))


def test_a_hint_says_if_the_only_move_wins() -> None:
    g = game("divider", to=4)
    assert hint(g, Position.of([3]), 2) == Hint("only-move-wins")
    g = game("descent", number=9)
    assert hint(g, g.start(), 2) == Hint("only-move-wins")
    chain = game("chain", to=8)
    position = chain.play(chain.play(chain.start(), 2), 6)
    assert chain.moves(position) == (3,)
    assert hint(chain, position, 2) == Hint("only-move-wins")


def test_there_is_no_hint_without_a_proof_or_without_a_move() -> None:
    g = game("antichain", to=5000)
    assert [hint(g, g.start(), step) for step in (1, 2, 3)] == 3 * [Hint("unproven")]
    assert hint(game("divider"), Position(), 3) == Hint("no-moves")


def test_more_hints_are_promised_only_if_they_say_more() -> None:
    g, large = game("divider"), game("antichain", to=5000)
    assert [hint(g, g.start(), step).is_last for step in (1, 2, 3)] == [False, False, True]
    assert hint(large, large.start(), 1).is_last
    assert hint(g, Position(), 1).is_last
