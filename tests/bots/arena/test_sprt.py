"""The sequential test and the difference in Elo agree with published values of fastchess.

The values are those of its own tests, ``sprt_test.cpp`` and ``elo_test.cpp``.
"""

import pytest

from divisorduel.bots.arena.sprt import CELLS, Sprt, difference, expected, head_to_head

FIVE = 0.0, 0.25, 0.5, 0.75, 1.0


@pytest.mark.parametrize(
    ("counts", "cells", "elo", "ratio"),
    [
        ((223, 9863, 21279, 10037, 246), FIVE, (0.5, 2.5), -3.07),
        ((871, 26175, 55983, 26678, 821), FIVE, (0, 2), -4.98),
        ((21184, 40708, 21404), CELLS, (0.5, 2.5), -1.57),
        ((57030, 106593, 57433), CELLS, (0, 2), -2.59),
    ],
)
def test_the_likelihood_ratio_matches_fastchess(
    counts: tuple[int, ...], cells: tuple[float, ...], elo: tuple[float, float], ratio: float
) -> None:
    assert Sprt(*elo).ratio(counts, cells) == pytest.approx(ratio, rel=0.01)


@pytest.mark.parametrize(
    ("counts", "cells", "diff", "error"),
    [
        ((34, 54, 63, 64, 75), FIVE, 55.58, 27.65),
        ((332, 433, 498, 333, 334), FIVE, -8.64, 10.33),
        ((7895, 8757, 5685, 568, 9999), FIVE, -21.04, 2.95),
        ((96, 111, 136), CELLS, 40.70, 30.43),
    ],
)
def test_the_elo_difference_matches_fastchess(
    counts: tuple[int, ...], cells: tuple[float, ...], diff: float, error: float
) -> None:
    assert head_to_head(counts, cells) == pytest.approx((diff, error), rel=0.01)


def test_the_bounds_and_scores_are_the_usual_ones() -> None:
    assert Sprt(0, 10).bounds == pytest.approx((-2.944, 2.944), abs=0.001)
    assert expected(0) == 0.5
    assert difference(expected(123.0)) == pytest.approx(123.0)
    assert difference(1.0) == float("inf")


def test_a_player_who_wins_every_pair_is_soon_accepted_and_a_weaker_one_rejected() -> None:
    found = Sprt(0, 100).decide([2] * 100)
    assert found is not None
    assert found[1] == "H1"
    found = Sprt(0, 100).decide([0, 1] * 100)
    assert found is not None
    assert found[1] == "H0"


def test_pairs_that_are_all_split_never_show_a_difference() -> None:
    found = Sprt(0, 50).decide([1] * 1000)
    assert found is None or found[1] == "H0"
    assert Sprt(0, 50).decide([]) is None
