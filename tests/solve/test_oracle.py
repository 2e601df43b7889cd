"""Every solver agrees with the exhaustive one: on our games, and on any graph or order."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bench.peers import PlainNimbers
from divisorduel import Game, Position, game
from divisorduel.rules.books.antichain import Antichain
from divisorduel.rules.books.chain import Chain
from divisorduel.rules.books.divider import Divider
from divisorduel.rules.numbers import has
from divisorduel.rules.pool_game import ChainGame, RemovalGame
from divisorduel.rules.relation import Relation
from divisorduel.rules.traits import CHAIN, INDEPENDENT, UPSET
from divisorduel.solve import chain_solver, component_solver
from divisorduel.solve.budget import Budget
from divisorduel.solve.native import native_nimbers
from divisorduel.solve.solver import EXHAUSTIVE, solve
from divisorduel.solve.verdict import Verdict
from tests.conftest import THOROUGH, examples


def oracle(g: Game, position: Position) -> Verdict:
    return EXHAUSTIVE.solve(g, position, Budget())


def reachable(g: Game) -> set[Position]:
    found, waiting = {g.start()}, [g.start()]
    while waiting:
        at = waiting.pop()
        new = {g.play(at, move) for move in g.moves(at)} - found
        found |= new
        waiting += new
    return found


def check_against_oracle(g: Game, positions: set[Position]) -> None:
    for position in positions:
        ours, theirs = solve(g, position), oracle(g, position)
        assert ours.proven
        assert (ours.winner, ours.winning_moves) == (theirs.winner, theirs.winning_moves), position
        assert ours.nimber in (None, theirs.nimber), position
        assert (ours.nimber is None) == (g.trait is CHAIN)


@pytest.mark.parametrize(
    ("key", "board"),
    [
        ("evens", {"to": 16}),
        ("chain", {"to": 11}),
        ("chain", {"from_": 1, "to": 9, "opening": "even"}),
        ("chain", {"from_": 3, "to": 40, "step": 3}),
        ("juniper", {"to": 10}),
        ("antichain", {"to": 16}),
        pytest.param("antichain", {"to": 22}, marks=THOROUGH),
        ("antichain", {"from_": 5, "to": 45, "step": 5, "opening": "low"}),
        ("divider", {"to": 14}),
        pytest.param("divider", {"from_": 4, "to": 40, "step": 3}, marks=THOROUGH),
        ("divider", {"to": 12, "opening": "even"}),
        pytest.param("divider", {"from_": 7, "to": 90, "step": 6}, marks=THOROUGH),
        ("antichain", {"from_": 4, "to": 60, "step": 4}),
        ("antichain", {"from_": 25, "to": 290, "step": 24}),
        ("descent", {"number": 720}),
        ("descent", {"number": 97}),
    ],
)
def test_every_reachable_position_of_a_small_board_is_solved_correctly(
    key: str, board: dict[str, int]
) -> None:
    g = game(key, **board)
    check_against_oracle(g, reachable(g))


@pytest.fixture
def without_the_kernel(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let the Python solvers do all the work."""
    for module in (chain_solver, component_solver, native_nimbers):
        monkeypatch.setattr(module, "KERNEL", None)
    for solver in (chain_solver.SOLVER, component_solver.NODE_KAYLES):
        solver.clear_cache()
    yield
    for solver in (chain_solver.SOLVER, component_solver.NODE_KAYLES):
        solver.clear_cache()


@pytest.mark.usefixtures("without_the_kernel")
@pytest.mark.parametrize("nimber", [True, False])
@pytest.mark.parametrize(
    ("key", "board"),
    [
        ("chain", {"to": 10}),
        ("antichain", {"to": 14}),
        pytest.param("antichain", {"to": 20}, marks=THOROUGH),
        ("antichain", {"from_": 4, "to": 60, "step": 4}),
        ("divider", {"to": 12}),
    ],
)
def test_the_python_solvers_alone_agree_with_search(
    key: str, board: dict[str, int], nimber: bool
) -> None:
    g = game(key, **board)
    for position in reachable(g):
        ours, theirs = solve(g, position, nimber=nimber), oracle(g, position)
        assert ours.proven
        assert (ours.winner, ours.winning_moves) == (theirs.winner, theirs.winning_moves), position
        assert ours.nimber == (theirs.nimber if nimber and g.trait is not CHAIN else None)


@pytest.mark.parametrize("n", range(2, 23))
@pytest.mark.parametrize("key", ["chain", "juniper"])
def test_the_winning_openings_of_chains_are_correct(key: str, n: int) -> None:
    g = game(key, to=n)
    assert solve(g).winning_moves == chain_openings(g)


def chain_openings(g: Game) -> tuple[int, ...]:
    """Return the winning first moves of a chain game, by a search with bit sets for speed."""
    known: dict[tuple[int, int], bool] = {}
    related = {n: g.related_to(n) for n in g.start().numbers}  # type: ignore[attr-defined]  # a pool

    def wins(playable: int, last: int) -> bool:
        options = playable & related[last]
        key = (playable, last)
        if key not in known:
            result = False
            while options and not result:
                low = options & -options
                options ^= low
                result = not wins(playable ^ low, low.bit_length() - 1)
            known[key] = result
        return known[key]

    full = g.start().playable
    return tuple(n for n in g.moves(g.start()) if not wins(full ^ 1 << n, n))


