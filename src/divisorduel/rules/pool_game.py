"""Games on a pool of numbers: the board and its limits, chain games and removal games."""

import re
from abc import abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields
from typing import ClassVar, Literal, Self, final

from divisorduel.rules.errors import BoardError, CodeError, one_of
from divisorduel.rules.game import Game, Taken
from divisorduel.rules.numbers import (
    has,
    is_whole,
    join_runs,
    members,
    progression,
    read_number,
    write_number,
    write_runs,
)
from divisorduel.rules.position import Position
from divisorduel.rules.refusal import Refusal
from divisorduel.rules.relation import Relation
from divisorduel.rules.traits import CHAIN, Trait

HIGHEST = 10_000_000
"""The largest number a pool may hold."""

Opening = Literal["any", "even", "low"]
"""What the first number of a game may be: any number, an even one, or at most half the largest."""

OPENINGS: dict[Opening, str] = {
    "any": "",
    "even": "The first number must be even.",
    "low": "The first number must be at most half the largest one.",
}

_BOARD = re.compile(
    "(?P<from_>[0-9]{1,9})-(?P<to>[0-9]{1,9})(:(?P<step>[0-9]{1,9}))?(,(?P<opening>[a-z]+))?"
)
_RUN = re.compile("([0-9]{1,9})(?:-([0-9]{1,9}))?")


