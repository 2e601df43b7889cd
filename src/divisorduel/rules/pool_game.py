"""Games played on a shared pool of numbers: the board, its limits, and its words."""

import re
from abc import abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from typing import ClassVar, Literal, Self

from divisorduel.rules.errors import BoardError, CodeError, IllegalMove
from divisorduel.rules.game import Game, Taken
from divisorduel.rules.numbers import has, is_whole, members, progression, write_number, write_runs
from divisorduel.rules.position import Position

HIGHEST = 10_000_000
"""The largest number a pool may hold."""

Opening = Literal["any", "even", "low"]
"""What the first number of a game must be: anything, even, or at most half the largest one."""

OPENINGS: dict[Opening, str] = {
    "any": "",
    "even": "The first number must be even.",
    "low": "The first number must be at most half the largest one.",
}

_BOARD = re.compile(r"([0-9]{1,9})-([0-9]{1,9})(?::([0-9]{1,9}))?(?:,([a-z]+))?", re.ASCII)
_RUN = re.compile(r"([0-9]{1,9})(?:-([0-9]{1,9}))?", re.ASCII)


@dataclass(frozen=True, kw_only=True, repr=False)
class PoolGame(Game):
    """A game on the numbers from_, from_ + step, … up to to."""

    lowest: ClassVar[int] = 2
    """The smallest number that this rule book's pool may hold."""

    from_: int = 2
    to: int = 50
    step: int = 1
    opening: Opening = "any"

    def __post_init__(self) -> None:
        """Check the limits. Raises `BoardError`."""
        for value in (self.from_, self.to, self.step):
            if not is_whole(value):
                raise BoardError(f"A board is made of whole numbers; {value!r} is not one.")
        if self.from_ < self.lowest:
            raise BoardError(f"Boards of {self.book.key} start at {self.lowest} or higher.")
        if self.to > HIGHEST:
            raise BoardError(f"A board goes up to {HIGHEST} at most.")
        if self.from_ > self.to:
            raise BoardError(f"A board from {self.from_} to {self.to} holds no numbers.")
        if not 1 <= self.step <= HIGHEST:
            raise BoardError(f"The step of a board is between 1 and {HIGHEST}.")
        if self.opening not in OPENINGS:
            raise BoardError(f"An opening is {', '.join(OPENINGS)}; {self.opening!r} is none.")
        if not self.openers():
            raise BoardError(f"No number on this board will do: {OPENINGS[self.opening].lower()}")

    @property
    def pool(self) -> int:
        """The numbers of the board, as a set of bits."""
        return progression(self.from_, self.to, self.step)

    @abstractmethod
    def ties(self, number: int) -> int:
        """Return the set of numbers tied to a number by this rule book's relation."""

    def neighbours(
        self, playable: int, tick: Callable[[], None] = lambda: None
    ) -> dict[int, list[int]]:
        """Return the playable numbers that each playable number is tied to, ascending.

        Large boards take a while: `tick` is called for every number, and may raise.
        """
        tied = {}
        for number in members(playable):
            tick()
            tied[number] = [*members(self.ties(number) & playable)]
        return tied

    def start(self) -> Position:
        """Return the position with the whole pool playable."""
        return Position(self.pool)

    @abstractmethod
    def legal(self, position: Position) -> int:
        """Return the legal moves as a set of bits."""

    def moves(self, position: Position) -> tuple[int, ...]:
        """Return the legal moves, ascending."""
        return members(self.legal(position))

    def number_of_moves(self, position: Position) -> int:
        """Return how many moves are legal."""
        return self.legal(position).bit_count()

    def play(self, position: Position, move: int) -> Position:
        """Return the position after a move. Raises `IllegalMove` with the reason."""
        if not has(self.legal(position), move):
            raise IllegalMove(self.refusal(position, move))
        return self.after(position, move)

    def is_over(self, position: Position) -> bool:
        """Tell whether the player to move has no move, and so has lost."""
        return not self.legal(position)

    def refusal(self, position: Position, move: int, taken: Sequence[Taken] = ()) -> str:
        """Explain why a move is not legal, in a sentence; the empty string if it is."""
        if has(self.legal(position), move):
            return ""
        if not has(self.pool, move):
            return f"{write_number(move)} is not on the board, which holds {self.span}."
        for turn, (number, _) in enumerate(taken, 1):
            if number == move:
                return f"{move} was taken on turn {turn}."
        if position.playable == self.pool:
            return f"{move} will not do. {OPENINGS[self.opening]}"
        return self.why_not(position, move, taken)

    @abstractmethod
    def why_not(self, position: Position, move: int, taken: Sequence[Taken]) -> str:
        """Explain why the relation forbids a number of the pool that nobody took."""

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
        """The board as people say it."""
        return f"{self.from_} to {self.to}" + (f" in steps of {self.step}" if self.step > 1 else "")

    @property
    def note(self) -> str:
        """What the first number must be, if not everything will do."""
        return OPENINGS[self.opening]

    @classmethod
    def on_board(cls, board: str) -> Self:
        """Read a board's word. Raises `BoardError`."""
        word = _BOARD.fullmatch(board)
        if word is None:
            raise BoardError(f"{board!r} is not a board; one looks like 2-50, 2-50:3 or 2-50,even.")
        parameters: dict[str, object] = {"from_": int(word[1]), "to": int(word[2])}
        if word[3] is not None:
            parameters["step"] = int(word[3])
        if word[4] is not None:
            parameters["opening"] = word[4]
        return cls(**parameters)  # type: ignore[arg-type]  # checked by __post_init__

    def write_position(self, position: Position) -> tuple[str, str]:
        """Write a position as two words; ``2-7,9`` are the board's numbers 2 to 7 and 9."""
        last = "-" if position.last is None else str(position.last)
        return write_runs(position.playable, range(self.from_, self.to + 1, self.step)), last

    def read_position(self, playable: str, last: str) -> Position:
        """Read the two words of `write_position`. Raises `CodeError`."""
        bits = 0
        for run in playable.split(",") if playable != "-" else ():
            bits |= self._read_run(run)
        return Position(bits, self.read_last(last, bits))

    def _read_run(self, run: str) -> int:
        ends = _RUN.fullmatch(run)
        if ends is None:
            raise CodeError(f"{run!r} is not a number of the board, nor a run of them such as 4-9.")
        low = int(ends[1])
        high = int(ends[2] or low)
        if low > high or not (has(self.pool, low) and has(self.pool, high)):
            raise CodeError(f"{run} is not on the board, which holds {self.span}.")
        return progression(low, high, self.step)

    def read_last(self, last: str, playable: int) -> int | None:
        """Read the last number taken, where the rules ask for it. Raises `CodeError`."""
        if last != "-":
            raise CodeError(f"A position of {self.book.key} has no last number; {last!r} is one.")
        return None
