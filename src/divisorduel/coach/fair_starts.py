"""Fair starts: starts that give both players a good game.

A start is a board, an opening rule and perhaps a handicap: a number that is already taken. It is
interesting if a perfect game is long and the winner can easily go wrong.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random

from divisorduel.play.players import Judge, PerfectPlayer
from divisorduel.rules.catalogue import game, must_be_given, rule_book
from divisorduel.rules.game import Game
from divisorduel.rules.position import Position

SHORTEST = 3
"""A start is left out if its games have fewer moves than this."""
SAMPLES = 3
"""How many perfect games are played to find the average length."""
MOST_HANDICAPS = 200
"""With more first moves than this, no handicaps are tried."""


@dataclass(frozen=True, slots=True)
class Start:
    """A way to start, and what is proven about it."""

    game: Game
    handicap: int | None
    """A number taken before the first player moves."""
    position: Position
    """The position before the first player moves."""
    winner: int
    """1 if the player who moves first wins, 2 if the opponent does."""
    winning_moves: int
    moves: int
    length: float
    """The average number of moves in a perfect game."""
    mistakes: float
    """The share of the winner's first choices that throw the win away, from 0 to 1."""

    @property
    def interest(self) -> float:
        """How interesting the start is: long games in which the winner can go wrong."""
        return self.length * self.mistakes


def usual_start(key: str) -> Start | None:
    """Return the start on the default board; None if there is no such board or no proof."""
    if must_be_given(key):
        return None
    board = game(key)
    return _start(board, None, board.start(), Judge())


def fair_starts(key: str, sizes: range) -> list[Start]:
    """Return the different starts on boards of the given sizes, the most interesting first."""
    judge = Judge()
    starts: dict[tuple[Position, Sequence[int]], Start] = {}
    for board in (board for size in sizes for board in rule_book(key).variants(size)):
        for handicap, position in _handicaps(board):
            same = (position, tuple(board.moves(position)))
            if same not in starts and (start := _start(board, handicap, position, judge)):
                starts[same] = start
    lasting = [start for start in starts.values() if start.length >= SHORTEST]
    return sorted(lasting, key=lambda start: -start.interest)


def _handicaps(board: Game) -> Iterator[tuple[int | None, Position]]:
    """Yield the start without a handicap, then with the numbers that leave the most answers."""
    start = board.start()
    yield None, start
    moves = board.moves(start)
    if len(moves) > MOST_HANDICAPS or not board.has_free_opening:
        return
    after = {move: board.after(start, move) for move in moves}
    for move in sorted(moves, key=lambda move: -board.number_of_moves(after[move]))[:2]:
        yield move, after[move]


def _start(board: Game, handicap: int | None, position: Position, judge: Judge) -> Start | None:
    verdict = judge.verdict(board, position)
    if not verdict.proven or verdict.winner is None or board.is_over(position):
        return None
    perfect, rng = PerfectPlayer(judge), Random(0)  # noqa: S311  # the same seed for every start
    games = [[*_perfect_play(board, position, perfect, rng)] for _ in range(SAMPLES)]
    # The winner chooses first at once, or after the loser's first move.
    choice = position if verdict.winner == 1 else next(_perfect_play(board, position, perfect, rng))
    wins = len(judge.verdict(board, choice).winning_moves)
    return Start(
        game=board,
        handicap=handicap,
        position=position,
        winner=verdict.winner,
        winning_moves=len(verdict.winning_moves),
        moves=board.number_of_moves(position),
        length=sum(map(len, games)) / SAMPLES,
        mistakes=1 - wins / board.number_of_moves(choice),
    )


def _perfect_play(
    game: Game, position: Position, perfect: PerfectPlayer, rng: Random
) -> Iterator[Position]:
    """Yield the position after each move of a game between perfect players."""
    while not game.is_over(position):
        position = game.after(position, perfect.choose(game, position, rng))
        yield position
