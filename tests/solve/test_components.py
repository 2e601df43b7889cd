"""The components of a certificate, in their standard form, have the nimbers of the position."""

from functools import cache, reduce
from operator import xor
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from divisorduel import game
from divisorduel.rules.numbers import bit_set, members
from divisorduel.rules.pool_game import PoolGame
from divisorduel.rules.position import Position
from divisorduel.solve.components import Components
from divisorduel.solve.verdict import mex
from tests.conftest import examples
from tests.solve.test_oracle import AnyKayles, AnyOrder, random_edges, random_order


def board(key: str, **options: int) -> PoolGame:
    found = game(key, **options)
    assert isinstance(found, PoolGame)
    return found


@cache
def nimber(g: PoolGame, playable: int) -> int:
    """Return the nimber of a set of numbers by its definition."""
    after = (g.after(Position(playable), move).playable for move in members(playable))
    return mex(nimber(g, left) for left in after)


def check(g: PoolGame, playable: int) -> None:
    parts = Components(g).of(playable)
    assert reduce(xor, (nimber(g, bit_set(part)) for part in parts), 0) == nimber(g, playable)
    assert sum(map(len, parts)) == playable.bit_count()
    assert {number for part in parts for number in part} <= {*members(g.pool)}


@given(st.randoms(use_true_random=False), st.integers(1, 9), st.integers(0))
@settings(max_examples=examples(200))
def test_nimbers_are_preserved_on_any_graph_and_partial_order(
    rng: Random, n: int, bits: int
) -> None:
    for g in (
        AnyKayles(from_=1, to=n, edges=random_edges(rng, n)),
        AnyOrder(from_=1, to=n, edges=random_order(rng, n)),
    ):
        check(g, g.pool)
        check(g, g.pool & bits)


@given(st.sampled_from(["antichain", "divider"]), st.sets(st.integers(2, 40), max_size=9))
@settings(max_examples=examples(200))
def test_nimbers_are_preserved_on_a_board_with_columns(key: str, numbers: set[int]) -> None:
    check(board(key, to=40), bit_set(numbers))


def parts(g: PoolGame, *numbers: int) -> list[tuple[int, ...]]:
    return [*Components(g).of(bit_set(numbers))]


def test_components_are_found_from_the_smallest_number_on() -> None:
    g = board("antichain", to=20)
    assert parts(g) == []
    assert parts(g, 2, 4, 3, 9, 5) == [(2, 4), (3, 9), (5,)]
    assert parts(g, 2, 4, 3, 9, 12) == [(2, 3, 4, 9, 12)]
    assert parts(board("divider", to=20), 12, 4, 3, 16) == [(3, 4, 12, 16)]


def test_columns_are_moved_to_the_smallest_primes() -> None:
    g = board("antichain", to=40)  # 7, 11, 13, … have columns
    assert parts(g, 13, 26) == parts(g, 7, 14) == [(7, 14)]
    assert parts(g, 19, 38, 17) == [(7,), (7, 14)]
    assert parts(g, 2, 22, 26, 13) == [(2, 7, 14, 22)]
    assert parts(g, 6, 33, 39, 3) == [(3, 6, 21, 33)]
    assert parts(g, 5, 10) == [(5, 10)], "25 is on the board, so 5 has no column"


def test_of_several_columns_the_one_with_the_largest_multiplier_comes_first() -> None:
    g = board("antichain", to=40)
    assert parts(g, 2, 22, 39, 13, 3, 6) == [(2, 3, 6, 7, 21, 22)]
    assert parts(g, 2, 34, 21, 7, 3, 6) == [(2, 3, 6, 7, 21, 22)]


def test_a_column_that_does_not_fit_elsewhere_stays() -> None:
    g = board("antichain", from_=60, to=70)  # 11 has 66 there, but neither 22 nor 55
    assert [parts(g, number) for number in members(g.pool)] == [[(n,)] for n in members(g.pool)]


def kayles_on(*pairs: tuple[int, int], to: int = 14) -> AnyKayles:
    edges = frozenset(pairs) | frozenset((b, a) for a, b in pairs)
    return AnyKayles(from_=1, to=to, edges=edges)


@pytest.mark.parametrize(
    "pairs",
    [
        ((5, 10),),  # 7 and 14 are not related, but 5 and 10 are
        ((5, 10), (7, 14), (2, 5)),  # 2 is related to 5 and not to 7
        ((5, 10), (7, 14), (2, 10)),
        ((5, 10), (7, 14), (5, 7)),  # two columns are related to each other
        ((5, 10), (7, 14), (11, 13)),
    ],
)
def test_columns_that_differ_are_not_moved(pairs: tuple[tuple[int, int], ...]) -> None:
    g = kayles_on(*pairs)
    assert parts(g, 7) == [(7,)]
    assert parts(g, 13) == [(13,)]
    assert parts(g, 7, 14) == ([(7, 14)] if (7, 14) in pairs else [(7,), (14,)])


def test_columns_that_are_alike_are_moved() -> None:
    g = kayles_on((5, 10), (7, 14), (2, 10), (2, 14))
    assert parts(g, 7) == parts(g, 13) == [(5,)]
    assert parts(g, 7, 14) == [(5, 10)]
    assert parts(g, 2, 14) == [(2, 10)]


@pytest.mark.parametrize(
    "above",
    [
        ((2, 10),),  # 2 takes 10 with it, but not 14
        ((2, 5), (2, 10)),
        ((2, 10), (2, 14), (4, 10)),
        ((2, 10), (4, 14)),
    ],
)
def test_columns_that_other_numbers_remove_differently_are_not_alike(
    above: tuple[tuple[int, int], ...],
) -> None:
    g = AnyOrder(from_=1, to=14, edges=frozenset(above))
    check(g, g.pool)
    assert parts(g, 14) == [(14,)]
    assert parts(g, 7) == [(7,)]
