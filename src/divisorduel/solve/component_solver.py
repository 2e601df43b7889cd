"""Games in which taking a number removes others, solved by the nimbers of their components.

The components of a position do not affect each other, so its nimber is the exclusive or of theirs
(Sprague 1935, Grundy 1939). A move wins iff it leaves nimber 0.
"""

from typing import Any

from divisorduel.rules.numbers import bit_set, members
from divisorduel.rules.pool_game import PoolGame
from divisorduel.rules.position import Position
from divisorduel.solve.budget import Budget
from divisorduel.solve.components import Components
from divisorduel.solve.native.kernel import KERNEL
from divisorduel.solve.native.native_nimbers import kernel_can
from divisorduel.solve.nimbers import connected, nimbers_of
from divisorduel.solve.solver import Part, Plan, Solver, search_moves
from divisorduel.solve.verdict import Verdict

METHOD = "nimbers of components"

LARGEST = 1_000
"""With more numbers than this, a search is hopeless and is not started."""


class ComponentSolver(Solver[PoolGame]):
    """Solves games that split into components."""

    def __init__(self, *, has_outcome_search: bool) -> None:
        """Say whether the kernel should search for the winner alone if no nimber is needed.

        In Node Kayles this takes fewer positions: see ``kernel/outcomes.hpp``. In poset games it is
        not worth it.
        """
        self._has_outcome_search = has_outcome_search

    def solve(
        self, game: PoolGame, position: Position, budget: Budget, *, nimber: bool = True
    ) -> Verdict:
        """Return the verdict on a position."""
        if position.playable.bit_count() > LARGEST:
            return Verdict.of((), METHOD, budget, proven=False)
        nimbers = nimbers_of(game, budget.memory)

        def search(after: Position) -> int:
            if nimber or not self._has_outcome_search:
                return nimbers.nimber(after.playable, budget)
            return not nimbers.is_zero(after.playable, budget)

        return search_moves(game, position, budget, METHOD, search)

    def prove(self, game: PoolGame, position: Position, budget: Budget) -> dict[str, Any]:
        """Return the nimbers of all components that can arise, by their numbers.

        They arise in the standard forms, but also in the position as it is: not every component
        can be moved to the smallest primes, so the two can lead to different forms.
        """
        parts, nimbers = Components(game), nimbers_of(game, budget.memory)
        found: dict[str, int] = {}
        seen = set(parts.of(position.playable))
        for move in game.moves(position):
            budget.tick()
            seen.update(parts.of(game.after(position, move).playable))
        waiting = [*seen]
        while waiting:
            component = waiting.pop()
            playable = bit_set(component)
            numbers, _ = game.write_position(Position(playable))
            found[numbers] = nimbers.nimber(playable, budget)
            for move in component:
                budget.tick()
                new = set(parts.of(game.after(Position(playable), move).playable)) - seen
                seen |= new
                waiting += new
        return {"kind": "nimbers", "components": found}

    def plan(self, game: PoolGame, position: Position, move: int | None, budget: Budget) -> Plan:
        """Return the components that the loser faces, if their nimbers cancel.

        They may not cancel if the player loses only because of the opening rule.
        """
        playable = (position if move is None else game.after(position, move)).playable
        nimbers = nimbers_of(game, budget.memory)
        if nimbers.nimber(playable, budget):
            return Plan()
        parts = (
            Part(members(part), nimbers.nimber(part, budget))
            for part in components_of(game, playable)
        )
        return Plan("parts", parts=tuple(parts))

    def option_nimbers(self, game: PoolGame, position: Position, budget: Budget) -> dict[int, int]:
        """Return the nimber after each move. Raises `BudgetSpent`."""
        nimbers = nimbers_of(game, budget.memory)
        return {
            move: nimbers.nimber(game.after(position, move).playable, budget)
            for move in game.moves(position)
        }

    def why_not_together(self, game: PoolGame) -> str | None:
        """Say why smaller boards cannot be solved as parts of this one; None if they can."""
        if game.openers() != game.pool:
            return "the opening depends on the whole board"
        if KERNEL is not None and not kernel_can(game):
            return f"the native solvers cannot handle a board up to {members(game.pool)[-1]}"
        return None

    def clear_cache(self) -> None:
        """Evict all nimbers."""
        nimbers_of.cache_clear()


NODE_KAYLES = ComponentSolver(has_outcome_search=True)
POSET_GAME = ComponentSolver(has_outcome_search=False)


def components_of(game: PoolGame, playable: int) -> list[int]:
    """Return the components of a set of numbers, the one with the smallest number first."""
    touching = dict.fromkeys(members(playable), 0)
    for number, related in game.neighbours(playable).items():
        touching[number] |= bit_set(related)
        for other in related:
            touching[other] |= 1 << number
    return [*connected(playable, touching)]
