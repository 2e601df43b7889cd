"""An analysis judges every legal move as the exhaustive search does, and never guesses."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from divisorduel import Game, game
from divisorduel.coach.analysis import MOST_OPTIONS, analyse
from divisorduel.play.players import Judge
from divisorduel.solve.budget import Budget
from divisorduel.solve.solver import EXHAUSTIVE
from tests.coach.test_reasons import reached
from tests.conftest import ALL_KEYS, examples, small_game


class NoTime(Judge):
    """A judge whose time is up."""

    def budget(self) -> Budget:
        """Return an empty budget."""
        return Budget(0.0)


class NoTimeForNimbers(Judge):
    """A judge that has time for one verdict and nothing else."""

    def budget(self) -> Budget:
        """Return an ample budget at first, and empty ones from then on."""
        return Budget(None if not self._cache else 0.0)


@pytest.mark.parametrize("key", ALL_KEYS)
@settings(max_examples=examples(40))
@given(choices=st.lists(st.integers(0, 100), max_size=6))
def test_each_move_is_judged_as_by_exhaustive_search(key: str, choices: list[int]) -> None:
    small = small_game(key)
    position = reached(small, choices)
    found = analyse(small, position)
    moves = [*small.moves(position)]
    assert found.verdict.proven
    assert [option.move for option in found.options] == moves
    assert found.move_count == len(moves)
    nimbers = EXHAUSTIVE.option_nimbers(small, position, Budget())
    for option in found.options:
        assert option.wins is (nimbers[option.move] == 0)
        assert option.nimber in (nimbers[option.move], None)


@pytest.mark.parametrize(("key", "has_nimbers"), [
    ("antichain", True), ("divider", True), ("descent", True),
    ("chain", False), ("evens", False), ("juniper", False),
])  # fmt: skip
def test_moves_have_nimbers_where_the_solver_knows_them(key: str, *, has_nimbers: bool) -> None:
    found = analyse(small_game(key), small_game(key).start())
    assert {option.nimber is not None for option in found.options} == {has_nimbers}


def test_without_time_no_move_is_judged() -> None:
    small = game("antichain", to=40)
    found = analyse(small, small.start(), NoTime())
    assert found.verdict.winner is None
    assert {option.wins for option in found.options} == {None}
    assert len(found.options) == found.move_count == 39


def test_moves_keep_their_verdict_if_the_time_runs_out_before_their_nimbers() -> None:
    small: Game = game("divider", to=9)
    found = analyse(small, small.start(), NoTimeForNimbers())
    assert [option.move for option in found.options if option.wins] == [4]
    assert {option.nimber for option in found.options} <= {None, 0, 1, 2, 3, 4, 5, 6, 7}


def test_more_moves_than_can_be_listed_are_not_judged_one_by_one() -> None:
    many = game("descent", number=866_421_317_361_600)
    found = analyse(many, many.start())
    assert found.move_count > MOST_OPTIONS
    assert found.options == ()
    assert found.verdict.winner == 1
