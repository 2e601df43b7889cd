"""Descent, solved by counting prime factors.

The nimber of a number with k prime factors, counted with repetition, is k - 1. For its proper
divisors have 1 to k - 1 prime factors, each count occurring, so by induction the nimbers 0 to k -
2 and no others can be moved to. A move wins iff it leads to nimber 0: a prime.
"""

from divisorduel.rules.divisors import factors
from divisorduel.rules.game import Game
from divisorduel.rules.position import Position
from divisorduel.solve.budget import Budget
from divisorduel.solve.verdict import Verdict, proven

METHOD = "prime factors"


def solve_descent(game: Game, position: Position, budget: Budget) -> Verdict:
    """Return the verdict on a position of a divisor descent."""
    budget.spend()
    number = position.last or 1
    primes = factors(number)
    nimber = sum(power for _, power in primes) - 1
    winning = (prime for prime, _ in primes if prime in game.moves(position))
    return proven(winning, METHOD, budget, nimber=nimber)
