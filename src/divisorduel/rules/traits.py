"""Traits: what a solver may exploit in a game.

A trait is a promise about the rules. `check_game` tests the promise, and the solver that the trait
names relies on it. A package can define a trait for its own rule book.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from divisorduel.rules.numbers import bit_set
from divisorduel.rules.position import Position

if TYPE_CHECKING:
    from divisorduel.rules.game import Game

_LISTED = 1_000
"""How many divisors are compared; a number can have millions."""


@dataclass(frozen=True, slots=True)
class Trait:
    """A promise that a game keeps, and the solver that relies on it."""

    name: str
    promise: Callable[["Game", Position, int], bool]
    """Tells whether the promise holds for one legal move in one position."""
    solver: str
    """The solver, as ``module:object``; see `divisorduel.solve.solver.Solver`."""


def _related(game: "Game", numbers: Iterable[int], move: int) -> list[int]:
    if game.relation is None:
        return []
    return [n for n in numbers if n != move and game.relation.holds(n, move)]


def _is_chain(game: "Game", position: Position, move: int) -> bool:
    after = Position(position.playable & ~(1 << move), move)
    related = _related(game, after.numbers, move)
    mutual = all(_related(game, [move], other) for other in related)
    return game.after(position, move) == after and [*game.moves(after)] == related and mutual


def _removes_related(game: "Game", position: Position, move: int) -> bool:
    removed = bit_set([move, *_related(game, position.numbers, move)])
    after = Position(position.playable & ~removed)
    return game.after(position, move) == after and [*game.moves(after)] == [*after.numbers]


def _is_independent(game: "Game", position: Position, move: int) -> bool:
    related = _related(game, position.numbers, move)
    mutual = all(_related(game, [move], other) for other in related)
    return mutual and _removes_related(game, position, move)


def _is_upset(game: "Game", position: Position, move: int) -> bool:
    above = {*_related(game, position.numbers, move)}
    ordered = all(above.issuperset(_related(game, position.numbers, other)) for other in above)
    return ordered and _removes_related(game, position, move)


def _is_descent(game: "Game", position: Position, move: int) -> bool:
    current = position.last or 0
    listed = [*islice(game.moves(position), _LISTED)]
    small = [number for number in range(2, min(current, _LISTED)) if current % number == 0]
    return game.after(position, move) == Position(last=move) and listed[: len(small)] == small


CHAIN = Trait("undirected chain", _is_chain, "divisorduel.solve.chain_solver:SOLVER")
"""Undirected vertex geography: take any playable number related to the last one, mutually."""
INDEPENDENT = Trait(
    "independent choices", _is_independent, "divisorduel.solve.component_solver:NODE_KAYLES"
)
"""Node Kayles: take any playable number; it removes those related to it, mutually."""
UPSET = Trait("up-set removal", _is_upset, "divisorduel.solve.component_solver:POSET_GAME")
"""A poset game: take any playable number; it removes everything above it in a partial order."""
DESCENT = Trait("divisor descent", _is_descent, "divisorduel.solve.descent_solver:SOLVER")
"""Replace a number with one of its divisors, other than 1 and itself."""
