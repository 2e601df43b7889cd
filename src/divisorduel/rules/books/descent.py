"""Divisor Duel, the descent: replace a number with one of its divisors until it is a prime."""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import ClassVar, Self

from divisorduel.rules.book import Book, Example, Guide, Wording
from divisorduel.rules.divisors import ProperDivisors
from divisorduel.rules.errors import BoardError, CodeError
from divisorduel.rules.game import Game, Taken
from divisorduel.rules.numbers import is_whole, read_number
from divisorduel.rules.position import Position
from divisorduel.rules.refusal import Refusal
from divisorduel.rules.relation import DIVISORS
from divisorduel.rules.traits import DESCENT

DIGITS = 50
"""The starting number has at most this many digits: FLINT factors those within a second."""

_TURN = """
Current number is {last}
{player}'s turn.
"""


@dataclass(frozen=True, kw_only=True, repr=False)
class Descent(Game):
    """Replace the current number with one of its divisors, other than 1 and itself."""

    book = Book(
        key="descent",
        title="Divisor Duel",
        nickname="Down to a prime",
        first_board={"number": 720},
        board="any number greater than 1; you choose it at the start",
        move="replace the current number with one of its divisors, other than 1 and itself",
        wrong_number="forfeit",
        easy_win="""\
Moving to a prime wins at once, and every number that is not a prime has a prime divisor. For a
longer game, agree not to move to a prime while another move is left. Then you lose if you face a
number with exactly three prime factors, such as 12 (2, 2 and 3).""",
        phrases={
            "one": "1 is not a proper divisor: a move must be greater than 1.",
            "itself": "{number} is the current number itself: a move must be smaller.",
        },
        wording=Wording(
            welcome="Welcome to Divisor Duel!\n",
            ask_number="Enter the starting number (greater than 1): ",
            board="\n{player} will go first.\n",
            first_turn=_TURN,
            turn=_TURN,
            prompt="Select a proper divisor of {last}: ",
            accepted="{player} selects {number}.\n",
            stuck=_TURN
            + """\
No proper divisors available.
{loser} cannot make a move and loses.
{winner} wins the game!
""",
            options="Proper divisors of {last}: {options:None}\n",
            log="Selected: {taken:none}\n",
        ),
        guide=Guide(
            rules="""
            Agree on a starting number greater than 1, preferably not a prime: 16, for example.

            On your turn, replace the current number with one of its proper divisors: a number
            greater than 1 and smaller than the current one that divides it exactly.

            A prime has no proper divisors: if you face one, you lose.

            Take care: if you select a number that is not a proper divisor, you lose the game.""",
            tips="""
            Moving to a prime wins on the spot, and every number that is not a prime has a prime
            divisor. So unless you face a prime, you can win at once: from 16, move to 2.

            For a longer game, agree not to move to a prime while another move is left. Then leave
            your opponent a number with exactly three prime factors, such as 8 (2, 2 and 2), 12
            or 30: whatever they move to has two, and you answer with a prime.""",
            example=Example(
                moves=(8, 4, 2),
                board={"number": 16},
                remarks={
                    1: "The proper divisors of 16 are 2, 4 and 8. (2 would win at once.)",
                    3: "2 is a prime: it has no proper divisors.",
                },
            ),
        ),
    )
    relation = DIVISORS
    trait = DESCENT
    size_parameter = "number"
    parameter_help: ClassVar = {"number": "Starting number (descent only)."}

    number: int

    def __post_init__(self) -> None:
        """Check the limits. Raises `BoardError`."""
        if not is_whole(self.number):
            raise BoardError(f"The starting number must be a whole number, not {self.number!r}.")
        if self.number <= 1:
            raise BoardError("The starting number must be greater than 1.")
        if self.number >= 10**DIGITS:
            raise BoardError(f"The starting number may have at most {DIGITS} digits.")

    @property
    def board(self) -> str:
        """The starting number."""
        return str(self.number)

    @property
    def span(self) -> str:
        """The board in words."""
        return f"the number {self.number}"

    @property
    def note(self) -> str:
        """A warning if the game is over before it begins."""
        if self.is_over(self.start()):
            return f"{self.number} is a prime: the game ends at once, and the first player loses."
        return ""

    @classmethod
    def on_board(cls, board: str) -> Self:
        """Read a starting number. Raises `BoardError`."""
        return cls(number=read_number(board, BoardError))

    def start(self) -> Position:
        """Return the position at the starting number."""
        return Position(last=self.number)

    @classmethod
    def sizes(cls, first: int, last: int, **options: int | str) -> range:
        """Return the starting numbers in a range."""
        return super().sizes(max(first, 2), last, **options)

    def moves(self, position: Position) -> ProperDivisors:
        """Return the proper divisors of the current number."""
        return ProperDivisors(self._current(position))

    def random_move(self, position: Position, rng: Random) -> int:
        """Return a random proper divisor without listing them all; there must be one."""
        return self.moves(position).draw(rng)

    def after(self, position: Position, move: int) -> Position:
        """Make the divisor the current number."""
        return Position(last=move)

    def refusal(self, position: Position, move: int, taken: Sequence[Taken] = ()) -> Refusal | None:
        """Return why a number is not a proper divisor; None if it is."""
        current = self._current(position)
        if move in self.moves(position):
            return None
        if move in (1, current):
            return Refusal("one" if move == 1 else "itself", {"number": move})
        return Refusal("not-related", {"number": move, "other": current})

    def write_position(self, position: Position) -> tuple[str, str]:
        """Write the current number; this game has no pool."""
        return "-", str(self._current(position))

    def read_position(self, playable: str, last: str) -> Position:
        """Read the current number. Raises `CodeError`."""
        if playable != "-":
            raise CodeError(f"Positions of descent have no pool: use -, not {playable!r}.")
        current = read_number(last, CodeError)
        if current <= 1 or self.number % current:
            raise CodeError(f"{last} cannot be reached from {self.number}.")
        return Position(last=current)

    def _current(self, position: Position) -> int:
        return position.last or self.number
