"""Maximum matchings in Python are maximum, and their proofs and repairs are right."""

from functools import cache
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from divisorduel.rules.numbers import members
from divisorduel.solve.budget import Budget, BudgetSpent
from divisorduel.solve.matching import (
    Matching,
    NumberMap,
    PackedValues,
    greedy_matching,
    maximum_matching,
)
from tests.conftest import examples

Graph = dict[int, list[int]]


def random_graph(rng: Random, size: int) -> Graph:
    share = rng.random()
    graph: Graph = {number: [] for number in range(1, size + 1)}
    for a in graph:
        for b in range(a + 1, size + 1):
            if rng.random() < share:
                graph[a].append(b)
                graph[b].append(a)
    return graph


def most_pairs(graph: Graph) -> int:
    """Return the size of a maximum matching by trying everything."""

    @cache
    def most(left: frozenset[int]) -> int:
        if not left:
            return 0
        first, *_ = sorted(left)
        rest = left - {first}
        return max(most(rest), *(1 + most(rest - {n}) for n in graph[first] if n in rest), 0)

    return most(frozenset(graph))


def without(graph: Graph, number: int) -> Graph:
    return {a: [b for b in related if b != number] for a, related in graph.items() if a != number}


def check_partners(graph: Graph, mate: NumberMap, pairs: int) -> None:
    """Check that the partners are related and mutual, and form this many pairs."""
    paired = [number for number in graph if mate[number]]
    assert len(paired) == 2 * pairs
    for number in paired:
        assert mate[number] in graph[number]
        assert mate[mate[number]] == number


graphs = st.builds(random_graph, st.randoms(use_true_random=False), st.integers(0, 9))


@given(graphs)
@settings(max_examples=examples(300))
def test_a_matching_is_maximum_and_knows_what_other_maximum_matchings_miss(graph: Graph) -> None:
    found = maximum_matching(graph, Budget())
    size = most_pairs(graph)
    check_partners(graph, found.mate, size)
    assert found.pairs == tuple(sorted(found.pairs))
    assert len(found.pairs) == size
    assert all(a < b and found.mate[a] == b for a, b in found.pairs)
    missable = [number for number in graph if most_pairs(without(graph, number)) == size]
    assert [*members(found.missable)] == missable


@given(graphs)
@settings(max_examples=examples(300))
def test_the_barrier_proves_a_matching_maximum(graph: Graph) -> None:
    found = maximum_matching(graph, Budget())
    assert found.barrier == tuple(sorted(found.barrier))
    left, odd = {*graph} - {*found.barrier}, 0
    while left:
        component, frontier = set[int](), [left.pop()]
        while frontier:
            number = frontier.pop()
            component.add(number)
            new = {*graph[number]} & left
            left -= new
            frontier += new
        odd += len(component) % 2
    assert odd - len(found.barrier) == len(graph) - 2 * len(found.pairs)


@given(graphs)
@settings(max_examples=examples(300))
def test_paths_lead_to_matchings_that_miss_a_number(graph: Graph) -> None:
    found = maximum_matching(graph, Budget())
    for number in members(found.missable):
        path = found.path_to(number)
        assert len(path) % 2 == 1
        assert path[-1] == number
        assert not found.mate[path[0]]
        assert len({*path}) == len(path)
        missing = found.missing(number)
        assert not missing[number]
        check_partners(graph, missing, len(found.pairs))


@given(graphs.filter(bool), st.integers(0))
@settings(max_examples=examples(300))
def test_a_matching_is_repaired_after_a_number_is_taken(graph: Graph, choice: int) -> None:
    taken = [*graph][choice % len(graph)]
    smaller = without(graph, taken)
    found = maximum_matching(graph, Budget())
    start = found.without(taken)
    assert not start[taken]
    check_partners(smaller, start, len(found.pairs) - bool(found.mate[taken]))
    budget = Budget()
    repaired = maximum_matching(smaller, budget, start)
    check_partners(smaller, repaired.mate, most_pairs(smaller))
    assert repaired.missable == maximum_matching(smaller, Budget()).missable


@given(graphs)
@settings(max_examples=examples(300))
def test_a_greedy_matching_leaves_no_two_related_numbers_unmatched(graph: Graph) -> None:
    mate = greedy_matching(graph, lambda: None)
    check_partners(graph, mate, sum(map(bool, mate.values())) // 2)
    for number, related in graph.items():
        assert mate[number] or all(mate[other] for other in related)


@pytest.mark.parametrize("length", [2, 3, 7, 10])
def test_a_greedy_matching_of_a_path_is_maximum(length: int) -> None:
    path = {n: [m for m in (n - 1, n + 1) if 1 <= m <= length] for n in range(1, length + 1)}
    mate = greedy_matching(path, lambda: None)
    assert sum(map(bool, mate.values())) == length - length % 2


def test_numbers_with_few_free_neighbours_are_matched_first() -> None:
    # 1 is related to everything: matched with 2 first, it would leave 3 and 4 to each other.
    star = {1: [2, 3, 4, 5], 2: [1], 3: [1, 4], 4: [1, 3], 5: [1]}
    assert sum(map(bool, greedy_matching(star, lambda: None).values())) == 4


def test_the_time_is_checked_while_a_matching_is_found() -> None:
    graph = random_graph(Random(1), 60)
    with pytest.raises(BudgetSpent):
        maximum_matching(graph, Budget(most_positions=0), dict.fromkeys(graph, 0))
    stopped = Budget()
    stopped.stop()
    with pytest.raises(BudgetSpent):
        maximum_matching(graph, stopped)
    ticks: list[None] = []
    greedy_matching({1: [2], 2: [1], 3: [4], 4: [3]}, lambda: ticks.append(None))
    assert ticks


def test_packed_values_are_a_mapping_of_the_playable_numbers() -> None:
    values = PackedValues(0b10110, bytes([9, 7, 0, 8, 5]), "B")
    assert dict(values) == {1: 7, 2: 0, 4: 5}
    assert (len(values), values[4], values[3]) == (3, 5, 8)
    changed = values | {4: 1}
    assert (changed[4], values[4], dict(changed)) == (1, 5, {1: 7, 2: 0, 4: 1})
    wide = PackedValues(0b110, b"\0\0\0\0\1\0\0\0\2\1\0\0")
    assert dict(wide) == {1: 1, 2: 258}
    assert dict(wide | {1: 70_000}) == {1: 70_000, 2: 258}


def test_a_matching_shows_its_pairs_and_its_barrier_in_order() -> None:
    found = Matching({1: 4, 2: 3, 3: 2, 4: 1, 5: 0}, {1: 0, 2: 2, 3: 1, 4: 2, 5: 1}, 0, {})
    assert found.pairs == ((1, 4), (2, 3))
    assert found.barrier == (2, 4)
