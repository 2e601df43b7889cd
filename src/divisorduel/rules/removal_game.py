"""Games in which taking a number rules others out."""

from collections.abc import Sequence

from divisorduel.rules.game import Taken
from divisorduel.rules.numbers import has
from divisorduel.rules.pool_game import PoolGame
from divisorduel.rules.position import Position


class RemovalGame(PoolGame):
    """Take any playable number; the numbers tied to it stop being playable with it."""

    def legal(self, position: Position) -> int:
        """Return the legal moves as a set of bits."""
        return self.openers() if position.playable == self.pool else position.playable

    def after(self, position: Position, move: int) -> Position:
        """Take the number and what is tied to it."""
        return Position(position.playable & ~(self.ties(move) | 1 << move))

    def why_not(self, position: Position, move: int, taken: Sequence[Taken]) -> str:
        """Name the taken number that rules this one out."""
        for number, by in taken:
            if has(self.ties(number), move):
                tie = f"is a multiple of {number}" if move % number == 0 else f"divides {number}"
                return f"{move} {tie}, which {by} took."
        return f"{move} can no longer be taken."