@pytest.mark.thorough
@pytest.mark.parametrize("kind", [Antichain, Divider])
def test_the_nimbers_of_all_boards_up_to_30_are_correct(kind: type[Antichain]) -> None:
    plain = PlainNimbers(kind(to=30))
    for n in range(2, 31):
        g = kind(to=n)
        assert solve(g).nimber == plain.of(g.start().playable), n


@cache
def graph_relation(edges: frozenset[tuple[int, int]]) -> Relation:
    return Relation(
        holds=lambda a, b: (b, a) in edges,
        phrase=lambda a, b: f"{a} is next to {b}",
        negation=lambda a, b: f"{a} is not next to {b}",
        caption="A line joins neighbours.",
    )


@dataclass(frozen=True, kw_only=True, repr=False)
class AnyGraph(ChainGame):
    """A chain game on any graph; `edges` has every pair of neighbours in both orders."""

    book = Chain.book  # the words do not matter
    lowest = 1
    edges: frozenset[tuple[int, int]] = frozenset()

    @property
    def relation(self) -> Relation:  # type: ignore[override]  # each graph has its own
        """Return the relation of the graph's neighbours."""
        return graph_relation(self.edges)


@dataclass(frozen=True, kw_only=True, repr=False)
class AnyKayles(RemovalGame):
    """Independent choices on any graph."""

    book = Antichain.book  # the words do not matter
    trait = INDEPENDENT
    lowest = 1
    edges: frozenset[tuple[int, int]] = frozenset()

    @property
    def relation(self) -> Relation:  # type: ignore[override]  # each graph has its own
        """Return the relation of the graph's neighbours."""
        return graph_relation(self.edges)


class AnyOrder(AnyKayles):
    """Up-set removal on any partial order."""

    trait = UPSET


def random_edges(rng: Random, n: int) -> frozenset[tuple[int, int]]:
    share = rng.random()
    pairs = [(a, b) for a in range(1, n + 1) for b in range(1, a) if rng.random() < share]
    return frozenset(pairs) | frozenset((b, a) for a, b in pairs)


def random_order(rng: Random, n: int) -> frozenset[tuple[int, int]]:
    share = rng.random() / 2
    above = {a: {b for b in range(a + 1, n + 1) if rng.random() < share} for a in range(1, n + 1)}
    for a in range(n, 0, -1):
        for b in list(above[a]):
            above[a] |= above[b]
    return frozenset((a, b) for a in above for b in above[a])


@given(st.randoms(use_true_random=False), st.integers(1, 8))
@settings(max_examples=examples(150))
def test_chains_on_any_graph_are_solved_correctly(rng: Random, n: int) -> None:
    g = AnyGraph(from_=1, to=n, edges=random_edges(rng, n))
    for position in [g.start(), *(g.play(g.start(), move) for move in g.moves(g.start()))]:
        ours, theirs = solve(g, position), oracle(g, position)
        assert (ours.winner, ours.winning_moves) == (theirs.winner, theirs.winning_moves)


@given(st.randoms(use_true_random=False), st.integers(1, 9))
@settings(max_examples=examples(100))
def test_independent_choices_on_any_graph_are_solved_correctly(rng: Random, n: int) -> None:
    g = AnyKayles(from_=1, to=n, edges=random_edges(rng, n))
    check_against_oracle(g, reachable(g))


@given(st.randoms(use_true_random=False), st.integers(1, 9))
@settings(max_examples=examples(100))
def test_up_set_removal_on_any_partial_order_is_solved_correctly(rng: Random, n: int) -> None:
    g = AnyOrder(from_=1, to=n, edges=random_order(rng, n))
    check_against_oracle(g, reachable(g))


@given(st.sets(st.integers(2, 24)), st.sampled_from([Antichain, Divider]))
@settings(max_examples=examples(60))
def test_any_set_of_numbers_is_solved_correctly(numbers: set[int], kind: type[Antichain]) -> None:
    g = kind(to=24)
    position = Position.of(sorted(numbers)[:14])  # as many as the oracle has time for
    ours, theirs = solve(g, position), oracle(g, position)
    assert (ours.nimber, ours.winning_moves) == (theirs.nimber, theirs.winning_moves)


def test_a_game_without_a_trait_is_searched() -> None:
    class Plain(Chain):
        trait = None

    g = Plain(to=9)
    verdict = solve(g)
    assert verdict.method == "exhaustive search"
    assert verdict.winning_moves == solve(game("chain", to=9)).winning_moves


def test_moves_on_any_graph_follow_its_edges() -> None:
    g = AnyGraph(from_=1, to=4, edges=frozenset({(1, 2), (2, 1)}))
    assert has(g.related_to(1), 2)
    assert g.moves(g.play(g.start(), 1)) == (2,)
