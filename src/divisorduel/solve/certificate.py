"""Certificates: a claim about a position, with a proof that `verify` can check."""

import json

from divisorduel.rules.code import write_code
from divisorduel.rules.game import Game
from divisorduel.rules.numbers import json_data
from divisorduel.rules.position import Position
from divisorduel.solve.budget import Budget, BudgetSpent
from divisorduel.solve.solver import solve, solver_for
from divisorduel.solve.verify import FORMAT


def certificate(game: Game, position: Position, budget: Budget) -> str:
    """Return a certificate for a position, as JSON. Raises `BudgetSpent`."""
    verdict = solve(game, position, budget)
    if not verdict.proven:
        raise BudgetSpent
    claim = {
        "format": FORMAT,
        "position": write_code(game, position),
        "winner": verdict.winner,
        "winning_moves": verdict.winning_moves,
        "nimber": verdict.nimber,
        "proof": solver_for(game).prove(game, position, budget),
    }
    return json.dumps(json_data(claim), indent=1) + "\n"
