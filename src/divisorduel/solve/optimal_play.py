"""Optimal play: the winner wins as soon as possible, the loser holds out as long as possible."""

from divisorduel.rules.game import Game
from divisorduel.rules.position import Position
from divisorduel.solve.budget import Budget, BudgetSpent
from divisorduel.solve.solver import solve

SECONDS = 5.0
"""The time limit for solving one position of a line."""


class OptimalPlay:
    """Shortest wins and longest losses from the positions of one game.

    The budget counts the positions of the lines that are not cached. The positions that a solver
    searches to judge them do not count.
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        self._best: dict[Position, tuple[int, int]] = {}

    def length(self, position: Position, budget: Budget) -> int:
        """Return how many moves are left. Raises `BudgetSpent`."""
        return self._look(position, budget)[0]

    def line(self, position: Position, budget: Budget) -> tuple[int, ...]:
        """Return the moves that are left. Raises `BudgetSpent`."""
        moves: list[int] = []
        while not self.game.is_over(position):
            _, move = self._look(position, budget)
            moves.append(move)
            position = self.game.after(position, move)
        return tuple(moves)

    def _look(self, position: Position, budget: Budget) -> tuple[int, int]:
        if position not in self._best:
            budget.spend()
            budget.check()  # a position can take a long time
            within = Budget(SECONDS, on_progress=lambda _: budget.check())
            verdict = solve(self.game, position, within)
            if not verdict.proven:
                raise BudgetSpent
            moves = verdict.winning_moves or self.game.moves(position)
            lengths = [
                (1 + self.length(self.game.after(position, move), budget), move) for move in moves
            ]
            best = min(lengths) if verdict.winning_moves else max(lengths, default=(0, 0))
            self._best[position] = best
        return self._best[position]


def quick_line(game: Game, position: Position, budget: Budget) -> tuple[int, ...]:
    """Return a line in which the winner wins, not always the shortest. Raises `BudgetSpent`.

    Both players leave as few answers as possible.
    """

    def answers(move: int) -> int:
        budget.tick()  # a large board has many moves
        return game.number_of_moves(game.after(position, move))

    moves: list[int] = []
    while not game.is_over(position):
        verdict = solve(game, position, budget)
        if not verdict.proven:
            raise BudgetSpent
        choices = verdict.winning_moves or tuple(game.moves(position))
        move = min(choices, key=answers)
        moves.append(move)
        position = game.after(position, move)
    return tuple(moves)
