"""Writes certificates: a claim about a position, with a proof that `verify` checks."""

import json
from typing import Any

from divisorduel.rules.code import write_code
from divisorduel.rules.divisors import factors
from divisorduel.rules.game import Game, Trait
from divisorduel.rules.numbers import members
from divisorduel.rules.pool_game import PoolGame
from divisorduel.rules.position import Position
from divisorduel.solve.budget import Budget, OutOfTime
from divisorduel.solve.chain_solver import matching_of
from divisorduel.solve.components import Components
from divisorduel.solve.exhaustive import Exhaustive
from divisorduel.solve.nimbers import nimbers_of
from divisorduel.solve.solver import solve
from divisorduel.solve.verify import FORMAT


def certificate(game: Game, position: Position, budget: Budget) -> str:
    """Return a certificate for a position, as JSON. Raises `OutOfTime`."""
    verdict = solve(game, position, budget)
    if not verdict.proven:
        raise OutOfTime
    claim = {
        "format": FORMAT,
        "position": write_code(game, position),
        "winner": verdict.winner,
        "winning_moves": verdict.winning_moves,
        "nimber": verdict.nimber,
        "proof": _proof(game, position, verdict.winning_moves, budget),
    }
    return json.dumps(claim, indent=1) + "\n"


def _proof(
    game: Game, position: Position, winning: tuple[int, ...], budget: Budget
) -> dict[str, Any]:
    if game.trait is Trait.DIVISORS:
        return {"kind": "factors", "factors": factors(position.last or 1)}
    if not isinstance(game, PoolGame) or game.trait is None:
        return {"kind": "positions", "nimbers": _positions(game, position, budget)}
    if game.trait is Trait.CHAIN:
        matching = matching_of(game, position, budget)
        return {
            "kind": "matching",
            "pairs": matching.pairs,
            "barrier": matching.barrier,
            "paths": {move: matching.path_to(move) for move in winning},
        }
    return {"kind": "nimbers", "components": _components(game, position.playable, budget)}


def _components(game: PoolGame, playable: int, budget: Budget) -> dict[str, int]:
    """Return the nimbers of all components that can arise, by their numbers."""
    parts, nimbers = Components(game), nimbers_of(game, budget.memory)
    found: dict[str, int] = {}
    waiting, seen = [*parts.of(playable)], set(parts.of(playable))
    while waiting:
        component = waiting.pop()
        numbers, _ = game.write_position(Position(component))
        found[numbers] = nimbers.nimber(component, budget)
        for move in members(component):
            new = set(parts.of(game.after(Position(component), move).playable)) - seen
            seen |= new
            waiting += new
    return found


def _positions(game: Game, position: Position, budget: Budget) -> dict[str, int]:
    exhaustive = Exhaustive(game)
    exhaustive.nimber(position, budget)
    return {" ".join(game.write_position(at)): n for at, n in exhaustive.known.items()}
