"""Computer players. The caller passes in the random numbers and the time limit."""

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from random import Random
from typing import Self

from divisorduel.rules.errors import DuelError, one_of
from divisorduel.rules.game import Game
from divisorduel.rules.position import Position
from divisorduel.solve.budget import Budget, BudgetSpent
from divisorduel.solve.optimal_play import OptimalPlay
from divisorduel.solve.solver import solve
from divisorduel.solve.verdict import Verdict


@dataclass(frozen=True, slots=True)
class Skill:
    """How a level chooses its moves: now and then perfectly, otherwise like a person in a hurry."""

    insight: float
    """The chance of the perfect move."""
    attention: float
    """The chance of noticing that the smallest number ends the game; it falls for larger ones."""
    greed: float
    """The chance of comparing two moves, and taking the one that leaves fewer answers."""
    is_wary: bool = True
    """Whether it avoids a move if it sees that the opponent could then win at once."""


LEVELS = {
    1: Skill(0.00, 0.20, 0.0, is_wary=False),
    2: Skill(0.06, 0.20, 0.1),
    3: Skill(0.14, 0.24, 0.2),
    4: Skill(0.23, 0.28, 0.3),
    5: Skill(0.33, 0.34, 0.4),
    6: Skill(0.44, 0.40, 0.5),
    7: Skill(0.57, 0.48, 0.6),
    8: Skill(0.71, 0.58, 0.7),
    9: Skill(0.84, 0.70, 0.8),
    10: Skill(0.95, 0.85, 0.9),
}
"""The skill of each level. Level 1 plays at random, but takes some of its chances to win."""

SECONDS = 10.0
"""How long a player may think about a move by default."""
CANDIDATES = 128
"""How many moves are compared in positions with very many."""
MOST_POSITIONS = 60
"""How many positions are searched for the longest game."""
VIEW = 12
"""How many moves a level thinks about when it plays like a person."""
MOST_CACHED = 20_000


class UnknownPlayer(DuelError):
    """A kind of player that does not exist."""

    code = "unknown-player"


class PlayerFault(DuelError):
    """A player that failed to choose a move, such as an engine that crashed.

    `fault` names what went wrong in a word that never changes; `last_words` is what the program
    wrote last, for its author.
    """

    code = "player-fault"

    def __init__(self, fault: str, reason: str, last_words: str = "") -> None:
        super().__init__(reason)
        self.fault = fault
        self.last_words = last_words

    def __reduce__(self) -> tuple[type[Self], tuple[str, str, str]]:
        """Make the fault picklable, so that it can be sent to another process."""
        return type(self), (self.fault, str(self), self.last_words)


class PlayerResigned(DuelError):
    """A player that gives up the game instead of choosing a move."""

    code = "player-resigned"


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

    def has_failed(self, game: Game, position: Position) -> bool:
        """Tell whether the time ran out when this position was judged; it is not judged now."""
        verdict = self._cache.get((game, position))
        return verdict is not None and not verdict.proven

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
        hardest = [move for move in shares if shares[move] == least]
        return _longest(game, position, hardest, limit)


class Player(ABC):
    """Chooses moves."""

    @abstractmethod
    def choose(self, game: Game, position: Position, rng: Random) -> int:
        """Return a legal move; there is at least one.

        A program outside our own may raise `PlayerFault` or `PlayerResigned`.
        """

    def plays(self, key: str) -> bool:
        """Tell whether the player can play a game. Our own players play all of them."""
        return True

    def remarks(self) -> tuple[str, ...]:
        """Return what the player has said since this was last called."""
        return ()

    def close(self) -> None:
        """Release what the player holds, even while it is choosing a move."""
        return

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
        return rng.choice(greediest_moves(game, position))


