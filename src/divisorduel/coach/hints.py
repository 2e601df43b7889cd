"""Hints in three steps; each step gives away a little more."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from divisorduel.play.players import Judge
from divisorduel.rules.game import Game
from divisorduel.rules.position import Position

LAST_STEP = 3
"""The step that names a move."""


@dataclass(frozen=True, slots=True)
class Hint:
    """A stable code, and the numbers that a sentence about it needs."""

    code: str
    params: Mapping[str, int] = field(default_factory=dict)

    @property
    def move(self) -> int | None:
        """The move that the hint names, if it names one."""
        return self.params.get("move")

    @property
    def is_last(self) -> bool:
        """Whether no later step says more."""
        return self.move is not None or self.code in ("unproven", "no-moves")


def hint(game: Game, position: Position, step: int, judge: Judge | None = None) -> Hint:
    """Return the hint of a step: 1 tells who wins, 2 how many moves win, 3 names a move."""
    judge = judge or Judge()
    verdict = judge.verdict(game, position)
    moves, wins = game.number_of_moves(position), len(verdict.winning_moves)
    if verdict.winner is None:
        return Hint("unproven")
    if not moves:
        return Hint("no-moves")
    if step <= 1:
        return Hint("winning" if wins else "losing")
    if step == 2:
        if moves == 1:
            return Hint("only-move-wins" if wins else "only-move-loses")
        code = "winning-moves" if verdict.proven else "winning-moves-so-far"
        return Hint(code, {"moves": moves, "wins": wins})
    move = judge.best_move(game, position) or 0
    if wins:
        return Hint("take", {"move": move})
    after = game.after(position, move)
    answers, wins = game.number_of_moves(after), len(judge.verdict(game, after).winning_moves)
    return Hint("try", {"move": move, "answers": answers, "wins": wins})