@dataclass(frozen=True, kw_only=True, repr=False)
class PoolGame(Game):
    """A game on the numbers `from_`, `from_` + `step`, … up to `to`.

    Only the relation decides which numbers are related, so rules and explanations always agree.
    """

    relation: ClassVar[Relation]
    parameter_help: ClassVar = {
        "from_": "Smallest number on the board.",
        "to": "Largest number on the board.",
        "step": "Distance from one number to the next.",
        "opening": "Which first numbers are allowed; low means at most half the largest.",
    }
    lowest: ClassVar[int] = 2
    """The smallest number that this rule book's pool may hold."""
    answers_last: ClassVar[bool] = False
    """Whether a move must answer the last number taken."""

    from_: int = 2
    to: int = 50
    step: int = 1
    opening: Opening = "any"

    def __post_init__(self) -> None:
        """Check the limits. Raises `BoardError`."""
        for value in (self.from_, self.to, self.step):
            if not is_whole(value):
                raise BoardError(f"A board needs whole numbers, not {value!r}.")
        if self.from_ < self.lowest:
            raise BoardError(f"Boards of {self.book.key} must start at {self.lowest} or higher.")
        if self.to > HIGHEST:
            raise BoardError(f"The largest number on a board may be at most {HIGHEST:,}.")
        if self.from_ > self.to:
            empty = f"The board {self.from_} to {self.to} is empty."
            raise BoardError(f"{empty} The largest number must not be below the smallest.")
        if not 1 <= self.step <= HIGHEST:
            raise BoardError(f"The step must be between 1 and {HIGHEST:,}.")
        if self.opening not in OPENINGS:
            raise BoardError(f"Unknown opening {self.opening!r}. Use {one_of(OPENINGS)}.")
        if not self.openers():
            raise BoardError(
                f"{OPENINGS[self.opening]} This board has no such number. Choose another board."
            )

    @property
    def pool(self) -> int:
        """The numbers on the board, as a set of bits."""
        return progression(self.from_, self.to, self.step)

    @property
    def _range(self) -> range:
        """The numbers on the board, as a range: it takes no time to make, unlike a large pool."""
        return range(self.from_, self.to + 1, self.step)

    @classmethod
    def sizes(cls, first: int, last: int, **options: int | str) -> range:
        """Return the numbers in a range that a board can end at. Raises `BoardError`."""
        largest = cls.of_size(last, **options)
        low = max(first, largest.from_)
        return range(low + (largest.from_ - low) % largest.step, last + 1, largest.step)

    @classmethod
    def variants(cls, size: int) -> Iterator[Self]:
        """Yield the games of a size under each opening rule that its board allows."""
        for opening in OPENINGS:
            try:
                yield cls.of_size(size, opening=opening)
            except BoardError:
                continue

    @final
    def related_to(self, number: int) -> int:
        """Return the numbers related to a number, as a set of bits."""
        return self.relation.related_to(number, self.to)

    @final
    def neighbours(
        self, playable: int, tick: Callable[[], None] = lambda: None
    ) -> dict[int, list[int]]:
        """Return the playable numbers that are related to each playable number, ascending.

        Large boards take a while: `tick` is called for every number and may raise.
        """
        return self.relation.neighbours(playable, tick)

    def start(self) -> Position:
        """Return the position with the whole pool playable."""
        return Position(self.pool)

    def legal(self, position: Position) -> int:
        """Return the legal moves as a set of bits."""
        if position.last is not None:
            return position.playable & self.related_to(position.last)
        return self.openers() if position.playable == self.pool else position.playable

    def moves(self, position: Position) -> tuple[int, ...]:
        """Return the legal moves, ascending."""
        return members(self.legal(position))

    def number_of_moves(self, position: Position) -> int:
        """Return how many moves are legal."""
        return self.legal(position).bit_count()

    def is_over(self, position: Position) -> bool:
        """Tell whether the player to move has no move, and so has lost."""
        return not self.legal(position)

    def refusal(self, position: Position, move: int, taken: Sequence[Taken] = ()) -> Refusal | None:
        """Return why a move is not legal; None if it is."""
        if has(self.legal(position), move):
            return None
        if not has(self.pool, move):
            return Refusal("not-on-board", {"number": move})
        for turn, (number, _) in enumerate(taken, 1):
            if number == move:
                return Refusal("taken", {"number": move, "turn": turn})
        if position.playable == self.pool and position.last is None:
            return Refusal(f"opening-{self.opening}", {"number": move})
        return self.why_not(position, move, taken)

    @abstractmethod
    def why_not(self, position: Position, move: int, taken: Sequence[Taken]) -> Refusal:
        """Return why the relation forbids a number that is on the board and was not taken."""

    def openers(self) -> int:
        """Return the numbers that may be taken first."""
        match self.opening:
            case "even":
                return self.pool & progression(0, self.to, 2)
            case "low":
                return self.pool & progression(0, (self.pool.bit_length() - 1) // 2, 1)
            case "any":
                return self.pool

    @property
    def board(self) -> str:
        """The board as one word: ``2-50``, or ``2-50:3,even`` with a step and an opening."""
        default = {f.name: f.default for f in fields(self)}
        step = "" if self.step == default["step"] else f":{self.step}"
        opening = "" if self.opening == default["opening"] else f",{self.opening}"
        return f"{self.from_}-{self.to}{step}{opening}"

    @property
    def span(self) -> str:
        """The board in words."""
        return f"{self.from_} to {self.to}" + (f" in steps of {self.step}" if self.step > 1 else "")

    @property
    def note(self) -> str:
        """What the first number must be, if not every number is allowed."""
        return OPENINGS[self.opening]

    @classmethod
    def on_board(cls, board: str) -> Self:
        """Return the game for a board as `board` writes it. Raises `BoardError`."""
        word = _BOARD.fullmatch(board)
        if word is None:
            known = "2-50, 2-50:3 or 2-50,even"
            raise BoardError(f"{board!r} is not a board. Use, for example, {known}.")
        given = {name: value for name, value in word.groupdict().items() if value is not None}
        return cls.of(**{k: int(v) if v.isdecimal() else v for k, v in given.items()})

    def write_position(self, position: Position) -> tuple[str, str]:
        """Write a position as two words; ``2-7,9`` are the board's numbers 2 to 7 and 9."""
        last = "-" if position.last is None else str(position.last)
        return write_runs(position.playable, self._range), last

    def read_position(self, playable: str, last: str) -> Position:
        """Read the two words of `write_position`. Raises `CodeError`."""
        runs = []
        for run in playable.split(",") if playable != "-" else ():
            ends = _RUN.fullmatch(run)
            if ends is None:
                raise CodeError(f"{run!r} is not a number or a range of numbers such as 4-9.")
            low, high = int(ends[1]), int(ends[2] or ends[1])
            if low > high or low not in self._range or high not in self._range:
                raise CodeError(f"{run} is not on the board ({self.span}).")
            runs.append((low, high))
        bits = join_runs(runs, self.step)
        if last == "-":
            return Position(bits)
        if not self.answers_last:
            key = self.book.key
            raise CodeError(f"Positions of {key} have no last number: use -, not {last!r}.")
        number = read_number(last, CodeError)
        wrong = f"{write_number(number)} cannot be the last number taken: it is"
        if number not in self._range:
            raise CodeError(f"{wrong} not on the board ({self.span}).")
        if has(bits, number):
            raise CodeError(f"{wrong} still among the playable numbers.")
        return Position(bits, number)


class ChainGame(PoolGame):
    """Take a playable number that is related to the last number taken; the first number is free."""

    trait: ClassVar[Trait | None] = CHAIN
    answers_last = True

    def after(self, position: Position, move: int) -> Position:
        """Take the number; the next one must be related to it."""
        return Position(position.playable & ~(1 << move), move)

    def why_not(self, position: Position, move: int, taken: Sequence[Taken]) -> Refusal:
        """Return why a number may not follow the last one."""
        if position.last is None or not has(position.playable, move):
            return Refusal("out-of-play", {"number": move})
        return Refusal("not-related", {"number": move, "other": position.last})


class RemovalGame(PoolGame):
    """Take any playable number; it removes the numbers related to it."""

    def after(self, position: Position, move: int) -> Position:
        """Remove the number and the numbers related to it."""
        return Position(position.playable & ~(self.related_to(move) | 1 << move))

    def why_not(self, position: Position, move: int, taken: Sequence[Taken]) -> Refusal:
        """Return which taken number rules this one out."""
        for number, by in taken:
            if self.relation.holds(move, number):
                return Refusal("ruled-out", {"number": move, "other": number, "player": by})
        return Refusal("out-of-play", {"number": move})
