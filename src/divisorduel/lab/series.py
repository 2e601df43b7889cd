"""A series of boards of one game, each with its own largest number."""

import re
import shlex
from dataclasses import dataclass
from typing import Self

from divisorduel.rules.catalogue import parameters, rule_book
from divisorduel.rules.errors import BoardError
from divisorduel.rules.game import Game
from divisorduel.solve.solver import solver_for

MOST_ROWS = 1_000_000
"""The most rows that a table may have."""

NO_NIMBERS = "--no-nimbers"

_RANGE = re.compile(r"([0-9]{1,50})\.\.([0-9]{1,50})", re.ASCII)


@dataclass(frozen=True, slots=True)
class Series:
    """The boards of one game whose largest numbers run from `first` to `last`.

    Descent has no board: there, the starting number is used instead of the largest number.
    """

    key: str
    first: int
    last: int
    options: tuple[tuple[str, int | str], ...] = ()
    """The other parameters of the boards, sorted by name."""
    nimbers: bool = True
    """Whether to find the nimbers, or only who wins and which moves win."""

    @classmethod
    def within(
        cls, key: str, written: str, options: dict[str, int | str], *, nimbers: bool = True
    ) -> Self:
        """Return the boards of a range such as ``2..60``. Raises `BoardError`."""
        ends = _RANGE.fullmatch(written)
        if ends is None:
            raise BoardError(
                f"{written!r} is not a range of boards. Use FROM..TO, for example 2..60."
            )
        series = cls(key, int(ends[1]), int(ends[2]), tuple(sorted(options.items())), nimbers)
        if series.first > series.last:
            raise BoardError(f"{written} is empty. Write the smaller number first.")
        series.game(series.last)
        numbers = series.numbers
        if not numbers:
            raise BoardError(f"No board of {key} ends at a number in {written}. Use another range.")
        try:
            series.game(numbers[0])
        except BoardError as error:
            message = f"The first board, up to {numbers[0]}, cannot be played. {error}"
            raise BoardError(message) from None
        if (numbers.stop - numbers.start) // numbers.step > MOST_ROWS:
            raise BoardError(f"{written} is too long: a table has at most {MOST_ROWS:,} rows.")
        return series

    @classmethod
    def of_command(cls, command: str) -> Self:
        """Read a command as `command` writes it. Raises `BoardError`."""
        try:
            _, _, key, written, *words = shlex.split(str(command))  # a file may hold anything
            nimbers = words[-1:] != [NO_NIMBERS]
            words = words if nimbers else words[:-1]
            known = {
                f"--{name.rstrip('_')}": (name, kind) for name, kind in parameters(key).items()
            }
            options: dict[str, int | str] = {}
            for option, value in zip(words[::2], words[1::2], strict=True):
                name, kind = known[option]
                options[name] = int(value) if kind is int else value
        except (ValueError, KeyError):
            raise BoardError(f"{command!r} is not a command that makes a table.") from None
        return cls.within(key, written, options, nimbers=nimbers)

    @property
    def command(self) -> str:
        """The command that makes the table."""
        options = (f" --{name.rstrip('_')} {value}" for name, value in self.options)
        without = "" if self.nimbers else f" {NO_NIMBERS}"
        return f"duel table {self.key} {self.first}..{self.last}{''.join(options)}{without}"

    @property
    def numbers(self) -> range:
        """The largest numbers of the boards; numbers that no board ends at are left out."""
        return rule_book(self.key).sizes(self.first, self.last, **dict(self.options))

    @property
    def why_not_together(self) -> str | None:
        """Why these boards cannot be solved as parts of the largest one; None if they can."""
        largest = self.game(self.last)
        return solver_for(largest).why_not_together(largest)

    def game(self, n: int) -> Game:
        """Return the game on the board that ends at a number. Raises `BoardError`."""
        return rule_book(self.key).of_size(n, **dict(self.options))

    def first_moves(self, n: int) -> int:
        """Return the number of first moves on the board that ends at a number."""
        game = self.game(n)
        return game.number_of_moves(game.start())

    def includes(self, other: "Series") -> bool:
        """Tell whether all boards of the other series are in this one."""
        return self.is_like(other) and self.first <= other.first and other.last <= self.last

    def is_like(self, other: "Series") -> bool:
        """Tell whether the other series differs only in its range."""
        return (self.key, self.options, self.nimbers) == (other.key, other.options, other.nimbers)
