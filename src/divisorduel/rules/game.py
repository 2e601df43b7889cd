"""What a game is: a rule book with its parameters filled in."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import MISSING, fields
from itertools import combinations
from random import Random
from typing import ClassVar, NamedTuple, Self

from divisorduel.rules.book import Book
from divisorduel.rules.errors import BoardError, IllegalMove, one_of
from divisorduel.rules.numbers import members, write_number
from divisorduel.rules.position import Position
from divisorduel.rules.refusal import PHRASES, Refusal
from divisorduel.rules.relation import Relation
from divisorduel.rules.traits import Trait


class Taken(NamedTuple):
    """A number that was taken, and who took it. The n-th in a list was taken on turn n."""

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
    relation: ClassVar[Relation | None] = None
    """How the numbers are related, for graphs and explanations."""
    size_parameter: ClassVar[str] = "to"
    """The parameter that changes from board to board in a series."""
    parameter_help: ClassVar[Mapping[str, str]] = {}
    """What each parameter means, in a short sentence."""

    @classmethod
    def of(cls, **parameters: int | str) -> Self:
        """Return a game, given its parameters by name. Raises `BoardError`, with the reason."""
        known = {f.name: f for f in fields(cls)}  # type: ignore[arg-type]  # a dataclass
        for name in parameters.keys() - known:
            raise BoardError(f"{cls.book.key} has no parameter {name!r}. Use {one_of(known)}.")
        for name, field in known.items():
            if field.default is MISSING and name not in parameters:
                raise BoardError(f"{cls.book.key} needs a {name}.")
        return cls(**parameters)

    @classmethod
    def of_size(cls, size: int, **options: int | str) -> Self:
        """Return the game of a series with this size. Raises `BoardError`."""
        return cls.of(**{**options, cls.size_parameter: size})

    @classmethod
    def sizes(cls, first: int, last: int, **options: int | str) -> range:
        """Return the sizes of a series between two numbers. Raises `BoardError`."""
        cls.of_size(last, **options)
        return range(first, last + 1)

    @classmethod
    def variants(cls, size: int) -> Iterable[Self]:
        """Return the games of a size under each opening rule."""
        return (cls.of_size(size),)

    @property
    def size(self) -> int:
        """The value of the size parameter."""
        return int(getattr(self, self.size_parameter))

    @property
    @abstractmethod
    def board(self) -> str:
        """The board as one word, as in ``2-50``: `on_board` reads it back."""

    @property
    def span(self) -> str:
        """The board in words, as in ``2 to 50``."""
        return self.board

    @property
    def note(self) -> str:
        """What a player must know besides the board, in a sentence; empty if there is nothing."""
        return ""

    @classmethod
    @abstractmethod
    def on_board(cls, board: str) -> Self:
        """Return the game for a board as `board` writes it. Raises `BoardError`."""

    @property
    def pool(self) -> int:
        """The numbers on the board, as a set of bits; 0 if the game has no pool."""
        return 0

    def numbers(self) -> Sequence[int]:
        """Return every number that can ever be taken, ascending. There can be millions."""
        return members(self.pool) if self.pool else self.moves(self.start())

    @property
    def has_free_opening(self) -> bool:
        """Whether every number on the board may be taken first."""
        return self.number_of_moves(self.start()) == self.pool.bit_count()

    @property
    def graph_caption(self) -> str:
        """The sentence under a graph of the numbers."""
        return self.relation.caption if self.relation else ""

    def graph(self, numbers: Iterable[int]) -> list[tuple[int, int]]:
        """Return the pairs of related numbers: the edges of a graph. Give the numbers ascending."""
        if self.relation is None:
            return []
        holds = self.relation.holds
        return [(a, b) for a, b in combinations(numbers, 2) if holds(a, b) or holds(b, a)]

    @abstractmethod
    def start(self) -> Position:
        """Return the position before the first move."""

    @abstractmethod
    def moves(self, position: Position) -> Sequence[int]:
        """Return the legal moves, ascending. There can be millions: test one with ``in``."""

    def number_of_moves(self, position: Position) -> int:
        """Return how many moves are legal."""
        return len(self.moves(position))

    def random_move(self, position: Position, rng: Random) -> int:
        """Return a random legal move, all equally likely; there must be one."""
        return rng.choice(self.moves(position))

    @abstractmethod
    def after(self, position: Position, move: int) -> Position:
        """Return the position after a move that is known to be legal."""

    @abstractmethod
    def refusal(self, position: Position, move: int, taken: Sequence[Taken] = ()) -> Refusal | None:
        """Return why a move is not legal; None if it is.

        The numbers taken so far only improve the explanation: they do not decide what is legal.
        """

    def explain(self, refusal: Refusal) -> str:
        """Say in a sentence why a move is not legal.

        The sentence comes from the phrases of the rule book and its relation; see `PHRASES`.
        """
        words = {
            name: write_number(v) if isinstance(v, int) else v for name, v in refusal.params.items()
        }
        match refusal.params:
            case {"number": int(number), "other": int(other)} if self.relation:
                words["relation"] = self.relation.say(number, other)
        phrase = self.book.phrases.get(refusal.code) or PHRASES[refusal.code]
        return phrase.format(span=self.span, **words)

    @abstractmethod
    def write_position(self, position: Position) -> tuple[str, str]:
        """Write a position as two words: the playable numbers and the last one, ``-`` for none."""

    @abstractmethod
    def read_position(self, playable: str, last: str) -> Position:
        """Read the two words of `write_position`. Raises `CodeError`."""

    def play(self, position: Position, move: int) -> Position:
        """Return the position after a move. Raises `IllegalMove` with the reason."""
        if refusal := self.refusal(position, move):
            raise IllegalMove(self.explain(refusal), refusal)
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
