"""Puzzles: positions from play with exactly one winning move, graded by difficulty."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from random import Random

from divisorduel.play.players import Judge, LevelPlayer
from divisorduel.rules.game import Game
from divisorduel.rules.position import Position
from divisorduel.solve.budget import Budget, BudgetSpent
from divisorduel.solve.optimal_play import OptimalPlay

LEVELS = range(1, 6)
FEWEST_MOVES = 3
"""The fewest moves that a puzzle offers."""
TRIES = 400
"""How many games are searched for puzzles."""
MOST_POSITIONS = 100
"""How many positions are searched to find the length of a refutation."""
STRENGTHS = range(3, 9)
"""The levels of the players whose games are searched."""


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A position with one winning move."""

    game: Game
    position: Position
    taken: tuple[int, ...]
    """The moves that led to it."""
    solution: int
    tempting: int
    """How many losing moves look as good, because they leave no more answers than the solution."""
    depth: int
    """The length of the longest refutation of a wrong move, as far as it was searched."""

    @property
    def level(self) -> int:
        """The difficulty, from 1 to 5."""
        return min(LEVELS[-1], 1 + (self.tempting + self.depth // 2) // 2)


def puzzle(
    game: Game,
    rng: Random,
    level: int | None = None,
    judge: Judge | None = None,
    *,
    budget: Budget | None = None,
) -> Puzzle | None:
    """Return a puzzle of a level, or of the nearest level found within the budget, or None."""
    budget = budget or Budget()
    judge = judge or Judge(within=budget)
    nearest: Puzzle | None = None
    if not judge.verdict(game, game.start()).proven:
        return None
    with suppress(BudgetSpent):
        for found in _from_play(game, rng, judge, budget):
            if level is None or found.level == level:
                return found
            if nearest is None or abs(found.level - level) < abs(nearest.level - level):
                nearest = found
    return nearest


def _from_play(game: Game, rng: Random, judge: Judge, budget: Budget) -> Iterator[Puzzle]:
    """Yield the puzzles in games between players of medium strength. Raises `BudgetSpent`."""
    seen: set[Position] = set()
    for _ in range(TRIES):
        position, taken = game.start(), list[int]()
        while not game.is_over(position):
            budget.check()
            if taken and position not in seen:
                seen.add(position)
                if found := _as_puzzle(game, position, tuple(taken), judge, budget):
                    yield found
            move = _move(game, position, rng, judge, budget)
            taken.append(move)
            position = game.after(position, move)


def _move(game: Game, position: Position, rng: Random, judge: Judge, budget: Budget) -> int:
    """Choose a move, often a good one, and if possible one that does not end the game."""
    move = LevelPlayer(rng.choice(STRENGTHS), judge).choose(game, position, rng)
    if rng.random() < 0.5 or game.is_over(game.after(position, move)):
        lasting = [
            m
            for m in _ticking(game.moves(position), budget)
            if not game.is_over(game.after(position, m))
        ]
        return rng.choice(lasting or [move])
    return move


def _as_puzzle(
    game: Game, position: Position, taken: tuple[int, ...], judge: Judge, budget: Budget
) -> Puzzle | None:
    verdict = judge.verdict(game, position)
    moves = game.moves(position)
    if not verdict.proven or len(verdict.winning_moves) != 1 or len(moves) < FEWEST_MOVES:
        return None
    [solution] = verdict.winning_moves
    answers = {
        move: game.number_of_moves(game.after(position, move)) for move in _ticking(moves, budget)
    }
    best = answers.pop(solution)
    if best == 0:
        return None  # a move that ends the game at once is too easy
    tempting = sum(count <= best for count in answers.values())
    depth = max(_depth(game, game.after(position, move), budget) for move in answers)
    return Puzzle(game, position, taken, solution, tempting, depth)


def _depth(game: Game, position: Position, budget: Budget) -> int:
    near = Budget(most_positions=MOST_POSITIONS, on_progress=budget.counter())
    try:
        return OptimalPlay(game).length(position, near)
    except BudgetSpent:
        budget.check()
        return 8


def _ticking(moves: Sequence[int], budget: Budget) -> Iterator[int]:
    """Yield moves as long as the budget lasts. Raises `BudgetSpent`."""
    for move in moves:
        budget.tick()
        yield move
