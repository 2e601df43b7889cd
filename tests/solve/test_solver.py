"""The trait of a game selects its solver; a game without a trait is searched."""

import json
from functools import reduce
from operator import xor
from typing import Any

import pytest

from divisorduel import ConformanceError, Game, Position, Trait, check_game
from divisorduel.coach.reasons import reason
from divisorduel.lab.series import Series
from divisorduel.rules.books.divider import Divider
from divisorduel.solve.budget import Budget
from divisorduel.solve.certificate import certificate
from divisorduel.solve.chain_solver import SOLVER as SOLVER_OF_CHAINS
from divisorduel.solve.solver import EXHAUSTIVE, Solver, search_moves, solve, solver_for
from divisorduel.solve.verdict import Verdict
from divisorduel.words.advice import reason_text
from tests.conftest import ALL_KEYS, small_game
from tests.solve.test_oracle import reachable


class ParitySolver(Solver[Game]):
    """Solves games in which every move removes one number and nothing else matters."""

    def solve(
        self, game: Game, position: Position, budget: Budget, *, nimber: bool = True
    ) -> Verdict:
        """Let the first player win iff the number of numbers left is odd."""
        odd = position.playable.bit_count() % 2
        return Verdict.of(game.moves(position) if odd else (), "parity", budget, nimber=odd)


SOLVER = ParitySolver()


def removes_one(game: Game, position: Position, move: int) -> bool:
    return game.after(position, move).playable == position.playable & ~(1 << move)


ONE_BY_ONE = Trait("one by one", removes_one, f"{__name__}:SOLVER")


class OneByOne(Divider):
    """Take any number."""

    trait = ONE_BY_ONE

    def after(self, position: Position, move: int) -> Position:
        return Position(position.playable & ~(1 << move))


class Pretender(Divider):
    """Claims a trait that it does not have."""

    trait = ONE_BY_ONE


def test_a_custom_trait_has_its_own_check_and_solver() -> None:
    check_game(OneByOne(to=9))
    with pytest.raises(ConformanceError, match="one by one"):
        check_game(Pretender(to=9))
    g = OneByOne(to=8)
    for position in reachable(g):
        ours, theirs = solve(g, position), EXHAUSTIVE.solve(g, position, Budget())
        assert ours.method == "parity"
        assert (ours.winning_moves, ours.nimber) == (theirs.winning_moves, theirs.nimber)


def test_a_solver_that_only_solves_inherits_proofs_and_reasons_from_search() -> None:
    g = OneByOne(to=5)
    claim = json.loads(certificate(g, g.start(), Budget()))
    assert claim["winner"] == 2
    assert claim["proof"]["kind"] == "positions"
    assert len(claim["proof"]["nimbers"]) == 2**4
    assert reason(g, g.start()).code == "answers"
    assert "Your opponent can answer" in reason_text(reason(g, g.start()))
    assert "gain nothing" in (solver_for(g).why_not_together(g) or "")


@pytest.mark.parametrize("key", ALL_KEYS)
def test_every_solver_gives_the_same_answer_as_search(
    key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    g = small_game(key)
    assert solver_for(g) is not EXHAUSTIVE
    assert isinstance(solver_for(g), Solver)
    expected = solve(g).winning_moves
    solver_for(g).clear_cache()
    assert solve(g).winning_moves == expected
    monkeypatch.setattr(type(g), "trait", None)
    assert solver_for(g) is EXHAUSTIVE
    assert solve(g).winning_moves == expected


@pytest.mark.parametrize("key", ALL_KEYS)
def test_skipping_the_nimber_changes_nothing_else(key: str) -> None:
    g = small_game(key)
    with_it, without = solve(g), solve(g, nimber=False)
    assert without.nimber is None
    assert (with_it.winner, with_it.winning_moves) == (without.winner, without.winning_moves)


@pytest.mark.parametrize(
    ("key", "options", "reason"),
    [
        ("antichain", {}, None),
        ("divider", {"from_": 4, "step": 2, "opening": "even"}, None),
        ("divider", {"opening": "low"}, "the opening depends on the whole board"),
        ("chain", {}, "boards of chain gain nothing from it"),
    ],
)
def test_boards_are_solved_together_if_they_are_parts_of_the_largest(
    key: str, options: dict[str, Any], reason: str | None
) -> None:
    assert Series.within(key, "6..20", options).why_not_together == reason


def test_a_search_that_is_stopped_between_two_moves_keeps_what_it_has_found() -> None:
    g, budget = small_game("divider"), Budget()
    searched: list[Position] = []

    def nimber(position: Position) -> int:
        searched.append(position)
        budget.stop()
        return 0

    verdict = search_moves(g, g.start(), budget, "a search", nimber)
    first = g.moves(g.start())[0]
    assert searched == [g.play(g.start(), first)]
    assert (verdict.proven, verdict.winning_moves) == (False, (first,))


def test_a_chain_that_was_solved_is_answered_without_time_until_the_cache_is_cleared() -> None:
    g = small_game("chain")
    SOLVER_OF_CHAINS.clear_cache()
    assert not solve(g, budget=Budget(0)).proven
    expected = solve(g).winning_moves
    again = solve(g, budget=Budget(0))
    assert (again.proven, again.winning_moves) == (True, expected)
    SOLVER_OF_CHAINS.clear_cache()
    assert not solve(g, budget=Budget(0)).proven


@pytest.mark.parametrize("key", ["antichain", "divider"])
def test_the_parts_of_a_plan_are_those_that_the_loser_faces(key: str) -> None:
    g, seen = small_game(key), 0
    for position in reachable(g):
        verdict = solve(g, position)
        for move in verdict.winning_moves or (None,):
            faced = position if move is None else g.play(position, move)
            plan = solver_for(g).plan(g, position, move, Budget())
            assert plan.kind == "parts"
            assert sorted(n for part in plan.parts for n in part.numbers) == [*faced.numbers]
            assert reduce(xor, (part.nimber for part in plan.parts), 0) == 0
            seen += move is None
    assert seen
