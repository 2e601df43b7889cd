"""Why a position is won or lost, as data that can be put into words or drawn."""

from dataclasses import dataclass
from itertools import islice

from divisorduel.play.players import Judge
from divisorduel.rules.game import Game
from divisorduel.rules.position import Position
from divisorduel.solve.budget import OutOfTime
from divisorduel.solve.solver import Part, Plan, solver_for

MOST_ANSWERS = 12
"""The most moves of the loser for which an answer is given."""
MOST_DRAWN = 300
"""With more numbers than this, a drawing would be unreadable."""


@dataclass(frozen=True, slots=True)
class Reason:
    """The winner's plan: what to take, and how to answer the loser."""

    code: str
    """``unproven``, ``no-moves``, ``no-answer``, or the `kind` of the solver's plan."""
    move: int | None = None
    """The move that wins; None if the player to move loses."""
    answers: tuple[tuple[int, int], ...] = ()
    """The first moves of the loser, each with the winner's answer."""
    more: bool = False
    """Whether the loser has other moves than these."""
    nimbers: tuple[int, ...] = ()
    """The nimbers of the parts that the loser faces."""
    pairs: tuple[tuple[int, int], ...] = ()
    """The numbers that answer each other, for a drawing."""
    parts: tuple[Part, ...] = ()
    """The parts that the loser faces, for a drawing."""


def reason(game: Game, position: Position, judge: Judge | None = None) -> Reason:
    """Return the reason why the player to move wins or loses."""
    judge = judge or Judge()
    verdict = judge.verdict(game, position)
    if verdict.winner is None:
        return Reason("unproven")
    if game.is_over(position):
        return Reason("no-moves")
    move = judge.best_move(game, position) if verdict.winning_moves else None
    loser_faces = position if move is None else game.after(position, move)
    try:
        plan = solver_for(game).plan(game, position, move, judge.budget())
    except OutOfTime:
        plan = Plan()
    answers = _answers(game, loser_faces, plan, judge)
    is_drawn = position.playable.bit_count() <= MOST_DRAWN
    return Reason(
        "no-answer" if plan.kind != "prime" and game.is_over(loser_faces) else plan.kind,
        move,
        answers,
        game.number_of_moves(loser_faces) > len(answers),
        tuple(part.nimber for part in plan.parts),
        tuple(sorted((a, b) for a, b in plan.partners.items() if 0 < a < b)) if is_drawn else (),
        plan.parts if is_drawn else (),
    )


def _answers(
    game: Game, position: Position, plan: Plan, judge: Judge
) -> tuple[tuple[int, int], ...]:
    """Return the first moves in a lost position, each with a proven answer that beats it."""
    found = []
    for move in islice(game.moves(position), MOST_ANSWERS):
        answer = plan.partners.get(move) or judge.best_move(game, game.after(position, move))
        if answer is not None:
            found.append((move, answer))
    return tuple(found)
