"""Smooth numbers and columns: equivalent positions become equal, and no others."""

import pytest

from divisorduel import game
from divisorduel.rules.numbers import bit_set, members
from divisorduel.rules.pool_game import PoolGame
from divisorduel.solve.columns import Layout, layout_of
from tests.solve.test_components import kayles_on


def layout(key: str, **options: int) -> Layout:
    found = game(key, **options)
    assert isinstance(found, PoolGame)
    return layout_of(found)


def test_the_columns_of_a_board_are_the_multiples_of_its_large_primes() -> None:
    found = layout("antichain", to=30)
    assert found.primes == (7, 11, 13, 17, 19, 23, 29)
    smooth = (2, 3, 4, 5, 6, 8, 9, 10, 12, 15, 16, 18, 20, 24, 25, 27, 30)
    assert found.smooth == smooth


@pytest.mark.parametrize(("to", "smallest"), [(24, 5), (25, 7), (48, 7), (49, 11)])
def test_a_prime_has_a_column_if_its_square_is_beyond_the_board(to: int, smallest: int) -> None:
    assert layout("divider", to=to).primes[0] == smallest


def test_a_position_is_split_into_smooth_numbers_and_patterns() -> None:
    found = layout("antichain", to=30)
    smooth, patterns = found.split(bit_set([2, 9, 30, 7, 28, 22, 29]))
    assert smooth == bit_set([found.smooth.index(n) for n in (2, 9, 30)])
    assert patterns == [bit_set([1, 4]), bit_set([2]), bit_set([1])]
    assert found.split(0) == (0, [])


def test_the_tables_say_what_a_number_removes() -> None:
    found = layout("divider", to=30)  # a number removes its multiples
    at = found.smooth.index

    def smooth(bits: int) -> set[int]:
        return {found.smooth[i] for i in members(bits)}

    assert smooth(found.smooth_takes_smooth[at(6)]) == {6, 12, 18, 24, 30}
    assert members(found.smooth_takes_column[at(2)]) == (2, 4)
    assert members(found.smooth_takes_column[at(3)]) == (3,)
    assert members(found.column_takes_column[1]) == (1, 2, 3, 4)
    assert members(found.column_takes_column[2]) == (2, 4)
    assert len(found.column_takes_column) == len(found.column_takes_smooth) == 5
    assert set(found.column_takes_smooth) == {0}
    mutual = layout("antichain", to=30)
    assert {mutual.smooth[i] for i in members(mutual.column_takes_smooth[4])} == {2, 4}


@pytest.mark.parametrize(
    "pairs", [((5, 10),), ((5, 10), (7, 14), (2, 5)), ((5, 10), (7, 14), (11, 13))]
)
def test_without_columns_that_are_alike_every_number_is_smooth(
    pairs: tuple[tuple[int, int], ...],
) -> None:
    found = layout_of(kayles_on(*pairs))
    assert (found.primes, found.smooth) == ((), tuple(range(1, 15)))
    assert found.column_takes_column == found.column_takes_smooth == (0,)


def test_primes_whose_multiples_are_alike_have_columns() -> None:
    found = layout_of(kayles_on((5, 10), (7, 14), (2, 10), (2, 14)))
    assert found.primes == (5, 7, 11, 13)
