"""A fixed action space: every number of a game has a place, and a place has a number.

Frameworks for learning want actions from 0 to n - 1 that mean the same in every position.
"""

from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Self

from divisorduel.rules.errors import BoardError
from divisorduel.rules.game import Game
from divisorduel.rules.numbers import members
from divisorduel.rules.position import Position

PLANES = 3
"""How many lists of places `ActionSpace.planes` returns."""
MOST_ACTIONS = 10_000
"""The largest action space; tables and networks for more would not fit into memory."""


@dataclass(frozen=True)
class ActionSpace:
    """The numbers of a game, by their places."""

    game: Game
    numbers: tuple[int, ...]

    def __len__(self) -> int:
        return len(self.numbers)

    def __deepcopy__(self, memo: object) -> Self:
        """Return the same object: nothing in it changes, and frameworks copy their states."""
        return self

    @cached_property
    def places(self) -> dict[int, int]:
        """The place of each number."""
        return {number: place for place, number in enumerate(self.numbers)}

    def legal(self, position: Position) -> list[int]:
        """Return the places of the legal moves, ascending."""
        return [self.places[move] for move in self.game.moves(position)]

    def planes(self, position: Position) -> tuple[list[int], list[int], list[int]]:
        """Return the places of the playable numbers, of the others, and of the last number taken.

        Together they determine the position.
        """
        playable = [self.places[number] for number in members(position.playable)]
        others = sorted({*range(len(self))}.difference(playable))
        last = self.places.get(position.last or 0)
        return playable, others, [] if last is None else [last]


@lru_cache(maxsize=64)
def action_space(game: Game) -> ActionSpace:
    """Return the action space of a game. Raises `BoardError` if it is too large or empty."""
    count = game.pool.bit_count() or len(game.numbers())
    if count > MOST_ACTIONS:
        raise BoardError(
            f"An action space has at most {MOST_ACTIONS:,} numbers; this board has {count:,}. "
            "Choose a smaller board."
        )
    if game.is_over(game.start()):
        raise BoardError("This game is over before it begins. Choose another board.")
    return ActionSpace(game, tuple(game.numbers()))
