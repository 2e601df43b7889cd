"""Counts what a player has achieved: games, wins, winning positions kept, streaks.

The counts are exact: a position counts as winning only if that is proven.
"""

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from typing import TypeVar

from divisorduel.coach.review import Review
from divisorduel.play.events import Seat
from divisorduel.play.match import other

MOST_PERIODS = 20
"""Into how many parts the games are divided to show progress over time."""

K = TypeVar("K", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Tally:
    """How often each player was winning in a game, and how often they stayed winning."""

    winning: tuple[int, int]
    """How often Player 1 and Player 2 were to move in a winning position."""
    kept: tuple[int, int]
    """How often their move kept the win."""
    unproven: int = 0
    """How many moves could not be judged."""

    def mistakes(self, seat: Seat) -> int:
        """Return how often a player gave away a win."""
        return self.winning[seat - 1] - self.kept[seat - 1]


def tally(review: Review) -> Tally:
    """Count the winning positions of a game. To give up in one is to give it away."""
    winning, kept = [0, 0], [0, 0]
    for judgement in review.judgements:
        if judgement.favours == judgement.seat and judgement.mistake is not None:
            winning[judgement.seat - 1] += 1
            kept[judgement.seat - 1] += not judgement.mistake
    if review.gave_up_a_win:
        winning[other(review.record.winner or 1) - 1] += 1
    return Tally((winning[0], winning[1]), (kept[0], kept[1]), len(review.unproven))


@dataclass(frozen=True, slots=True)
class FinishedGame:
    """A finished game against a computer player, from the person's side."""

    key: str
    board: str
    opponent: str
    """The kind of computer player."""
    is_won: bool
    winning: int | None = None
    """In how many winning positions the person was to move; None if that is not known."""
    kept: int = 0
    """How many of these the person kept."""


@dataclass(frozen=True, slots=True)
class Score:
    """Sums over several games."""

    games: int
    wins: int
    judged: int
    """In how many of the games the winning positions are counted."""
    winning: int
    """In how many winning positions the person was to move."""
    kept: int

    @classmethod
    def of(cls, games: Iterable[FinishedGame]) -> "Score":
        """Add up games."""
        listed = [*games]
        judged = [game for game in listed if game.winning is not None]
        return cls(
            games=len(listed),
            wins=sum(game.is_won for game in listed),
            judged=len(judged),
            winning=sum(game.winning or 0 for game in judged),
            kept=sum(game.kept for game in judged),
        )

    @property
    def win_share(self) -> float | None:
        """The share of the games that were won; None without a game."""
        return self.wins / self.games if self.games else None

    @property
    def kept_share(self) -> float | None:
        """The share of the winning positions that were kept; None without one."""
        return self.kept / self.winning if self.winning else None


@dataclass(frozen=True, slots=True)
class Statistics:
    """What a person has achieved against computer players."""

    total: Score
    by_game: dict[str, Score]
    by_board: dict[tuple[str, str], Score]
    """The scores of each game on each board."""
    by_opponent: dict[str, Score]
    streak: int
    """How many of the last games were won in a row."""
    longest_streak: int
    over_time: tuple[Score, ...]
    """The games in parts of about the same size, the oldest first."""


def statistics(games: Sequence[FinishedGame]) -> Statistics:
    """Sum up games that are given in the order in which they were played."""
    runs = [(is_won, len([*run])) for is_won, run in groupby(games, lambda game: game.is_won)]
    streaks = [length for is_won, length in runs if is_won]
    return Statistics(
        total=Score.of(games),
        by_game=_scores(games, lambda game: game.key),
        by_board=_scores(games, lambda game: (game.key, game.board)),
        by_opponent=_scores(games, lambda game: game.opponent),
        streak=streaks[-1] if games and games[-1].is_won else 0,
        longest_streak=max(streaks, default=0),
        over_time=_periods(games),
    )


def _scores(games: Sequence[FinishedGame], key: Callable[[FinishedGame], K]) -> dict[K, Score]:
    """Return the score of each group, the group with the most games first."""
    groups: dict[K, list[FinishedGame]] = {}
    for game in games:
        groups.setdefault(key(game), []).append(game)
    scores = {name: Score.of(group) for name, group in groups.items()}
    return dict(sorted(scores.items(), key=lambda item: -item[1].games))


def _periods(games: Sequence[FinishedGame]) -> tuple[Score, ...]:
    parts = min(MOST_PERIODS, len(games))
    ends = [len(games) * part // parts for part in range(parts + 1)] if parts else [0]
    return tuple(Score.of(games[start:end]) for start, end in pairwise(ends))
