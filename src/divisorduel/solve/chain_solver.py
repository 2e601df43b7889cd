"""Chain games, solved by maximum matchings.

In undirected vertex geography a player moves a token to a neighbour, and the number left behind is
gone. The player to move wins iff every maximum matching covers the token's number (Fraenkel,
Scheinerman and Ullman, "Undirected edge geography", 1993). So a move wins iff some maximum matching
of the playable numbers misses the number moved to: from then on, answer every number with its
partner in that matching. There is always a partner, because otherwise an augmenting path would
enlarge the matching.
"""

from functools import lru_cache
from typing import Any

from divisorduel.rules.numbers import members
from divisorduel.rules.pool_game import PoolGame
from divisorduel.rules.position import Position
from divisorduel.solve.budget import Budget, BudgetSpent
from divisorduel.solve.matching import Matching, NumberMap, maximum_matching
from divisorduel.solve.native.kernel import KERNEL
from divisorduel.solve.native.native_matching import match_natively
from divisorduel.solve.solver import Plan, Solver
from divisorduel.solve.verdict import Verdict

METHOD = "maximum matching"
MOST_CACHED = 500_000
"""How many numbers the cached matchings of a game may have in total."""


class ChainSolver(Solver[PoolGame]):
    """Solves games in which a number must be related to the last one, by maximum matchings."""

    def solve(
        self, game: PoolGame, position: Position, budget: Budget, *, nimber: bool = True
    ) -> Verdict:
        """Return the verdict on a position, always without a nimber."""
        try:
            matching = matching_of(game, position, budget)
        except BudgetSpent:
            return Verdict.of((), METHOD, budget, proven=False)
        return Verdict.of(members(game.legal(position) & matching.missable), METHOD, budget)

    def prove(self, game: PoolGame, position: Position, budget: Budget) -> dict[str, Any]:
        """Return a matching, a barrier that proves it maximum, and a path to every winning move."""
        matching = matching_of(game, position, budget)
        winning = members(game.legal(position) & matching.missable)
        return {
            "kind": "matching",
            "pairs": matching.pairs,
            "barrier": matching.barrier,
            "paths": {move: matching.path_to(move) for move in winning},
        }

    def plan(self, game: PoolGame, position: Position, move: int | None, budget: Budget) -> Plan:
        """Return the pairs of a maximum matching that misses the winning move."""
        matching = matching_of(game, position, budget)
        return Plan("pairs", matching.mate if move is None else matching.missing(move))

    def option_nimbers(self, game: PoolGame, position: Position, budget: Budget) -> dict[int, int]:
        """Return nothing: a matching tells who wins, but not the nimber."""
        return {}

    def clear_cache(self) -> None:
        """Evict all matchings."""
        _cache.cache_clear()


SOLVER = ChainSolver()


def matching_of(game: PoolGame, position: Position, budget: Budget) -> Matching:
    """Return a maximum matching of the playable numbers. Raises `BudgetSpent`.

    If the matching before the last move is cached, at most one augmentation repairs it.
    """
    cached, playable, last = _cache(game), position.playable, position.last
    if playable not in cached:
        budget.check()
        before = None if last is None else cached.get(playable | 1 << last)
        start = None if last is None or before is None else before.without(last)
        match = match_in_python if KERNEL is None else match_natively
        found = match(game, playable, budget, start)
        if len(cached) * playable.bit_count() > MOST_CACHED:
            cached.clear()
        cached[playable] = found
    return cached[playable]


def match_in_python(
    game: PoolGame, playable: int, budget: Budget, start: NumberMap | None = None
) -> Matching:
    """Return a maximum matching of the playable numbers. Raises `BudgetSpent`."""
    return maximum_matching(game.neighbours(playable, budget.tick), budget, start)


@lru_cache(maxsize=8)
def _cache(_game: PoolGame) -> dict[int, Matching]:
    return {}
