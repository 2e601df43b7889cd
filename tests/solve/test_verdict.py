"""A verdict says what is proven, and nothing else."""

import pytest

from divisorduel.solve.budget import Budget
from divisorduel.solve.verdict import Verdict, mex


@pytest.mark.parametrize(
    ("nimbers", "expected"),
    [((), 0), ((1,), 0), ((0,), 1), ((0, 1, 3), 2), ((2, 1, 0, 0), 3), ((5, 5), 0)],
)
def test_the_minimum_excludant_is_the_smallest_number_not_given(
    nimbers: tuple[int, ...], expected: int
) -> None:
    assert mex(nimbers) == expected
    assert mex(iter(nimbers)) == expected


@pytest.mark.parametrize(
    ("winning", "proven", "winner", "nimber"),
    [((3, 5), True, 1, 4), ((), True, 2, 4), ((3,), False, 1, None), ((), False, None, None)],
)
def test_an_unproven_verdict_names_a_winner_only_if_a_winning_move_is_known(
    winning: tuple[int, ...], proven: bool, winner: int | None, nimber: int | None
) -> None:
    budget = Budget()
    budget.spend()
    verdict = Verdict.of(iter(winning), "guessing", budget, nimber=4, proven=proven)
    assert (verdict.winner, verdict.winning_moves, verdict.nimber) == (winner, winning, nimber)
    assert (verdict.method, verdict.proven, verdict.positions) == ("guessing", proven, 1)


def test_a_verdict_is_proven_and_without_a_nimber_unless_told_otherwise() -> None:
    verdict = Verdict.of((), "guessing", Budget())
    assert (verdict.proven, verdict.nimber, verdict.positions) == (True, None, 0)
