"""The nimbers found in Python are those of the definition, whatever the cache may hold."""

from random import Random

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from divisorduel.rules.numbers import bit_set, members
from divisorduel.solve.budget import Budget, BudgetSpent
from divisorduel.solve.component_solver import components_of
from divisorduel.solve.nimbers import BYTES_EACH, Nimbers, connected
from tests.conftest import examples
from tests.solve.test_components import board, nimber
from tests.solve.test_oracle import AnyKayles, AnyOrder, random_edges, random_order


@given(st.randoms(use_true_random=False), st.integers(1, 10), st.integers(0))
@settings(max_examples=examples(200))
def test_nimbers_are_right_on_any_graph_and_partial_order(rng: Random, n: int, bits: int) -> None:
    for g in (
        AnyKayles(from_=1, to=n, edges=random_edges(rng, n)),
        AnyOrder(from_=1, to=n, edges=random_order(rng, n)),
    ):
        for playable in (g.pool, g.pool & bits):
            assert Nimbers(g).nimber(playable, Budget()) == nimber(g, playable)
            assert Nimbers(g).is_zero(playable, Budget()) == (nimber(g, playable) == 0)


@pytest.mark.parametrize("memory", [None, 1, 2 * BYTES_EACH, 5 * BYTES_EACH, 20 * BYTES_EACH])
@pytest.mark.parametrize(("key", "to"), [("antichain", 22), ("divider", 14)])
def test_nimbers_with_columns_are_right_with_any_memory_limit(
    key: str, to: int, memory: int | None
) -> None:
    g, rng = board(key, to=to), Random(to)
    nimbers = Nimbers(g, memory)
    for _ in range(40):
        playable = g.pool & rng.getrandbits(to + 1) & rng.getrandbits(to + 1)
        assert nimbers.nimber(playable, Budget()) == nimber(g, playable)
    if memory:
        assert len(nimbers._positions) + len(nimbers._components) <= memory // BYTES_EACH + 1


def test_nimbers_that_are_known_cost_no_positions() -> None:
    g = board("antichain", to=20)
    nimbers, budget = Nimbers(g), Budget()
    found = nimbers.nimber(g.pool, budget)
    searched = budget.positions
    assert searched > 10
    assert nimbers.nimber(g.pool, budget) == found
    assert Nimbers(g).nimber(bit_set([7, 14]), budget) == nimber(g, bit_set([7, 14]))
    assert budget.positions == searched, "a column alone is not searched"


def test_each_kind_of_component_is_searched_once() -> None:
    g = board("divider", to=40)
    one, two = bit_set([2, 4, 14, 28, 7]), bit_set([2, 4, 22, 11, 26, 13])
    alike = bit_set([2, 4, 34, 17, 38, 19])
    nimbers, budget = Nimbers(g), Budget()
    nimbers.nimber(one, budget)
    nimbers.nimber(two, budget)
    searched = budget.positions
    assert nimbers.nimber(alike, budget) == nimber(g, alike)
    assert budget.positions == searched


def test_a_search_ends_at_its_limit_of_positions() -> None:
    g = board("antichain", to=30)
    budget = Budget(most_positions=20)
    with pytest.raises(BudgetSpent):
        Nimbers(g).nimber(g.pool, budget)
    assert budget.positions == 21


@given(st.randoms(use_true_random=False), st.integers(1, 10), st.integers(0))
@settings(max_examples=examples(200))
def test_components_are_the_numbers_the_relation_connects(rng: Random, n: int, bits: int) -> None:
    for g in (
        AnyKayles(from_=1, to=n, edges=random_edges(rng, n)),
        AnyOrder(from_=1, to=n, edges=random_order(rng, n)),
    ):
        playable = g.pool & bits
        pairs = g.graph(members(playable))
        touching = {m: bit_set({*sum((p for p in pairs if m in p), ())}) for m in members(playable)}
        found = components_of(g, playable)
        assert sum(found) == playable
        assert [part & -part for part in found] == sorted(part & -part for part in found)
        for part in found:
            reached, numbers = part & -part, members(part)
            for _ in numbers:
                reached |= bit_set(m for m in numbers if touching[m] & reached)
            assert reached == part, "a component is connected"
            assert not any(touching[number] & ~part for number in numbers)


@given(st.sampled_from(["antichain", "divider"]), st.sets(st.integers(1, 10), max_size=8))
@settings(max_examples=examples(200))
@example("antichain", {2, 3, 5, 6, 10})  # without 2, two equal parts are left
@example("divider", {1, 2, 3, 5})
def test_the_nimber_of_a_column_that_is_related_to_nothing_else_is_right(
    key: str, multipliers: set[int]
) -> None:
    g, playable = board(key, to=110), bit_set(11 * k for k in multipliers)
    assert Nimbers(g).nimber(playable, Budget()) == nimber(g, playable)


@pytest.mark.parametrize("key", ["antichain", "divider"])
def test_numbers_with_a_common_divisor_or_multiple_in_play_are_in_one_component(key: str) -> None:
    g = board(key, to=40)
    for numbers in ({3, 4, 12}, {2, 3, 6, 9, 14}, {6, 10, 30}, {5, 10, 15, 40}):
        assert components_of(g, bit_set(numbers)) == [bit_set(numbers)]
    assert components_of(g, bit_set({3, 4, 9, 8})) == [bit_set({3, 9}), bit_set({4, 8})]


def test_unrelated_elements_are_components_of_their_own() -> None:
    assert [*connected(0b1101, [0, 0, 0, 0])] == [1, 4, 8]
    assert [*connected(0b1111, [0b100, 0, 1, 0])] == [5, 2, 8]
    assert [*connected(0, [])] == []
