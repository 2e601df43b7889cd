"""Looks back at a game: which moves gave it away, what would have won, and what punishes them.

It is exact, so there are no thresholds: a move is a mistake only if it turns a won position into
a lost one, and nothing is blamed on a player who was lost already.
"""

from dataclasses import dataclass

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
"""How long a review takes at most, unless told otherwise."""
HORIZON = 3_000
"""How many positions are looked at to find the shortest way to punish a mistake."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """What is to be said of a move."""

    turn: int
    seat: Seat
    move: int
    favours: Seat | None
    """Who would win with best play before the move, None if that is not known."""
    mistake: bool | None
    """Whether it turned a won position into a lost one; None if that could not be proven."""
    better: tuple[int, ...] = ()
    """The moves that would have won."""
    answer: int | None = None
    """The move that punishes the mistake."""
    line: tuple[int, ...] = ()
    """How the game would end, from that answer on."""
    shortest: bool = False
    """Whether the line is known to be the shortest."""


@dataclass(frozen=True, slots=True)
class Review:
    """A game and what is to be said of it."""

    record: Record
    judgements: tuple[Judgement, ...]
    favours_end: Seat | None
    """Who wins from the last position, if that is known."""
    winning_at_the_end: tuple[int, ...]
    """The moves that win from the last position."""

    @property
    def mistakes(self) -> tuple[Judgement, ...]:
        """The moves that gave the game away."""
        return tuple(judgement for judgement in self.judgements if judgement.mistake)

    @property
    def unproven(self) -> tuple[Judgement, ...]:
        """The moves of which it is not known whether they were mistakes."""
        return tuple(judgement for judgement in self.judgements if judgement.mistake is None)

    @property
    def gave_up_a_win(self) -> bool:
        """Whether the game was forfeited by the player who was winning."""
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
    """Review a recorded game; what cannot be proven within the budget is not judged."""
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
    """Return how a won position is won, and whether it cannot be done faster."""
    try:
        return OptimalPlay(game).line(position, Budget(most_positions=HORIZON)), True
    except (OutOfTime, RecursionError):
        pass
    try:
        return quick_line(game, position, budget), False
    except OutOfTime:
        return (), False
