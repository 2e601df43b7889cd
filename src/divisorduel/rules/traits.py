"""Traits: what a solver may exploit in a game.

A trait is a promise about the rules. `check_game` tests the promise, and the solver that the trait
names relies on it. A package with a rule book of its own can bring a trait of its own.
"""

from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from divisorduel.rules.numbers import members
from divisorduel.rules.position import Position

if TYPE_CHECKING:
    from collections.abc import Callable

    from divisorduel.rules.game import Game

_LISTED = 1_000
"""How many divisors are compared; a number can have millions."""


@dataclass(frozen=True, slots=True)
class Trait:
    """A promise that a game keeps, and the solver that relies on it."""

    name: str
    promise: "Callable[[Game, Position, int], bool]"
    """Tells whether the promise holds for one legal move in one position."""
    solver: str
    """Where the solver is, as ``module:object``; see `divisorduel.solve.solver.Solver`."""


def _is_chain(game: "Game", position: Position, move: int) -> bool:
    after = game.after(position, move)
    took_one = after == Position(position.playable & ~(1 << move), move)
    if position.last is None:
        return took_one
    reversed_ = Position(position.playable | 1 << position.last, move)
    return took_one and position.last in game.moves(reversed_)


def _removed(game: "Game", position: Position, move: int) -> int:
    return position.playable & ~game.after(position, move).playable


def _removes_the_same_everywhere(game: "Game", position: Position, move: int) -> bool:
    at_the_start = _removed(game, game.start(), move)
    return _removed(game, position, move) == at_the_start & position.playable


def _is_independent(game: "Game", position: Position, move: int) -> bool:
    removed = members(_removed(game, position, move))
    mutual = all(_removed(game, position, other) >> move & 1 for other in removed)
    return mutual and _removes_the_same_everywhere(game, position, move)


def _is_upset(game: "Game", position: Position, move: int) -> bool:
    removed = _removed(game, position, move)
    for other in members(removed & ~(1 << move)):
        above = _removed(game, position, other)
        if above >> move & 1 or above & ~removed:
            return False
    return _removes_the_same_everywhere(game, position, move)


def _is_descent(game: "Game", position: Position, move: int) -> bool:
    current = position.last or 0
    listed = list(islice(game.moves(position), _LISTED))
    small = [number for number in range(2, min(current, _LISTED)) if current % number == 0]
    return game.after(position, move) == Position(last=move) and listed[: len(small)] == small


CHAIN = Trait("undirected chain", _is_chain, "divisorduel.solve.chain_solver:SOLVER")
"""Undirected vertex geography: take a number tied to the last one; ties are mutual."""
INDEPENDENT = Trait(
    "independent choices", _is_independent, "divisorduel.solve.component_solver:NODE_KAYLES"
)
"""Node Kayles: taking a number removes it and the numbers tied to it; ties are mutual."""
UPSET = Trait("up-set removal", _is_upset, "divisorduel.solve.component_solver:POSET_GAME")
"""A poset game: taking a number removes it and everything above it in a partial order."""
DESCENT = Trait("divisor descent", _is_descent, "divisorduel.solve.descent_solver:SOLVER")
"""Replace a number by one of its divisors, other than 1 and itself."""
