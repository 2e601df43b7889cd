"""The board as tiles: what each number shows, in signs and in colours. Nothing here draws."""

from collections.abc import Container, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Literal, NamedTuple

from divisorduel.play.match import Match
from divisorduel.rules.numbers import has, members, progression

TileState = Literal["takeable", "blocked", "ruled-out", "taken-1", "taken-2"]
"""Legal now, perhaps legal later, never legal again, or taken by a player."""
Highlight = Literal["", "last", "hint", "partner"]
"""What else is special: the last number, a hint, or the partner of the number under the cursor."""

SIGNS: dict[TileState, str] = {
    "takeable": " ",
    "blocked": "·",
    "ruled-out": "×",  # noqa: RUF001  # the sign, not the letter
    "taken-1": "●",
    "taken-2": "○",
}
LAST_SIGNS: dict[TileState, str] = {"taken-1": "◆", "taken-2": "◇", "ruled-out": "◂"}
"""The last number, by the player who took it; the third sign is for the start of a game."""
HIGHLIGHT_SIGNS: dict[Highlight, str] = {"hint": "★", "partner": "="}

LEGEND = {
    "12": "a plain number: can be taken now",
    SIGNS["blocked"]: "cannot be taken now, perhaps later",
    SIGNS["ruled-out"]: "can no longer be taken",
    f"{SIGNS['taken-1']} {SIGNS['taken-2']}": "taken by Player 1 or Player 2",
    f"{LAST_SIGNS['taken-1']} {LAST_SIGNS['taken-2']}": "the number taken last",
    LAST_SIGNS["ruled-out"]: "the starting number, or the last one taken before the start",
    HIGHLIGHT_SIGNS["hint"]: "the move that a hint suggests, or the answer to a mistake",
    HIGHLIGHT_SIGNS["partner"]: "the partner of the number in brackets",
}
"""What the signs mean, for people."""

MOST_DIVISORS = 1_000
"""A game without a pool shows at most this many numbers; others can be typed."""


class Look(NamedTuple):
    """The colours of a tile, and whether its number is bold."""

    ink: str
    paper: str
    bold: bool = False


LOOKS: dict[TileState, Look] = {
    "takeable": Look("#10141d", "#e6e2d3", bold=True),
    "blocked": Look("#aab3c6", "#30384b"),
    "ruled-out": Look("#6d768a", "#131722"),
    "taken-1": Look("#ffffff", "#2f6fd0"),
    "taken-2": Look("#1d1200", "#d9822b"),
}
HIGHLIGHT_LOOKS: dict[Highlight, Look] = {
    "hint": Look("#10141d", "#ffe14d", bold=True),
    "partner": Look("#10141d", "#62c370", bold=True),
}
CURSOR_LOOK = Look("#ffffff", "#a03fb5", bold=True)
LAST_LOOKS: dict[TileState, Look] = {
    "taken-1": Look("#ffffff", "#1c4fa8", bold=True),
    "taken-2": Look("#fff3e0", "#a8560b", bold=True),
}
"""The last number is darker than the others of its player."""


@dataclass(frozen=True, slots=True)
class Tile:
    """One number on the board."""

    number: int
    state: TileState
    highlight: Highlight = ""

    @property
    def look(self) -> Look:
        """The colours of the tile."""
        if self.highlight in HIGHLIGHT_LOOKS:
            return HIGHLIGHT_LOOKS[self.highlight]
        if self.highlight == "last" and self.state in LAST_LOOKS:
            return LAST_LOOKS[self.state]
        return LOOKS[self.state]

    @property
    def sign(self) -> str:
        """The character before the number."""
        if self.highlight in HIGHLIGHT_SIGNS:
            return HIGHLIGHT_SIGNS[self.highlight]
        return (LAST_SIGNS if self.highlight == "last" else SIGNS)[self.state]

    def text(self, digits: int, width: int, *, is_cursor: bool = False) -> str:
        """Return the sign and the number in this many columns, with brackets under the cursor.

        The last column is a gap, unless the cursor needs it.
        """
        left = (width - digits - 2) // 2
        core = f"{self.sign}{self.number:>{digits}}"
        if is_cursor:
            core = f"[{core}]" if left else f"[{core[1:]}]"
        return f"{' ' * (left - (is_cursor and left > 0))}{core}".ljust(width)


@dataclass(frozen=True, slots=True)
class BoardTiles:
    """The tiles of a position, each made when it is asked for: a board can have millions."""

    numbers: Sequence[int]
    legal: Container[int]
    playable: int
    takers: dict[int, Literal[1, 2]]
    last: int | None
    hint: int | None = None
    partner: int | None = None

    def __len__(self) -> int:
        return len(self.numbers)

    @property
    def digits(self) -> int:
        """How many digits the longest number has."""
        return len(str(self.numbers[-1])) if self.numbers else 1

    def tile(self, index: int) -> Tile:
        """Return a tile, counted from 0."""
        number = self.numbers[index]
        return Tile(number, self._state(number), self._highlight(number))

    def index(self, number: int) -> int | None:
        """Return the place of a number; None if it is not on the board."""
        try:
            return self.numbers.index(number)
        except ValueError:
            return None

    def _state(self, number: int) -> TileState:
        if number in self.takers:
            return "taken-1" if self.takers[number] == 1 else "taken-2"
        if number in self.legal:
            return "takeable"
        return "blocked" if has(self.playable, number) else "ruled-out"

    def _highlight(self, number: int) -> Highlight:
        highlights: list[tuple[int | None, Highlight]] = [
            (self.hint, "hint"),
            (self.partner, "partner"),
            (self.last, "last"),
        ]
        return next((one for highlighted, one in highlights if highlighted == number), "")


def board_of(match: Match, *, hint: int | None = None, partner: int | None = None) -> BoardTiles:
    """Return the board of the current round, with a hint and a partner to point out."""
    current = match.current
    moves: Sequence[int] = () if current.winner else match.game.moves(current.position)
    return BoardTiles(
        numbers=_numbers(match),
        legal=frozenset(moves) if isinstance(moves, tuple) else moves,
        playable=current.position.playable,
        takers={number: current.mover(turn) for turn, number in enumerate(current.moves, 1)},
        last=current.moves[-1] if current.moves else current.position.last,
        hint=hint,
        partner=partner,
    )


def _numbers(match: Match) -> Sequence[int]:
    """Return the numbers of the pool; without a pool, the numbers that can be reached."""
    game, pool = match.game, match.game.pool
    if pool:
        lowest, highest = (pool & -pool).bit_length() - 1, pool.bit_length() - 1
        step = max(1, (highest - lowest) // max(1, pool.bit_count() - 1))
        is_regular = pool == progression(lowest, highest, step)
        return range(lowest, highest + 1, step) if is_regular else members(pool)
    is_small = game.number_of_moves(match.start) <= MOST_DIVISORS
    position = match.start if is_small else match.current.position
    reached = tuple(islice(game.moves(position), MOST_DIVISORS))
    return reached if position.last is None else (*reached, position.last)
