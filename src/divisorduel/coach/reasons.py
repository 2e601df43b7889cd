"""Why a position is won or lost, as data that can be put into words or drawn."""

from dataclasses import dataclass
from itertools import islice

from divisorduel.play.players import Judge
from divisorduel.rules.game import Game
from divisorduel.rules.position import Position
from divisorduel.solve.budget import BudgetSpent
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
    """The move that wins; None if the player to move loses, or if the plan is hidden."""
    hidden: bool = False
    """Whether the player to move wins by a plan that is left out, so that no move is revealed."""
    answers: tuple[tuple[int, int], ...] = ()
    """The first moves of the loser, each with the winner's answer."""
    more: bool = False
    """Whether the loser has other moves than these."""
    nimbers: tuple[int, ...] = ()
    """The nimbers of the parts that the loser faces."""
    pairs: tuple[tuple[int, int], ...] = ()
    """The numbers that answer each other, for a drawing."""
    parts: tuple[Part, ...] = ()
    """The parts that the loser faces: first those with several numbers, then by nimber."""


def reason(
    game: Game, position: Position, judge: Judge | None = None, *, reveal: bool = True
) -> Reason:
    """Return the reason why the player to move wins or loses.

    Unless `reveal` is true, a winning plan is hidden, because it contains the winning move. If
    there is only one move, there is nothing to hide.
    """
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
    except BudgetSpent:
        plan = Plan()
    code = "no-answer" if plan.kind != "prime" and game.is_over(loser_faces) else plan.kind
    if move is not None and not reveal and game.number_of_moves(position) > 1:
        return Reason("answers" if len(plan.parts) == 1 else code, hidden=True)
    answers = _answers(game, loser_faces, plan, judge)
    parts = sorted(plan.parts, key=lambda part: (len(part.numbers) == 1, -part.nimber))
    is_drawn = position.playable.bit_count() <= MOST_DRAWN
    return Reason(
        code,
        move,
        answers=answers,
        more=game.number_of_moves(loser_faces) > len(answers),
        nimbers=tuple(part.nimber for part in parts),
        pairs=tuple(sorted((a, b) for a, b in plan.partners.items() if 0 < a < b))
        if is_drawn
        else (),
        parts=tuple(parts),
    )


def _answers(
    game: Game, position: Position, plan: Plan, judge: Judge
) -> tuple[tuple[int, int], ...]:
    """Return the first moves in a lost position, each with a proven answer that beats it."""
    found = []
    for move in islice(game.moves(position), MOST_ANSWERS):
        answer = _planned(game, position, move, plan, judge)
        answer = answer or judge.best_move(game, game.after(position, move))
        if answer is not None:
            found.append((move, answer))
    return tuple(found)


def _planned(game: Game, position: Position, move: int, plan: Plan, judge: Judge) -> int | None:
    """Return the answer to a move as the plan explains it.

    With pairs that is the partner. With parts it is a number of the same part, and if none of them
    wins, a number of a part with the same nimber.
    """
    home = next((part for part in plan.parts if move in part.numbers), None)
    if home is None:
        return plan.partners.get(move) or None
    wins = judge.verdict(game, game.after(position, move)).winning_moves
    twins = {n for part in plan.parts if part.nimber == home.nimber for n in part.numbers}
    for near in (set(home.numbers), twins):
        if planned := near.intersection(wins):
            return min(planned)
    return None
