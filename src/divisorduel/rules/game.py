"""What a game is: a rule book with its parameters filled in."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import fields
from typing import ClassVar, NamedTuple, Self

from divisorduel.rules.book import Book
from divisorduel.rules.errors import IllegalMove
from divisorduel.rules.position import Position
from divisorduel.rules.traits import Trait


class Taken(NamedTuple):
    """A number that was taken, and who took it; the n-th of them was taken on turn n."""

    number: int
    by: str


class Game(ABC):
    """A rule book with its parameters filled in.

    Subclasses are frozen dataclasses whose fields are the parameters, so games are immutable,
    hashable, and equal if their rules and boards are. In every game the player who cannot move
    loses.
    """

    book: ClassVar[Book]
    trait: ClassVar[Trait | None] = None

    @property
    @abstractmethod
    def board(self) -> str:
        """The board as one word, as in ``2-50``: `on_board` reads it back."""

    @property
    @abstractmethod
    def span(self) -> str:
        """The board as people say it, as in ``2 to 50``."""

    @property
    def note(self) -> str:
        """A sentence on whatever a player must know besides the board, if anything."""
        return ""

    @classmethod
    @abstractmethod
    def on_board(cls, board: str) -> Self:
        """Read a board's word. Raises `BoardError`."""

    @abstractmethod
    def start(self) -> Position:
        """Return the position before the first move."""

    @abstractmethod
    def moves(self, position: Position) -> Sequence[int]:
        """Return the legal moves, ascending.

        There can be millions: to test one, use ``in`` and do not list them.
        """

    def number_of_moves(self, position: Position) -> int:
        """Return how many moves are legal."""
        return len(self.moves(position))

    @abstractmethod
    def after(self, position: Position, move: int) -> Position:
        """Return the position after a move that is known to be legal."""

    @abstractmethod
    def refusal(self, position: Position, move: int, taken: Sequence[Taken] = ()) -> str:
        """Explain why a move is not legal, in a sentence; the empty string if it is.

        The numbers taken so far make the explanation better; they never change the answer.
        """

    @abstractmethod
    def write_position(self, position: Position) -> tuple[str, str]:
        """Write a position as two words: the playable numbers and the last one, ``-`` for none."""

    @abstractmethod
    def read_position(self, playable: str, last: str) -> Position:
        """Read the two words of `write_position`. Raises `CodeError`."""

    def play(self, position: Position, move: int) -> Position:
        """Return the position after a move. Raises `IllegalMove` with the reason."""
        if move not in self.moves(position):
            raise IllegalMove(self.refusal(position, move))
        return self.after(position, move)

    def is_over(self, position: Position) -> bool:
        """Tell whether the player to move has no move, and so has lost."""
        return not self.moves(position)

    def __repr__(self) -> str:
        changed = "".join(
            f", {f.name}={value!r}"
            for f in fields(self)  # type: ignore[arg-type]  # every subclass is a dataclass
            if (value := getattr(self, f.name)) != f.default
        )
        return f"game({self.book.key!r}{changed})"
