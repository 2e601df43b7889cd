"""Native matchings agree with the Python solver, with NetworkX and with the theorems."""

import signal
import threading
import time
from collections.abc import Callable
from inspect import signature
from itertools import pairwise
from random import Random

import networkx as nx
import pytest

from divisorduel import game
from divisorduel.rules.numbers import bit_set, members
from divisorduel.rules.pool_game import PoolGame
from divisorduel.rules.position import Position
from divisorduel.solve import chain_solver as chains
from divisorduel.solve.budget import Budget, BudgetSpent
from divisorduel.solve.chain_solver import match_in_python, matching_of
from divisorduel.solve.matching import Graph, Matching, NumberMap, maximum_matching
from divisorduel.solve.native.native_matching import match_divisors, match_graph, match_natively
from divisorduel.solve.solver import solve
from tests.conftest import thorough_except

pytestmark = pytest.mark.usefixtures("kernel")

Match = Callable[[PoolGame, int, Budget, NumberMap | None], Matching]


def board(to: int, **options: int) -> PoolGame:
    found = game("juniper" if options.get("from_") == 1 else "chain", to=to, **options)
    assert isinstance(found, PoolGame)
    return found


def check_matching(graph: Graph, matching: Matching) -> None:
    """Check the matching, the barrier (Tutte-Berge formula) and a path to every missable number."""
    assert set(matching.mate) == set(graph)
    matched = [number for pair in matching.pairs for number in pair]
    assert len(matched) == len(set(matched))
    assert all(b in graph[a] for a, b in matching.pairs)
    assert all(matching.mate[matching.mate[n]] == n for n in matched)
    plain: nx.Graph[int] = nx.Graph()
    plain.add_nodes_from(graph)
    plain.add_edges_from((a, b) for a in graph for b in graph[a])
    plain.remove_nodes_from(matching.barrier)
    odd = sum(len(part) % 2 for part in nx.connected_components(plain))
    assert len(graph) - len(matched) == odd - len(matching.barrier)
    for number in members(matching.missable):
        check_path(graph, matching, number)


def check_path(graph: Graph, matching: Matching, number: int) -> None:
    path = matching.path_to(number)
    assert path[-1] == number
    assert matching.mate[path[0]] == 0
    assert len(path) == len(set(path))
    assert len(path) % 2 == 1
    for at, (a, b) in enumerate(pairwise(path)):
        assert b in graph[a]
        assert (matching.mate[a] == b) == (at % 2 == 1)
    missing = matching.missing(number)
    assert missing[number] == 0
    assert all(missing[missing[n]] == n for n in path if missing[n])
    assert set(matching.mate) == set(missing)


def random_graph(rng: Random, n: int, edges: int) -> dict[int, list[int]]:
    """Return a graph with many odd cycles. Its numbers are not consecutive."""
    numbers = rng.sample(range(1, 5 * n), n)
    related: dict[int, set[int]] = {number: set() for number in numbers}
    for _ in range(edges):
        a, b = rng.sample(numbers, 2)
        related[a].add(b)
        related[b].add(a)
    return {number: sorted(found) for number, found in related.items()}


