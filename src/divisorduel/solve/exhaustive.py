"""The exhaustive solver: fit for any game, and the oracle that every other solver is tested on."""

from divisorduel.rules.game import Game
from divisorduel.rules.position import Position
from divisorduel.solve.budget import Budget, OutOfTime
from divisorduel.solve.verdict import Verdict, from_options, mex

METHOD = "exhaustive search"


class Exhaustive:
    """Nimbers of whole positions, each worked out once.

    The nimber of a position is the smallest one that no move leads to (Sprague 1935, Grundy
    1939); the player to move loses just where it is 0.
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        self.known: dict[Position, int] = {}

    def nimber(self, position: Position, budget: Budget) -> int:
        """Return the nimber of a position. Raises `OutOfTime`."""
        waiting = [position]
        while waiting:
            at = waiting[-1]
            options = [self.game.after(at, move) for move in self.game.moves(at)]
            unknown = [option for option in options if option not in self.known]
            if unknown:
                waiting += unknown
                continue
            waiting.pop()
            if at not in self.known:
                budget.spend()
                self.known[at] = mex(self.known[option] for option in options)
        return self.known[position]

    def solve(self, position: Position, budget: Budget) -> Verdict:
        """Return the verdict on a position."""
        options: dict[int, int] = {}
        try:
            for move in self.game.moves(position):
                options[move] = self.nimber(self.game.after(position, move), budget)
        except OutOfTime:
            return from_options(options, METHOD, budget, complete=False)
        return from_options(options, METHOD, budget)
