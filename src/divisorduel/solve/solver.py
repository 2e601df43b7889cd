"""Solves any game: by exhaustive search, or by the faster solver that its trait names."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache
from pkgutil import resolve_name
from typing import Any, Generic, TypeVar

from divisorduel.rules.game import Game
from divisorduel.rules.position import Position
from divisorduel.solve.budget import Budget, BudgetSpent
from divisorduel.solve.verdict import Verdict, mex

G = TypeVar("G", bound=Game)


@dataclass(frozen=True, slots=True)
class Part:
    """The numbers of a component, and its nimber."""

    numbers: tuple[int, ...]
    nimber: int


@dataclass(frozen=True, slots=True)
class Plan:
    """How the winner answers every move of the loser, for explanations and drawings."""

    kind: str = "answers"
    """``pairs``, ``parts`` or ``prime``; ``answers`` if there is no simple rule."""
    partners: Mapping[int, int] = field(default_factory=dict)
    """In ``pairs``: the number that answers each number, 0 if none does."""
    parts: tuple[Part, ...] = ()
    """In ``parts``: the components, whose nimbers cancel."""


class Solver(Generic[G]):
    """Solves, proves and explains games by exhaustive search; the tests use it as the oracle.

    The solver of a trait overrides the methods that the trait makes faster.
    """

    def solve(self, game: G, position: Position, budget: Budget, *, nimber: bool = True) -> Verdict:
        """Return the verdict on a position. Unless `nimber` is true, it may lack the nimber."""
        known = _known(game)
        return search_moves(
            game, position, budget, "exhaustive search", lambda at: _nimber(game, at, known, budget)
        )

    def prove(self, game: G, position: Position, budget: Budget) -> dict[str, Any]:
        """Return the proof for a certificate, as JSON that `verify` can check.

        It lists the nimber of every position that can arise. Raises `BudgetSpent`.
        """
        known: dict[Position, int] = {}
        _nimber(game, position, known, budget)
        nimbers = {" ".join(game.write_position(at)): n for at, n in known.items()}
        return {"kind": "positions", "nimbers": nimbers}

    def plan(self, game: G, position: Position, move: int | None, budget: Budget) -> Plan:
        """Return the winner's plan from a position, after a winning move. Raises `BudgetSpent`.

        The move is None if the player to move loses.
        """
        return Plan()

    def option_nimbers(self, game: G, position: Position, budget: Budget) -> dict[int, int]:
        """Return the nimber after each move; empty without nimbers. Raises `BudgetSpent`."""
        known = _known(game)
        return {
            move: _nimber(game, game.after(position, move), known, budget)
            for move in game.moves(position)
        }

    def why_not_together(self, game: G) -> str | None:
        """Say why smaller boards cannot be solved as parts of this one; None if they can.

        Boards that are solved as parts of one game share the cache.
        """
        return f"boards of {game.book.key} gain nothing from it"

    def clear_cache(self) -> None:
        """Evict everything cached for all games of this solver."""
        _known.cache_clear()


EXHAUSTIVE = Solver[Game]()


@lru_cache(maxsize=8)
def _known(_game: Game) -> dict[Position, int]:
    return {}


def _nimber(game: Game, position: Position, known: dict[Position, int], budget: Budget) -> int:
    """Return the nimber of a position: the smallest one that no move leads to.

    The player to move loses iff it is 0 (Sprague 1935, Grundy 1939). Raises `BudgetSpent`.
    """
    waiting = [position]
    while waiting:
        at = waiting[-1]
        options = [game.after(at, move) for move in game.moves(at)]
        unknown = [option for option in options if option not in known]
        if unknown:
            waiting += unknown
            continue
        waiting.pop()
        if at not in known:
            budget.spend()
            known[at] = mex(known[option] for option in options)
    return known[position]


def search_moves(
    game: Game, position: Position, budget: Budget, method: str, nimber: Callable[[Position], int]
) -> Verdict:
    """Return the verdict, given a search for the nimber of a position after a move."""
    found: dict[int, int] = {}
    try:
        for move in game.moves(position):
            budget.check()
            found[move] = nimber(game.after(position, move))
        proven = True
    except (BudgetSpent, RecursionError):
        proven = False
    winning = (move for move, value in found.items() if value == 0)
    return Verdict.of(winning, method, budget, nimber=mex(found.values()), proven=proven)


def solver_for(game: Game) -> Solver[Any]:
    """Return the solver that the game's trait names, or exhaustive search without a trait."""
    found: Solver[Any] = EXHAUSTIVE if game.trait is None else _resolved(game.trait.solver)
    return found


_resolved = cache(resolve_name)


def solve(
    game: Game,
    position: Position | None = None,
    budget: Budget | None = None,
    *,
    nimber: bool = True,
) -> Verdict:
    """Return who wins from a position (by default the start), and which moves win.

    Without a budget there is no limit. The verdict leaves out what could not be proven within the
    budget, and says so. Without the nimber, larger boards can be solved.
    """
    position, budget = position or game.start(), budget or Budget()
    verdict = solver_for(game).solve(game, position, budget, nimber=nimber)
    return verdict if nimber else replace(verdict, nimber=None)
