"""Fair starts: boards on which neither side is done before it begins.

A start is interesting if perfect play lasts, and if whoever is lost can still set traps. For every
board, opening rule and handicap (a first number agreed on beforehand) this says what is proven: who
wins, by how many first moves, how long perfect play lasts, and how many of the winner's first
choices go wrong.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random

from divisorduel.play.players import PerfectPlayer, judge
from divisorduel.rules.catalogue import game, must_be_given, rule_book
from divisorduel.rules.game import Game
from divisorduel.rules.position import Position

SHORTEST = 3
"""A start whose games are shorter than this is nothing to recommend."""
SAMPLES = 3
"""How many games of perfect play are looked at to see how long they last."""
MOST_HANDICAPS = 200
"""With more first moves than this, no handicaps are tried."""


@dataclass(frozen=True, slots=True)
class Start:
    """A way to start, and what is proven of it."""

    game: Game
    handicap: int | None
    """A number that is taken before the first player moves."""
    winner: int
    """1 if the first player to choose wins, 2 if the other one does."""
    winning_moves: int
    moves: int
    length: float
    """How many moves perfect play takes on average."""
    tries: float
    """The share of the winner's first answers that throw the win away."""

    @property
    def position(self) -> Position:
        """The position before the first player chooses."""
        return _after(self.game, self.handicap)

    @property
    def interest(self) -> float:
        """How much there is to play for: long games in which the winner can go wrong."""
        return self.length * self.tries


def usual_start(key: str) -> Start | None:
    """Return what is proven of a rule book's own board; None if it has none, or nothing is."""
    return None if must_be_given(key) else _start(game(key), None)


def fair_starts(key: str, sizes: range) -> list[Start]:
    """Return the starts of a game on boards of the given sizes, the most interesting first.

    Starts that are one and the same game are listed once.
    """
    starts: dict[tuple[Position, Sequence[int]], Start] = {}
    for board in (board for size in sizes for board in rule_book(key).variants(size)):
        for handicap in _handicaps(board):
            position = _after(board, handicap)
            same = (position, tuple(board.moves(position)))
            if same not in starts and (start := _start(board, handicap)) is not None:
                starts[same] = start
    lasting = [start for start in starts.values() if start.length >= SHORTEST]
    return sorted(lasting, key=lambda start: -start.interest)


def _after(board: Game, handicap: int | None) -> Position:
    start = board.start()
    return start if handicap is None else board.after(start, handicap)


def _handicaps(game: Game) -> Iterator[int | None]:
    """Yield no handicap, and the first numbers that leave the most answers."""
    yield None
    moves = game.moves(game.start())
    if len(moves) > MOST_HANDICAPS or not game.has_free_opening:
        return
    answers = {move: game.number_of_moves(game.after(game.start(), move)) for move in moves}
    yield from sorted(moves, key=lambda move: -answers[move])[:2]


def _start(board: Game, handicap: int | None) -> Start | None:
    position = _after(board, handicap)
    verdict = judge(board, position)
    if not verdict.proven or verdict.winner is None or board.is_over(position):
        return None
    rng = Random(0)  # noqa: S311  # the same for every start, so that they can be compared
    return Start(
        game=board,
        handicap=handicap,
        winner=verdict.winner,
        winning_moves=len(verdict.winning_moves),
        moves=board.number_of_moves(position),
        length=sum(_length(board, position, rng) for _ in range(SAMPLES)) / SAMPLES,
        tries=_tries(board, position, rng),
    )


def _length(game: Game, position: Position, rng: Random) -> int:
    moves = 0
    while not game.is_over(position):
        position = game.after(position, PerfectPlayer().choose(game, position, rng))
        moves += 1
    return moves


def _tries(game: Game, position: Position, rng: Random) -> float:
    """Return the share of wrong choices the winner meets when choosing for the first time."""
    verdict = judge(game, position)
    if not verdict.winning_moves:
        position = game.after(position, PerfectPlayer().choose(game, position, rng))
        verdict = judge(game, position)
    return 1 - len(verdict.winning_moves) / game.number_of_moves(position)
