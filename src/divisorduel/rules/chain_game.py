"""Games in which each number must answer the last one."""

from collections.abc import Sequence
from typing import ClassVar

from divisorduel.rules.errors import CodeError, NotANumber
from divisorduel.rules.game import Taken
from divisorduel.rules.numbers import has, read_number
from divisorduel.rules.pool_game import PoolGame
from divisorduel.rules.position import Position
from divisorduel.rules.traits import CHAIN, Trait


class ChainGame(PoolGame):
    """Take a playable number that is tied to the last number taken; the first one is free."""

    trait: ClassVar[Trait | None] = CHAIN

    def legal(self, position: Position) -> int:
        """Return the legal moves as a set of bits."""
        if position.last is not None:
            return position.playable & self.ties(position.last)
        if position.playable == self.pool:
            return self.openers()
        return position.playable

    def after(self, position: Position, move: int) -> Position:
        """Take the number; it is the one to answer."""
        return Position(position.playable & ~(1 << move), move)

    def why_not(self, position: Position, move: int, taken: Sequence[Taken]) -> str:
        """Explain why a number does not answer the last one."""
        if not has(position.playable, move):
            return f"{move} was taken."
        return f"{move} neither divides {position.last} nor is a multiple of it."

    def read_last(self, last: str, playable: int) -> int | None:
        """Read the last number taken, which is not playable any more. Raises `CodeError`."""
        if last == "-":
            return None
        try:
            number = read_number(last)
        except NotANumber as error:
            raise CodeError(str(error)) from None
        if not has(self.pool, number) or has(playable, number):
            raise CodeError(f"{last!r} cannot be the last number taken.")
        return number
