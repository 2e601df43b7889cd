"""Computer players: a position goes in, a move comes out. Chance is handed in."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from random import Random
from typing import Protocol

from divisorduel.rules.divisors import ProperDivisors
from divisorduel.rules.errors import DuelError
from divisorduel.rules.game import Game
from divisorduel.rules.position import Position
from divisorduel.solve.optimal_play import OptimalPlay
from divisorduel.solve.solver import solve
from divisorduel.solve.verdict import Budget, OutOfTime, Verdict

HUMAN = "human"
LEVELS = range(1, 11)
KINDS = (HUMAN, "random", "greedy", *map(str, LEVELS), "perfect")

MISTAKES = {
    1: 0.95, 2: 0.80, 3: 0.66, 4: 0.53, 5: 0.42, 6: 0.32, 7: 0.23, 8: 0.15, 9: 0.08, 10: 0.02,
}  # fmt: skip
"""The chance that a level makes a mistake where one can be made."""

SECONDS = 10.0
"""How long a player thinks about a move at most; beyond that it plays what looks good."""
_patience = [SECONDS]
CANDIDATES = 128
"""How many moves are compared in a lost position."""
HORIZON = 60
"""How many positions are looked at to find the longest game."""


GUESS = "(This board is too large to be solved in time: the computer plays what looks good.)"


class UnknownPlayer(DuelError):
    """A player that does not exist."""

    code = "unknown-player"


class Player(Protocol):
    """Whoever chooses moves."""

    def choose(self, game: Game, position: Position, rng: Random) -> int:
        """Return a legal move; there is at least one."""


@dataclass(frozen=True)
class RandomPlayer:
    """Plays any legal move."""

    def choose(self, game: Game, position: Position, rng: Random) -> int:
        """Return any legal move."""
        moves = game.moves(position)
        return moves.draw(rng) if isinstance(moves, ProperDivisors) else rng.choice(moves)


@dataclass(frozen=True)
class GreedyPlayer:
    """Leaves the opponent as few answers as possible, and looks no further."""

    def choose(self, game: Game, position: Position, rng: Random) -> int:
        """Return the move that leaves the fewest answers."""
        return _greediest(game, position, _some(game.moves(position)), rng)


@dataclass(frozen=True)
class PerfectPlayer:
    """Never lets a won position go, and makes a lost one as hard as it can."""

    def choose(self, game: Game, position: Position, rng: Random) -> int:
        """Return a winning move, or the move after which winning is hardest."""
        verdict = judge(game, position)
        if verdict.winning_moves:
            return _greediest(game, position, verdict.winning_moves, rng)
        if not verdict.proven:
            return GreedyPlayer().choose(game, position, rng)
        return rng.choice(toughest(game, position))


@dataclass(frozen=True)
class LevelPlayer:
    """Plays perfectly but for a stated chance of a mistake: the greediest one there is."""

    level: int

    def choose(self, game: Game, position: Position, rng: Random) -> int:
        """Return a mistake with the chance of this level, and otherwise the perfect move."""
        if rng.random() < MISTAKES[self.level]:
            wins = set(judge(game, position).winning_moves)
            losing = [move for move in _some(game.moves(position)) if move not in wins]
            if losing:
                return _greediest(game, position, losing, rng)
        return PerfectPlayer().choose(game, position, rng)


def player(kind: str) -> Player | None:
    """Return the player of a kind, None for a human. Raises `UnknownPlayer`."""
    plain: dict[str, Callable[[], Player]] = {
        "random": RandomPlayer,
        "greedy": GreedyPlayer,
        "perfect": PerfectPlayer,
    }
    if kind == HUMAN:
        return None
    if kind in plain:
        return plain[kind]()
    if kind not in KINDS:
        raise UnknownPlayer(f"{kind!r} is no player: there are {', '.join(KINDS)}.")
    return LevelPlayer(int(kind))


def be_patient_for(seconds: float) -> None:
    """Let the players of this process think so long at most; for programs that serve many."""
    _patience[0] = seconds


@lru_cache(maxsize=20_000)
def judge(game: Game, position: Position) -> Verdict:
    """Return the verdict on a position, in the time a player has."""
    return solve(game, position, Budget(_patience[0]))


def is_guess(chooser: Player, game: Game, position: Position) -> bool:
    """Tell whether a player that is meant to know the best move could not prove it in time."""
    knows = isinstance(chooser, PerfectPlayer | LevelPlayer)
    return knows and not judge(game, position).proven


def toughest(game: Game, position: Position) -> list[int]:
    """Return the best moves of a lost position.

    They leave the smallest share of answers that win, and of those, as far as it can be seen, the
    longest game.
    """
    limit = Budget(_patience[0])
    shares: dict[int, float] = {}
    for move in _some(game.moves(position)):
        shares[move] = _share(game, position, move)
        if limit.is_over():
            break
    least = min(shares.values())
    best = [move for move, share in shares.items() if share == least]
    return _longest(game, position, best)


def _share(game: Game, position: Position, move: int) -> float:
    after = game.after(position, move)
    answers = game.number_of_moves(after)
    return len(judge(game, after).winning_moves) / answers if answers else 0.0


def _longest(game: Game, position: Position, moves: list[int]) -> list[int]:
    if len(moves) == 1:
        return moves
    lines, budget = OptimalPlay(game), Budget(most_positions=HORIZON)
    try:
        lengths = {m: lines.length(game.after(position, m), budget) for m in moves}
    except OutOfTime:
        return moves
    return [move for move in moves if lengths[move] == max(lengths.values())]


def _greediest(game: Game, position: Position, moves: Iterable[int], rng: Random) -> int:
    answers = {move: game.number_of_moves(game.after(position, move)) for move in moves}
    fewest = min(answers.values())
    return rng.choice([move for move in answers if answers[move] == fewest])


def _some(moves: Sequence[int]) -> Sequence[int]:
    """Return the moves, or the first and the last ones where there are very many."""
    if len(moves) <= CANDIDATES:
        return moves
    half = CANDIDATES // 2
    return [*(moves[i] for i in range(half)), *(moves[-i] for i in range(half, 0, -1))]
