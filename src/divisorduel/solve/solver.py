"""Picks the solver that a game's trait allows."""

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache

from divisorduel.rules.game import Game, Trait
from divisorduel.rules.pool_game import PoolGame
from divisorduel.rules.position import Position
from divisorduel.solve.budget import Budget
from divisorduel.solve.chain_solver import solve_chain
from divisorduel.solve.descent_solver import solve_descent
from divisorduel.solve.exhaustive import Exhaustive
from divisorduel.solve.nimbers import solve_outcome, solve_removal
from divisorduel.solve.verdict import Verdict

_BY_TRAIT: dict[Trait, Callable[[PoolGame, Position, Budget], Verdict]] = {
    Trait.CHAIN: solve_chain,
    Trait.INDEPENDENT: solve_removal,
    Trait.UPSET: solve_removal,
}


def solve(
    game: Game,
    position: Position | None = None,
    budget: Budget | None = None,
    *,
    nimber: bool = True,
) -> Verdict:
    """Return who wins from a position (by default the start) and by which moves.

    Without a budget it takes as long as it takes. What cannot be proven in the given time is left
    out, and the verdict says so. If the nimber is not wanted, larger boards are within reach.
    """
    position = position or game.start()
    budget = budget or Budget()
    if game.trait is Trait.INDEPENDENT and isinstance(game, PoolGame) and not nimber:
        return solve_outcome(game, position, budget)
    verdict = _solve(game, position, budget)
    return verdict if nimber else replace(verdict, nimber=None)


def _solve(game: Game, position: Position, budget: Budget) -> Verdict:
    if game.trait is Trait.DIVISORS:
        return solve_descent(game, position, budget)
    if game.trait is not None and isinstance(game, PoolGame):
        return _BY_TRAIT[game.trait](game, position, budget)
    return _exhaustive(game).solve(position, budget)


@lru_cache(maxsize=8)
def _exhaustive(game: Game) -> Exhaustive:
    return Exhaustive(game)
