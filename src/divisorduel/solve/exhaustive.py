"""Exhaustive search: it solves any game, and it is the oracle that tests every other solver."""

from functools import lru_cache

from divisorduel.rules.game import Game
from divisorduel.rules.position import Position
from divisorduel.solve.budget import Budget, OutOfTime
from divisorduel.solve.verdict import Verdict, from_options, mex

METHOD = "exhaustive search"


class Exhaustive:
    """The nimbers of whole positions of one game, each computed once.

    The nimber of a position is the smallest one that no move leads to (Sprague 1935, Grundy
    1939); the player to move loses iff it is 0.
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


@lru_cache(maxsize=8)
def exhaustive_of(game: Game) -> Exhaustive:
    """Return the search of a game, with the positions it has solved before."""
    return Exhaustive(game)