class PerfectPlayer(Player):
    """Wins from every winning position, and is as hard to beat as possible in a lost one."""

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
    """Plays with the skill of a level: short-sighted, greedy, and blind to some large numbers."""

    def __init__(self, level: int, judge: Judge | None = None) -> None:
        super().__init__(judge)
        self.skill = LEVELS[level]

    def choose(self, game: Game, position: Position, rng: Random) -> int:
        """Return the perfect move with the chance of this level, otherwise one like a person's."""
        if rng.random() < self.skill.insight:
            return super().choose(game, position, rng)
        moves, wins = self._glance(game, position, rng)
        if wins:
            return rng.choice(wins)
        if self.skill.is_wary:
            moves = [
                move for move in moves if not self._glance(game, game.after(position, move), rng)[1]
            ] or moves
        compared = 2 if rng.random() < self.skill.greed else 1
        return _greediest(game, position, rng.sample(moves, min(compared, len(moves))), rng)

    def is_guessing(self, game: Game, position: Position) -> bool:
        """Tell whether the last move here should have been perfect, but was not found in time."""
        return self.judge.has_failed(game, position)

    def _glance(self, game: Game, position: Position, rng: Random) -> tuple[list[int], list[int]]:
        """Return a few moves, ascending, and those of them that are seen to end the game."""
        moves = _few(game, position, rng)
        chances = [self.skill.attention ** (1 + at / len(moves)) for at in range(len(moves))]
        noticed = [
            move for move, chance in zip(moves, chances, strict=True) if rng.random() < chance
        ]
        return moves, [move for move in noticed if game.is_over(game.after(position, move))]


HUMAN = "human"
PLAYERS: dict[str, Callable[[Judge], Player]] = {
    "random": lambda _: RandomPlayer(),
    "greedy": lambda _: GreedyPlayer(),
    **{str(level): partial(LevelPlayer, level) for level in LEVELS},
    "perfect": PerfectPlayer,
}
"""The computer players by kind. A new player needs an entry here and nothing else."""
KINDS = (HUMAN, *PLAYERS)
BOT = "bot"
"""The kind of an engine: a program that speaks our protocol. A server adds its name: `bot:NAME`."""
_BOT = re.compile(r"bot(:[A-Za-z0-9][A-Za-z0-9._-]{0,39})?", re.ASCII)


def is_bot(kind: str) -> bool:
    """Tell whether a kind is that of an engine."""
    return _BOT.fullmatch(kind) is not None


def is_kind(kind: str) -> bool:
    """Tell whether a player can be of a kind."""
    return kind in KINDS or is_bot(kind)


def player(kind: str, judge: Judge | None = None) -> Player | None:
    """Return a computer player of a kind, or None for a human. Raises `UnknownPlayer`."""
    if kind.partition(":")[0] == BOT:
        raise UnknownPlayer(
            "An engine cannot be chosen here. Name it when you start a game: "
            "duel play GAME --p2 bot:COMMAND"
        )
    if kind not in KINDS:
        named = [known for known in KINDS if not known.isdigit()]
        known = one_of([*named, f"a level from {min(LEVELS)} to {max(LEVELS)}"])
        raise UnknownPlayer(f"Unknown player {kind!r}. Choose {known}.")
    return None if kind == HUMAN else PLAYERS[kind](judge or Judge())


def greediest_moves(game: Game, position: Position) -> list[int]:
    """Return the moves that leave the fewest answers; there is at least one."""
    return _least(_answers(game, position, _candidates(game.moves(position))))


def _longest(game: Game, position: Position, moves: list[int], limit: Budget) -> list[int]:
    if len(moves) == 1:
        return moves
    play = OptimalPlay(game)
    budget = Budget(most_positions=MOST_POSITIONS, on_progress=lambda _: limit.check())
    try:
        lengths = {move: play.length(game.after(position, move), budget) for move in moves}
    except BudgetSpent:
        return moves
    return [move for move in moves if lengths[move] == max(lengths.values())]


def _answers(game: Game, position: Position, moves: Iterable[int]) -> dict[int, int]:
    """Return how many answers each move leaves."""
    return {move: game.number_of_moves(game.after(position, move)) for move in moves}


def _greediest(game: Game, position: Position, moves: Iterable[int], rng: Random) -> int:
    return rng.choice(_least(_answers(game, position, moves)))


def _least(answers: dict[int, int]) -> list[int]:
    fewest = min(answers.values())
    return [move for move in answers if answers[move] == fewest]


def _few(game: Game, position: Position, rng: Random) -> list[int]:
    """Return a few moves in ascending order; all moves are equally likely to be among them."""
    if game.number_of_moves(position) <= VIEW:
        return [*game.moves(position)]
    return sorted({game.random_move(position, rng) for _ in range(VIEW)})


def _candidates(moves: Sequence[int]) -> Sequence[int]:
    """Return all moves, or the first and the last ones if there are very many."""
    if len(moves) <= CANDIDATES:
        return moves
    half = CANDIDATES // 2
    # Not by index: that would list all divisors of a number each time.
    return [*islice(moves, half), *[*islice(reversed(moves), half)][::-1]]
