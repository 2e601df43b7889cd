"""The work on a table, split into tasks that any process on any machine can do."""

import time
from collections.abc import Callable, Container, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Self

from divisorduel.lab.executors.executor import Failure as Failure
from divisorduel.lab.series import Series
from divisorduel.lab.table import Row
from divisorduel.rules.catalogue import rule_book
from divisorduel.rules.game import Game
from divisorduel.solve.budget import Budget
from divisorduel.solve.solver import solve, solver_for

Piece = tuple[int, int | None]
"""A board by its largest number, and one of its first moves; None means the whole board."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What one task may use."""

    seconds: float | None = None
    memory: int | None = None
    threads: int = 1


@dataclass(frozen=True, slots=True)
class BoardTask:
    """Solve a board, or the position after one of its first moves.

    If it `is_part`, the board is larger, and only its numbers up to n are in play.
    """

    key: str
    board: str
    n: int
    move: int | None
    limits: Limits
    nimbers: bool = True
    is_part: bool = False

    @property
    def piece(self) -> Piece:
        """The piece of the table that it solves."""
        return self.n, self.move

    @property
    def name(self) -> str:
        """A name for logs."""
        return f"{self.key}-{self.n}-{self.move or 'all'}"

    def within(self, memory: int | None) -> Self:
        """Return the task with a limit on its memory, unless it has one."""
        if self.limits.memory is not None:
            return self
        return replace(self, limits=replace(self.limits, memory=memory))

    def work(self, on_progress: Callable[[int], None] | None = None) -> "TaskResult":
        """Solve it."""
        return work(self, on_progress)


TaskResult = Row | Failure


def work(task: BoardTask, on_progress: Callable[[int], None] | None = None) -> TaskResult:
    """Solve a task, and return the row of its position."""
    game = _opened(task.key, task.board)
    position = game.start()
    if task.is_part:
        position = replace(position, playable=position.playable & (1 << task.n + 1) - 1)
    if task.move is not None:
        position = game.after(position, task.move)
    limits = task.limits
    budget = Budget(
        limits.seconds, memory=limits.memory, threads=limits.threads, on_progress=on_progress
    )
    began = time.perf_counter()
    verdict = solve(game, position, budget, nimber=task.nimbers)
    took = round(time.perf_counter() - began, 3)
    if not verdict.proven and not budget.is_over():
        return Failure("the board is too large to solve")
    return Row.of(task.n, verdict, game.number_of_moves(position), took)


@lru_cache(maxsize=1)
def _opened(key: str, board: str) -> Game:
    """Return a game, and clear the cache of the previous one, which is not needed again."""
    game = rule_book(key).on_board(board)
    solver_for(game).clear_cache()
    return game


def tasks_of(
    series: Series,
    done: Container[Piece],
    limits: Limits,
    *,
    split: bool = False,
    together: bool = False,
) -> Iterator[BoardTask]:
    """Yield the tasks that are not done, one for each first move if boards are to be `split`.

    Small boards come first: an interrupted table is then complete up to some board, and most of the
    memory is needed last. With large boards first, the processes would finish at more nearly the
    same time, but an interrupted table would be of little use.

    If boards are solved `together`, they are parts of the largest one, so that one process can
    reuse the positions it has solved.
    """
    largest = series.game(series.last).board
    for n in series.numbers:
        if (n, None) in done:
            continue
        game = series.game(n)
        moves = game.moves(game.start()) if split else ()
        for move in moves or (None,):
            if (n, move) not in done:
                board = largest if together else game.board
                yield BoardTask(series.key, board, n, move, limits, series.nimbers, together)
