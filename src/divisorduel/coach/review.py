"""Reviews games: which moves were mistakes, what would have won, and what punishes them.

A review is exact, without thresholds: a move is a mistake only if it turns a won position into a
lost one.
"""

from dataclasses import dataclass
from typing import Literal

from divisorduel.play.events import Seat
from divisorduel.play.match import other
from divisorduel.record.check import wrong_number
from divisorduel.record.model import Record
from divisorduel.rules.game import Game
from divisorduel.rules.position import Position
from divisorduel.solve.budget import Budget, OutOfTime
from divisorduel.solve.optimal_play import OptimalPlay, quick_line
from divisorduel.solve.solver import solve
from divisorduel.solve.verdict import Verdict

SECONDS = 60.0
"""The default time limit of a review."""
HORIZON = 3_000
"""How many positions are searched for the shortest line that punishes a mistake."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """The judgement of one move."""

    turn: int
    seat: Seat
    move: int
    favours: Seat | None
    """Who wins under best play before the move; None if unknown."""
    mistake: bool | None
    """Whether the move turned a won position into a lost one; None if unproven."""
    better: tuple[int, ...] = ()
    """The moves that would have won."""
    answer: int | None = None
    """The move that punishes the mistake."""
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
        over = self.record.game.is_over(_last(self.record))
        return not over and self.record.winner is not None and self.favours_end == self._loser

    @property
    def _loser(self) -> Seat | None:
        return None if self.record.winner is None else other(self.record.winner)

    @property
    def wrong_number(self) -> int | None:
        """The number that forfeited the game, if one did."""
        return wrong_number(self.record)


def _last(record: Record) -> Position:
    *_, position = record.positions()
    return position


def review(record: Record, budget: Budget | None = None) -> Review:
    """Review a recorded game. Moves that cannot be judged within the budget are `unproven`."""
    budget = budget or Budget(SECONDS)
    verdicts = [solve(record.game, position, budget) for position in record.positions()]
    favoured = [_favours(verdict, _seat(record, turn)) for turn, verdict in enumerate(verdicts, 1)]
    judgements = tuple(
        _judge(record, turn, verdicts, favoured, budget) for turn in range(1, len(verdicts))
    )
    return Review(record, judgements, favoured[-1], verdicts[-1].winning_moves)


def _seat(record: Record, turn: int) -> Seat:
    return record.first if turn % 2 else other(record.first)


def _favours(verdict: Verdict, to_move: Seat) -> Seat | None:
    winner = verdict.winner
    return None if winner is None else to_move if winner == 1 else other(to_move)


def _judge(
    record: Record,
    turn: int,
    verdicts: list[Verdict],
    favoured: list[Seat | None],
    budget: Budget,
) -> Judgement:
    seat, move = _seat(record, turn), record.moves[turn - 1]
    before, after = favoured[turn - 1], favoured[turn]
    if before == other(seat) or after == seat:
        return Judgement(turn, seat, move, before, mistake=False)
    if before is None or after is None:
        return Judgement(turn, seat, move, before, mistake=None)
    line, shortest = _line(record.game, list(record.positions())[turn], budget)
    return Judgement(
        turn=turn,
        seat=seat,
        move=move,
        favours=before,
        mistake=True,
        better=verdicts[turn - 1].winning_moves,
        answer=line[0] if line else verdicts[turn].winning_moves[0],
        line=line,
        shortest=shortest,
    )


def _line(game: Game, position: Position, budget: Budget) -> tuple[tuple[int, ...], bool]:
    """Return a line that wins a won position, and whether it is the shortest."""
    try:
        return OptimalPlay(game).line(position, Budget(most_positions=HORIZON)), True
    except (OutOfTime, RecursionError):
        pass
    try:
        return quick_line(game, position, budget), False
    except OutOfTime:
        return (), False