def hubs_and_blossoms(rng: Random, n: int) -> dict[int, list[int]]:
    """Return a graph in which many numbers share a few neighbours, with some blossoms."""
    related: dict[int, set[int]] = {number: set() for number in range(1, n + 1)}
    hubs = max(2, n // rng.randrange(3, 12))
    for number in range(hubs + 1, n + 1):
        near = range(max(1, number - 3), number)
        others = rng.sample(range(1, hubs + 1), rng.randrange(1, 3))
        others += rng.sample(near, rng.choice([0, 0, 1, 2]))
        for other in others:
            related[number].add(other)
            related[other].add(number)
    return {number: sorted(found) for number, found in related.items()}


def test_both_matchers_have_the_same_signature() -> None:
    assert signature(match_in_python) == signature(match_natively)


@pytest.mark.parametrize("seed", thorough_except(range(20), 0, 1, 2))
def test_native_and_python_agree_on_random_subsets_of_boards(seed: int) -> None:
    rng = Random(seed)
    for _ in range(100):
        g = board(rng.randrange(2, 120), from_=rng.choice([1, 2]))
        share = rng.random()
        playable = bit_set(n for n in members(g.pool) if rng.random() < share)
        pure, native = (
            match(g, playable, Budget(), None) for match in (match_in_python, match_natively)
        )
        assert native.missable == pure.missable
        assert native.barrier == pure.barrier
        assert len(native.pairs) == len(pure.pairs)
        check_matching(g.neighbours(playable), native)


@pytest.mark.parametrize(
    ("to", "step"), thorough_except([(3000, 1), (20_000, 1), (60_000, 7)], (3000, 1))
)
@pytest.mark.thorough
def test_native_and_python_agree_on_larger_boards(to: int, step: int) -> None:
    g = board(to, step=step)
    native = match_natively(g, g.pool, Budget())
    assert native.missable == match_in_python(g, g.pool, Budget()).missable
    if to < 10_000:
        check_matching(g.neighbours(g.pool), native)


@pytest.mark.parametrize("seed", thorough_except(range(4), 0))
@pytest.mark.thorough
def test_removing_columns_does_not_change_the_matching(seed: int) -> None:
    rng = Random(seed)
    g = board(rng.randrange(8_000, 20_000), from_=rng.choice([1, 2]))
    evens = bit_set(n for n in members(g.pool) if n % 2 == 0)
    # Among odd numbers some small ones are not inner, so the matcher searches the full board.
    odd = bit_set(n for n in members(g.pool) if n % 2)
    some = bit_set(n for n in members(g.pool) if rng.random() < 0.9)
    most = g.pool ^ bit_set(rng.sample(members(g.pool), 20))
    for playable in (g.pool, evens, odd, some, most):
        graph = g.neighbours(playable)
        apart, whole = match_divisors(playable, Budget()), match_graph(graph, Budget())
        assert apart.missable == whole.missable
        assert apart.barrier == whole.barrier
        assert len(apart.pairs) == len(whole.pairs)
        for number in rng.sample(members(apart.missable), 100):
            check_path(graph, apart, number)


@pytest.mark.parametrize("seed", [3, 26, 50, 102, 117, 120, 152, 169, 209, 220])
def test_the_sparse_graph_misses_no_edge_on_boards_with_gaps(seed: int) -> None:
    # On each of these boards the sparse graph alone gives a wrong result.
    g = board(8000)
    playable = g.pool ^ bit_set(Random(seed).sample(members(g.pool), 6))
    native = match_divisors(playable, Budget())
    whole = match_graph(g.neighbours(playable), Budget())
    assert native.missable == whole.missable
    assert len(native.pairs) == len(whole.pairs)


def test_a_few_numbers_of_a_huge_board_are_matched_quickly() -> None:
    g = board(10_000_000, from_=9_000_000, step=100_000)
    assert match_natively(g, g.pool, Budget()).missable == g.pool
    few = bit_set([3, 6, 9, 5_000_000, 10_000_000])
    assert match_natively(g, few, Budget()).missable == match_in_python(g, few, Budget()).missable


@pytest.mark.parametrize("seed", thorough_except(range(20), 0, 1, 2))
def test_random_graphs_are_matched_as_networkx_matches_them(seed: int) -> None:
    rng = Random(seed)
    for _ in range(50):
        n = rng.randrange(2, 60)
        graph = random_graph(rng, n, round(n * rng.uniform(0.3, 2.5)))
        native, pure = match_graph(graph, Budget()), maximum_matching(graph, Budget())
        plain: nx.Graph[int] = nx.Graph((a, b) for a in graph for b in graph[a])
        assert len(native.pairs) == len(nx.max_weight_matching(plain, maxcardinality=True))
        assert (native.missable, native.barrier) == (pure.missable, pure.barrier)
        check_matching(graph, native)
        check_matching(graph, pure)


def test_chains_of_blossoms_are_matched_correctly() -> None:
    rng = Random(5)
    for _ in range(60):
        graph: dict[int, list[int]] = {n: [] for n in range(1, 241)}
        for n in range(1, 238):
            for other in rng.sample(range(n + 1, n + 4), rng.choice([1, 1, 2])):
                graph[n].append(other)
                graph[other].append(n)
        native, pure = match_graph(graph, Budget()), maximum_matching(graph, Budget())
        assert (native.missable, native.barrier) == (pure.missable, pure.barrier)
        check_matching(graph, native)


@pytest.mark.parametrize("seed", thorough_except(range(10), 0, 1))
def test_searches_of_many_rounds_are_correct(seed: int) -> None:
    rng = Random(seed)
    for _ in range(20):
        graph = hubs_and_blossoms(rng, rng.randrange(50, 400))
        pure = maximum_matching(graph, Budget())
        for start in (None, dict.fromkeys(graph, 0)):
            native = match_graph(graph, Budget(), start)
            assert (native.missable, native.barrier) == (pure.missable, pure.barrier)
            check_matching(graph, native)


def test_small_trees_keep_growing_after_a_large_tree_meets_another() -> None:
    """A tree large enough to contain a giant meets another while small trees are still queued."""
    unmatched = [
        (1, 2),
        (2, 3),
        *((4, n) for n in range(5, 37, 2)),
        (3, 36),
        (37, 38),
        (40, 41),
        (39, 42),
    ]
    matched = [(2, 3), *((n, n + 1) for n in range(5, 37, 2)), (38, 39), (41, 42)]
    matched += [(n, n + 1) for n in range(43, 65, 2)]
    graph: dict[int, list[int]] = {n: [] for n in range(1, 65)}
    for a, b in {*unmatched, *matched}:
        graph[a].append(b)
        graph[b].append(a)
    start = dict.fromkeys(graph, 0) | dict(matched) | {b: a for a, b in matched}
    found = match_graph(graph, Budget(), start)
    assert len(found.pairs) == 32
    check_matching(graph, found)


@pytest.mark.parametrize("match", [match_in_python, match_natively])
@pytest.mark.parametrize("to", thorough_except([12, 50, 130], 12, 50))
def test_a_repaired_matching_equals_a_new_one(match: Match, to: int) -> None:
    rng = Random(to)
    g = board(to)
    for _ in range(5):
        playable, matching = g.pool, match(g, g.pool, Budget(), None)
        for taken in rng.sample(members(g.pool), len(members(g.pool)) - 1):
            playable ^= 1 << taken
            matching = match(g, playable, Budget(), matching.without(taken))
            assert matching.missable == match(g, playable, Budget(), None).missable
            check_matching(g.neighbours(playable), matching)


def test_a_matching_of_a_larger_board_can_be_the_start() -> None:
    large, small = board(200), board(150)
    start = match_divisors(large.pool, Budget()).mate
    repaired = match_divisors(small.pool, Budget(), start)
    assert repaired.missable == match_divisors(small.pool, Budget()).missable
    check_matching(small.neighbours(small.pool), repaired)


def test_a_matching_of_a_random_graph_can_be_repaired() -> None:
    rng = Random(8)
    graph = random_graph(rng, 60, 90)
    matching = match_graph(graph, Budget())
    for taken in rng.sample([*graph], 50):
        graph = {
            n: [m for m in related if m != taken] for n, related in graph.items() if n != taken
        }
        matching = match_graph(graph, Budget(), matching.without(taken))
        assert matching.missable == maximum_matching(graph, Budget()).missable
        check_matching(graph, matching)


def test_the_solver_repairs_the_matching_of_the_previous_position(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    starts: list[bool] = []

    def record_start(
        g: PoolGame, playable: int, budget: Budget, start: NumberMap | None
    ) -> Matching:
        starts.append(start is not None)
        return match_natively(g, playable, budget, start)

    monkeypatch.setattr(chains, "match_natively", record_start)
    g = board(77)
    first = g.play(g.start(), 22)
    for position in (g.start(), first, g.play(first, 11), Position(first.playable ^ 1 << 30, 30)):
        matching_of(g, position, Budget())
    assert starts == [False, True, True, True]


def test_the_search_ends_when_the_time_is_up() -> None:
    pool = board(10_000_000).pool
    begin = time.process_time()
    with pytest.raises(BudgetSpent):
        match_divisors(pool, Budget(0.05))
    assert time.process_time() - begin < 2  # the whole search takes three times as long


def test_stopping_the_budget_ends_the_search() -> None:
    budget = Budget()
    threading.Timer(0.3, budget.stop).start()
    begin = time.process_time()
    assert not solve(board(10_000_000), None, budget).proven
    assert time.process_time() - begin < 3  # includes building the board


def test_the_search_stops_at_the_position_limit() -> None:
    g = board(50)
    budget = Budget()
    match_natively(g, g.pool, budget)
    assert budget.positions > 0
    with pytest.raises(BudgetSpent):
        match_natively(g, g.pool, Budget(most_positions=budget.positions - 1))


def test_progress_reports_never_decrease() -> None:
    reports: list[int] = []
    g = board(1_000_000)
    budget = Budget(on_progress=reports.append)
    match_divisors(g.pool, budget)
    assert reports == sorted(reports)
    assert budget.positions >= reports[-1] > 0


@pytest.mark.parametrize("after", [0.05, 0.3, 1.0])
def test_ctrl_c_interrupts_a_matching_at_once(after: float) -> None:
    pool = board(10_000_000).pool
    sent: list[float] = []

    def interrupt() -> None:
        sent.append(time.process_time())
        signal.raise_signal(signal.SIGINT)

    timer = threading.Timer(after, interrupt)
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        match_divisors(pool, Budget())
    assert time.process_time() - sent[0] < 2


def test_the_empty_set_and_a_single_number_have_no_pairs() -> None:
    assert match_divisors(0, Budget()).missable == 0
    assert match_divisors(1 << 7, Budget()).missable == 1 << 7
    assert match_graph({}, Budget()).pairs == ()
