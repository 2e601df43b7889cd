"""Fair starts: boards on which neither side is done before it begins.

A start is interesting if perfect play lasts, and if whoever is lost can still set traps. For every
board, opening rule and handicap (a first number agreed on beforehand) this says what is proven: who
wins, by how many first moves, how long perfect play lasts, and how many of the winner's first
choices go wrong.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from divisorduel.play.players import PerfectPlayer, judge
from divisorduel.rules.catalogue import game, must_be_given, rule_book
from divisorduel.rules.errors import BoardError
from divisorduel.rules.game import Game, Trait
from divisorduel.rules.pool import PoolGame
from divisorduel.rules.position import Position

SAMPLES = 3
"""How many games of perfect play are looked at to see how long they last."""


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
    def interest(self) -> float:
        """How much there is to play for: long games in which the winner can go wrong."""
        return self.length * self.tries


def usual_start(key: str, rng: Random) -> Start | None:
    """Return what is proven of a rule book's own board; None if it has none, or nothing is."""
    return None if must_be_given(key) else _start(game(key), None, rng)


def fair_starts(key: str, sizes: Iterator[int] | range, rng: Random) -> list[Start]:
    """Return the starts of a game on boards of the given sizes, the most interesting first."""
    starts = [
        start
        for board in _games(key, sizes)
        for handicap in _handicaps(board)
        if (start := _start(board, handicap, rng)) is not None
    ]
    return sorted(starts, key=lambda start: -start.interest)


def _games(key: str, sizes: Iterator[int] | range) -> Iterator[Game]:
    kind = rule_book(key)
    for size in sizes:
        if not issubclass(kind, PoolGame):
            yield kind(number=size)  # type: ignore[call-arg]  # descent
            continue
        for opening in ("any", "even", "low"):
            try:
                yield kind(to=size, opening=opening)
            except BoardError:
                continue


def _handicaps(game: Game) -> Iterator[int | None]:
    """Yield no handicap, and the first numbers that leave the most answers."""
    yield None
    moves = game.moves(game.start())
    if game.trait is Trait.DIVISORS or len(moves) > 200:
        return
    answers = {move: len(game.moves(game.after(game.start(), move))) for move in moves}
    yield from sorted(moves, key=lambda move: -answers[move])[:2]


def _start(game: Game, handicap: int | None, rng: Random) -> Start | None:
    position = game.start() if handicap is None else game.after(game.start(), handicap)
    verdict = judge(game, position)
    if not verdict.proven or verdict.winner is None or game.is_over(position):
        return None
    return Start(
        game=game,
        handicap=handicap,
        winner=verdict.winner,
        winning_moves=len(verdict.winning_moves),
        moves=len(game.moves(position)),
        length=sum(_length(game, position, rng) for _ in range(SAMPLES)) / SAMPLES,
        tries=_tries(game, position, rng),
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
    return 1 - len(verdict.winning_moves) / len(game.moves(position))
