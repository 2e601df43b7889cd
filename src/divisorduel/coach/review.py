"""Reviews games: which moves were mistakes, what would have won, and how they are refuted.

A review is exact: a move is a mistake only if it turns a winning position into a
lost one.
"""

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice
from typing import Literal

from divisorduel.play.events import Seat
from divisorduel.play.match import other
from divisorduel.record.model import Record
from divisorduel.rules.game import Game
from divisorduel.rules.position import Position
from divisorduel.solve.budget import Budget, BudgetSpent
from divisorduel.solve.optimal_play import OptimalPlay, quick_line
from divisorduel.solve.solver import solve
from divisorduel.solve.verdict import Verdict

SECONDS = 60.0
"""The default time limit of a review."""
MOST_POSITIONS = 3_000
"""How many positions are searched for the shortest refutation of a mistake."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """The judgement of one move."""

    turn: int
    seat: Seat
    move: int
    favours: Seat | None
    """Who wins under best play before the move; None if unknown."""
    mistake: bool | None
    """Whether the move turned a winning position into a lost one; None if unproven."""
    better: tuple[int, ...] = ()
    """The moves that would have won."""
    answer: int | None = None
    """The move that refutes the mistake."""
    line: tuple[int, ...] = ()
    """How the game ends from that answer on."""
    shortest: bool = False
    """Whether the line is known to be the shortest."""

    @property
    def code(self) -> Literal["good", "mistake", "unproven"]:
        """A stable word for the judgement."""
        return "unproven" if self.mistake is None else "mistake" if self.mistake else "good"


@dataclass(frozen=True, slots=True)
class Review:
    """A game with a judgement of every move."""

    record: Record
    judgements: tuple[Judgement, ...]
    favours_end: Seat | None
    """Who wins from the last position; None if unknown."""
    winning_at_the_end: tuple[int, ...]
    """The moves that win from the last position."""

    @property
    def mistakes(self) -> tuple[Judgement, ...]:
        """The mistakes."""
        return tuple(judgement for judgement in self.judgements if judgement.mistake)

    @property
    def unproven(self) -> tuple[Judgement, ...]:
        """The moves that could not be judged."""
        return tuple(judgement for judgement in self.judgements if judgement.mistake is None)

    @property
    def gave_up_a_win(self) -> bool:
        """Whether the winning player forfeited."""
        winner = self.record.winner
        if winner is None:
            return False
        [last] = deque(self.record.positions(), 1)
        if self.record.game.is_over(last):
            return False
        return self.favours_end == other(winner)


def review(record: Record, budget: Budget | None = None, *, with_lines: bool = True) -> Review:
    """Review a recorded game. Moves that cannot be judged within the budget are `unproven`.

    Without the refutations of mistakes, a review takes a few milliseconds.
    """
    budget = budget or Budget(SECONDS)
    game, positions = record.game, record.positions()
    before = solve(game, next(positions), budget)
    judgements = []
    # The positions of a large board take much memory, so only one of them is kept at a time.
    for turn, (move, position) in enumerate(zip(record.moves, positions, strict=True), 1):
        after = solve(game, position, budget)
        judgements.append(_judgement(record, turn, move, before, after))
        before = after
    if with_lines and any(judgement.mistake for judgement in judgements):
        judgements = [*_with_lines(record, judgements, budget)]
    favours_end = _favours(before, record.mover(len(judgements) + 1))
    return Review(record, tuple(judgements), favours_end, before.winning_moves)


def _judgement(record: Record, turn: int, move: int, before: Verdict, after: Verdict) -> Judgement:
    seat = record.mover(turn)
    was, now = _favours(before, seat), _favours(after, other(seat))
    safe = was == other(seat) or now == seat
    mistake = False if safe else None if was is None or now is None else True
    judgement = Judgement(turn, seat, move, was, mistake)
    if not mistake:
        return judgement
    return replace(judgement, better=before.winning_moves, answer=after.winning_moves[0])


def _with_lines(record: Record, judgements: list[Judgement], budget: Budget) -> Iterator[Judgement]:
    """Yield the judgements of moves, with refutations of the mistakes."""
    for judgement, position in zip(judgements, islice(record.positions(), 1, None), strict=True):
        line, is_shortest = (
            _line(record.game, position, budget) if judgement.mistake else ((), False)
        )
        if line:
            yield replace(judgement, answer=line[0], line=line, shortest=is_shortest)
        else:
            yield judgement


def _favours(verdict: Verdict, to_move: Seat) -> Seat | None:
    winner = verdict.winner
    return None if winner is None else to_move if winner == 1 else other(to_move)


def _line(game: Game, position: Position, budget: Budget) -> tuple[tuple[int, ...], bool]:
    """Return a line that wins from a winning position, and whether it is the shortest."""
    try:
        near = Budget(most_positions=MOST_POSITIONS, on_progress=budget.counter())
        return OptimalPlay(game).line(position, near), True
    except (BudgetSpent, RecursionError):
        pass
    try:
        return quick_line(game, position, budget), False
    except BudgetSpent:
        return (), False
