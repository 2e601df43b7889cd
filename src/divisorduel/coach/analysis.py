"""A position judged move by move: who wins, and what each legal move is worth."""

from dataclasses import dataclass

from divisorduel.play.players import Judge
from divisorduel.rules.game import Game
from divisorduel.rules.position import Position
from divisorduel.solve.budget import BudgetSpent
from divisorduel.solve.solver import solver_for
from divisorduel.solve.verdict import Verdict

MOST_OPTIONS = 1_000
"""With more legal moves than this, they are not judged one by one."""


@dataclass(frozen=True, slots=True)
class Option:
    """A legal move, judged."""

    move: int
    wins: bool | None
    """None if that could not be proven in time."""
    nimber: int | None
    """The nimber that the move leaves; None if it is unknown, or if the solver has no nimbers."""


@dataclass(frozen=True, slots=True)
class Analysis:
    """A verdict, and the legal moves in ascending order."""

    verdict: Verdict
    move_count: int
    """How many moves are legal."""
    options: tuple[Option, ...]
    """Those moves; empty if there are too many to list."""


def analyse(game: Game, position: Position, judge: Judge | None = None) -> Analysis:
    """Judge a position and each of its moves. Nothing in the answer is a guess."""
    judge = judge or Judge()
    verdict, moves = judge.verdict(game, position), game.number_of_moves(position)
    if moves > MOST_OPTIONS:
        return Analysis(verdict, moves, ())
    winning, nimbers = {*verdict.winning_moves}, _nimbers(game, position, verdict, judge)
    options = (
        Option(
            move=move,
            wins=move in winning if verdict.proven or move in winning else None,
            nimber=nimbers.get(move),
        )
        for move in game.moves(position)
    )
    return Analysis(verdict, moves, tuple(options))


def _nimbers(game: Game, position: Position, verdict: Verdict, judge: Judge) -> dict[int, int]:
    if verdict.nimber is None:
        return {}
    try:
        return solver_for(game).option_nimbers(game, position, judge.budget())
    except BudgetSpent:
        return {}
