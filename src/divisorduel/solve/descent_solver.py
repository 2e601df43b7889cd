"""Divisor descent, solved by counting prime factors.

The nimber of a number with k prime factors, counted with repetition, is k - 1. Its proper divisors
have 1 to k - 1 prime factors, and every count occurs; so by induction the moves lead to the
nimbers 0 to k - 2 and to no others. A move wins iff it leads to nimber 0: a prime.
"""

from typing import Any

from divisorduel.rules.divisors import factors
from divisorduel.rules.game import Game
from divisorduel.rules.position import Position
from divisorduel.solve.budget import Budget
from divisorduel.solve.solver import Plan, Solver
from divisorduel.solve.verdict import Verdict


class DescentSolver(Solver[Game]):
    """Solves games in which a number shrinks to one of its proper divisors."""

    def solve(
        self, game: Game, position: Position, budget: Budget, *, nimber: bool = True
    ) -> Verdict:
        """Return the verdict on a position."""
        budget.spend()
        primes = factors(position.last or 1)
        winning = (prime for prime, _ in primes if prime in game.moves(position))
        return Verdict.of(winning, "counting prime factors", budget, nimber=_nimber(primes))

    def prove(self, game: Game, position: Position, budget: Budget) -> dict[str, Any]:
        """Return the prime factors."""
        return {"kind": "factors", "factors": factors(position.last or 1)}

    def plan(self, game: Game, position: Position, move: int | None, budget: Budget) -> Plan:
        """Say that the winning move is a prime, which has no answer."""
        return Plan("prime")

    def option_nimbers(self, game: Game, position: Position, budget: Budget) -> dict[int, int]:
        """Return the nimber of each divisor."""
        return {move: _nimber(factors(move)) for move in game.moves(position)}


SOLVER = DescentSolver()


def _nimber(primes: tuple[tuple[int, int], ...]) -> int:
    return sum(power for _, power in primes) - 1
