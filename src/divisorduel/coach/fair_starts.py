"""Fair starts: starts that give both players a good game.

A start is a board, an opening rule and perhaps a handicap: a number that is already taken. It is
interesting if a perfect game is long and the winner can easily go wrong.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from random import Random

from divisorduel.play.players import Judge, PerfectPlayer
from divisorduel.rules.catalogue import game, must_be_given, rule_book
from divisorduel.rules.game import Game
from divisorduel.rules.position import Position
from divisorduel.solve.budget import Budget, BudgetSpent
from divisorduel.solve.verdict import Verdict

SHORTEST = 3
"""A start is left out if its games have fewer moves than this."""
SAMPLES = 3
"""How many perfect games are played to find the average length."""
MOST_HANDICAPS = 200
"""With more first moves than this, no handicaps are tried."""


@dataclass(frozen=True, slots=True)
class FairStart:
    """A way to start, and what is proven about it."""

    game: Game
    handicap: int | None
    """A number taken before the first player moves."""
    position: Position
    """The position before the first player moves."""
    winner: int
    """1 if the player who moves first wins, 2 if the opponent does."""
    winning_moves: int
    move_count: int
    length: float
    """The average number of moves in a perfect game."""
    mistakes: float
    """The share of the winner's first choices that throw the win away, from 0 to 1."""

    @property
    def interest(self) -> float:
        """How interesting the start is: long games in which the winner can go wrong."""
        return self.length * self.mistakes


def usual_start(key: str) -> FairStart | None:
    """Return the start on the default board; None without such a board or without a proof."""
    if must_be_given(key):
        return None
    board = game(key)
    try:
        return _Search(Budget()).start(board, None, board.start())
    except BudgetSpent:
        return None


def fair_starts(
    key: str,
    sizes: range,
    budget: Budget | None = None,
    on_left_out: Callable[[range], object] = lambda _: None,
) -> list[FairStart]:
    """Return the different starts on boards of the given sizes, the most interesting first.

    `on_left_out` is called with the sizes whose starts could not all be solved within the budget.
    """
    budget = budget or Budget()
    search = _Search(budget)
    for at, size in enumerate(sizes):
        boards = () if budget.is_over() else rule_book(key).variants(size)
        solved = [search.add_starts(board) for board in boards]
        if budget.is_over() and not (solved and all(solved)):
            on_left_out(sizes[at:])
            break
        if not all(solved):
            on_left_out(sizes[at : at + 1])
    lasting = [start for start in search.starts.values() if start.length >= SHORTEST]
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


class _Search:
    """A search for starts within a budget."""

    def __init__(self, budget: Budget) -> None:
        self.starts: dict[tuple[Position, Sequence[int]], FairStart] = {}
        self._budget = budget
        self._judge = Judge(within=budget)
        self._perfect = PerfectPlayer(self._judge)

    def add_starts(self, board: Game) -> bool:
        """Add the starts on a board, and return whether all of them were solved."""
        is_complete = True
        for handicap, position in _handicaps(board):
            same = (position, tuple(board.moves(position)))
            try:
                if same not in self.starts and (start := self.start(board, handicap, position)):
                    self.starts[same] = start
            except BudgetSpent:
                is_complete = False
        return is_complete

    def start(self, board: Game, handicap: int | None, position: Position) -> FairStart | None:
        """Return a start, or None if no move is left. Raises `BudgetSpent`."""
        verdict = self._verdict(board, position)
        if verdict.winner is None or board.is_over(position):
            return None
        rng = Random(0)  # noqa: S311  # the same seed for every start
        games = [[*self._perfect_play(board, position, rng)] for _ in range(SAMPLES)]
        # The winner's first choice comes at once, or after the loser's first move.
        is_first = verdict.winner == 1
        choice = position if is_first else next(self._perfect_play(board, position, rng))
        wins = len(self._verdict(board, choice).winning_moves)
        return FairStart(
            game=board,
            handicap=handicap,
            position=position,
            winner=verdict.winner,
            winning_moves=len(verdict.winning_moves),
            move_count=board.number_of_moves(position),
            length=sum(map(len, games)) / SAMPLES,
            mistakes=1 - wins / board.number_of_moves(choice),
        )

    def _verdict(self, game: Game, position: Position) -> Verdict:
        self._budget.check()
        verdict = self._judge.verdict(game, position)
        if not verdict.proven:
            raise BudgetSpent
        return verdict

    def _perfect_play(self, game: Game, position: Position, rng: Random) -> Iterator[Position]:
        """Yield the position after each move of a game between perfect players."""
        while not game.is_over(position):
            self._verdict(game, position)
            position = game.after(position, self._perfect.choose(game, position, rng))
            yield position
