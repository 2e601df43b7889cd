"""Computer players. The caller passes in the random numbers and the time limit."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import islice
from random import Random

from divisorduel.rules.errors import DuelError, one_of
from divisorduel.rules.game import Game
from divisorduel.rules.position import Position
from divisorduel.solve.budget import Budget, OutOfTime
from divisorduel.solve.optimal_play import OptimalPlay
from divisorduel.solve.solver import solve
from divisorduel.solve.verdict import Verdict

MISTAKES = {
    1: 0.95, 2: 0.80, 3: 0.66, 4: 0.53, 5: 0.42, 6: 0.32, 7: 0.23, 8: 0.15, 9: 0.08, 10: 0.02,
}  # fmt: skip
"""By level: the chance of a mistake in a position where one is possible."""

SECONDS = 10.0
"""How long a player may think about a move by default."""
CANDIDATES = 128
"""How many moves are compared in positions with very many."""
HORIZON = 60
"""How many positions are searched for the longest game."""
MOST_CACHED = 20_000


class UnknownPlayer(DuelError):
    """A kind of player that does not exist."""

    code = "unknown-player"


class Judge:
    """Solves positions within a time limit, and caches the verdicts."""

    def __init__(self, seconds: float = SECONDS, within: Budget | None = None) -> None:
        """Limit the time for each position and, with `within`, for all of them together."""
        self.seconds = seconds
        self._within = within
        self._cache: dict[tuple[Game, Position], Verdict] = {}

    def budget(self) -> Budget:
        """Return the budget for one position."""
        count = None if self._within is None else self._within.counter()
        return Budget(self.seconds, on_progress=count)

    def verdict(self, game: Game, position: Position) -> Verdict:
        """Return the verdict on a position; it is not proven if the time ran out."""
        key = game, position
        if key not in self._cache:
            if len(self._cache) >= MOST_CACHED:
                self._cache.clear()
            self._cache[key] = solve(game, position, self.budget())
        return self._cache[key]

    def best_move(self, game: Game, position: Position) -> int | None:
        """Return a winning move or the hardest one to beat; None without a move or a proof."""
        verdict = self.verdict(game, position)
        if verdict.winning_moves:
            answers = _answers(game, position, _candidates(verdict.winning_moves))
            return min(answers, key=lambda move: (answers[move], move))
        if not verdict.proven or game.is_over(position):
            return None
        return min(self.hardest_moves(game, position))

    def hardest_moves(self, game: Game, position: Position) -> list[int]:
        """Return the moves of a lost position that are the hardest to beat.

        They leave the smallest share of winning answers and, as far as the search sees, the
        longest game.
        """
        limit = self.budget()
        shares: dict[int, float] = {}
        for move in _candidates(game.moves(position)):
            after = game.after(position, move)
            answers, wins = game.number_of_moves(after), self.verdict(game, after).winning_moves
            shares[move] = len(wins) / answers if answers else 0.0
            if limit.is_over():
                break
        least = min(shares.values())
        return _longest(game, position, [move for move in shares if shares[move] == least])


class Player(ABC):
    """Chooses moves."""

    @abstractmethod
    def choose(self, game: Game, position: Position, rng: Random) -> int:
        """Return a legal move; there is at least one."""

    def is_guessing(self, game: Game, position: Position) -> bool:
        """Tell whether the player meant to find the best move but ran out of time."""
        return False


class RandomPlayer(Player):
    """Plays any legal move."""

    def choose(self, game: Game, position: Position, rng: Random) -> int:
        """Return any legal move."""
        return game.random_move(position, rng)


class GreedyPlayer(Player):
    """Leaves the opponent as few answers as possible, and looks no further."""

    def choose(self, game: Game, position: Position, rng: Random) -> int:
        """Return the move that leaves the fewest answers."""
        return _greediest(game, position, _candidates(game.moves(position)), rng)


class PerfectPlayer(Player):
    """Wins every won position, and is as hard to beat as possible in a lost one."""

    def __init__(self, judge: Judge | None = None) -> None:
        self.judge = judge or Judge()

    def choose(self, game: Game, position: Position, rng: Random) -> int:
        """Return a winning move, or the move that is hardest to beat."""
        verdict = self.judge.verdict(game, position)
        if verdict.winning_moves:
            return _greediest(game, position, _candidates(verdict.winning_moves), rng)
        if not verdict.proven:
            return GreedyPlayer().choose(game, position, rng)
        return rng.choice(self.judge.hardest_moves(game, position))

    def is_guessing(self, game: Game, position: Position) -> bool:
        """Tell whether the position could not be solved in time."""
        return not self.judge.verdict(game, position).proven


class LevelPlayer(PerfectPlayer):
    """Plays perfectly except for a chance of a mistake: the greediest losing move."""

    def __init__(self, level: int, judge: Judge | None = None) -> None:
        super().__init__(judge)
        self.level = level

    def choose(self, game: Game, position: Position, rng: Random) -> int:
        """Make a mistake with the chance of this level; otherwise return the perfect move."""
        if rng.random() < MISTAKES[self.level]:
            wins = set(self.judge.verdict(game, position).winning_moves)
            losing = [move for move in _candidates(game.moves(position)) if move not in wins]
            if losing:
                return _greediest(game, position, losing, rng)
        return super().choose(game, position, rng)


HUMAN = "human"
PLAYERS: dict[str, Callable[[Judge], Player]] = {
    "random": lambda _: RandomPlayer(),
    "greedy": lambda _: GreedyPlayer(),
    **{str(level): partial(LevelPlayer, level) for level in MISTAKES},
    "perfect": PerfectPlayer,
}
"""The computer players by kind. A new player needs an entry here and nothing else."""
KINDS = (HUMAN, *PLAYERS)


def player(kind: str, judge: Judge | None = None) -> Player | None:
    """Return a computer player of a kind, or None for a human. Raises `UnknownPlayer`."""
    if kind not in KINDS:
        named = [known for known in KINDS if not known.isdigit()]
        known = one_of([*named, f"a level from {min(MISTAKES)} to {max(MISTAKES)}"])
        raise UnknownPlayer(f"Unknown player {kind!r}. Choose {known}.")
    return None if kind == HUMAN else PLAYERS[kind](judge or Judge())


def _longest(game: Game, position: Position, moves: list[int]) -> list[int]:
    if len(moves) == 1:
        return moves
    play, budget = OptimalPlay(game), Budget(most_positions=HORIZON)
    try:
        lengths = {move: play.length(game.after(position, move), budget) for move in moves}
    except OutOfTime:
        return moves
    return [move for move in moves if lengths[move] == max(lengths.values())]


def _answers(game: Game, position: Position, moves: Iterable[int]) -> dict[int, int]:
    """Return how many answers each move leaves."""
    return {move: game.number_of_moves(game.after(position, move)) for move in moves}


def _greediest(game: Game, position: Position, moves: Iterable[int], rng: Random) -> int:
    answers = _answers(game, position, moves)
    fewest = min(answers.values())
    return rng.choice([move for move in answers if answers[move] == fewest])


def _candidates(moves: Sequence[int]) -> Sequence[int]:
    """Return all moves, or the first and the last ones if there are very many."""
    if len(moves) <= CANDIDATES:
        return moves
    half = CANDIDATES // 2
    # Not by index: that would list all divisors of a number each time.
    return [*islice(moves, half), *[*islice(reversed(moves), half)][::-1]]
