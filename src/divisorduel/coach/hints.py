"""Hints, a ladder: each step gives away a little more."""

from divisorduel.coach.reasons import UNKNOWN, best_move
from divisorduel.play.players import judge
from divisorduel.rules.game import Game
from divisorduel.rules.position import Position

LAST_STEP = 3
"""The step that names a move."""


def hint(game: Game, position: Position, step: int) -> str:
    """Return the hint of a step, counted from 1: who wins, how many moves do, which one."""
    verdict = judge(game, position)
    if verdict.winner is None:
        return UNKNOWN
    wins = len(verdict.winning_moves)
    moves = game.number_of_moves(position)
    if step <= 1:
        return "You can win this." if wins else "You are losing, if your opponent plays well."
    if step == 2:
        found = "" if verdict.proven else "at least "
        if moves == 1:
            return "You have one move, and it wins." if wins else "You have one move, and it loses."
        return f"Of your {moves} moves, {found}{wins or 'none'} {'wins' if wins < 2 else 'win'}."
    move = best_move(game, position)
    if wins:
        return f"Take {move}."
    after = game.after(position, move or 0)
    answers, beaten = game.number_of_moves(after), len(judge(game, after).winning_moves)
    if beaten == answers:
        return f"Try {move}, though every answer to it beats you."
    return (
        f"Try {move}: of the {answers} answers to it, only {beaten} "
        f"{'beats' if beaten == 1 else 'beat'} you."
    )
