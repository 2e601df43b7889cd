"""What a list shows about a match, without reading its file."""

import json
import re
from collections.abc import Sequence
from dataclasses import astuple, dataclass
from typing import Self

from divisorduel.coach.statistics import FinishedGame, Tally
from divisorduel.play.events import Seat
from divisorduel.play.match import other
from divisorduel.play.players import HUMAN
from divisorduel.record.model import RecordError
from divisorduel.record.reader import parse_records

Winners = tuple[Seat | None, ...]
Tallies = tuple[Tally | None, ...]
"""The tally of each round; None if it is not finished or has not been judged."""


@dataclass(frozen=True, slots=True)
class MatchSummary:
    """What the tags of a match file say. The moves are not checked."""

    key: str
    board: str
    has_own_start: bool
    """Whether the rounds begin at a position that the players chose."""
    names: tuple[str, str]
    kinds: tuple[str, str]
    rounds: int
    series: int
    """How many rounds a rematch adds."""
    winners: Winners
    """Who won each round that has begun; None for one that is not finished."""
    move_count: int
    """How many moves the last round has."""

    @classmethod
    def of(cls, content: bytes) -> Self:
        """Summarise the content of a match file. Raises `RecordError`."""
        records = parse_records(content)
        first, last = records[0], records[-1]
        for name in ("Game", "Board"):
            if not first.tag(name):
                raise RecordError(f"the tag {name} is missing.", first.tags[0].at)
        rounds = _count(last.tag("Rounds"), 1)
        return cls(
            key=first.tag("Game"),
            board=first.tag("Board"),
            has_own_start=bool(first.tag("Start")),
            names=first.names,
            kinds=first.kinds,
            rounds=rounds,
            series=_count(last.tag("Series"), rounds),
            winners=tuple(record.winner for record in records),
            move_count=len(last.moves),
        )

    @property
    def is_over(self) -> bool:
        """Whether the last round has been won; a rematch without a move does not count."""
        if self.winners[-1] is not None:
            return len(self.winners) >= self.rounds
        is_rematch = len(self.winners) == self.rounds - self.series + 1 > 1
        return is_rematch and not self.move_count

    @property
    def person(self) -> Seat | None:
        """The seat of the only person, or None if there are two or none."""
        one, two = (kind == HUMAN for kind in self.kinds)
        return None if one == two else 1 if one else 2

    @property
    def has_person(self) -> bool:
        """Whether a person plays, not just two computers."""
        return HUMAN in self.kinds

    @property
    def score(self) -> tuple[int, int]:
        """The rounds won by Player 1 and by Player 2."""
        return self.winners.count(1), self.winners.count(2)

    @property
    def is_won(self) -> bool:
        """Whether the match is over, and its only person has won it."""
        seat = self.person
        if seat is None or not self.is_over:
            return False
        return self.score[seat - 1] > self.score[other(seat) - 1]

    def finished_games(self, tallies: Tallies) -> list[FinishedGame]:
        """Return the finished rounds of a person against a computer player; otherwise nothing."""
        seat = self.person
        if seat is None:
            return []
        board = f"{self.board} (set up)" if self.has_own_start else self.board
        games = []
        for winner, tally in zip(self.winners, tallies, strict=True):
            if winner is not None:
                game = FinishedGame(
                    self.key,
                    board,
                    self.kinds[other(seat) - 1],
                    winner == seat,
                    None if tally is None else tally.winning[seat - 1],
                    0 if tally is None else tally.kept[seat - 1],
                )
                games.append(game)
        return games


def _count(text: str, otherwise: int) -> int:
    return int(text) if re.fullmatch("[0-9]{1,9}", text) else otherwise


def not_judged(summary: MatchSummary) -> Tallies:
    """Return the tallies of a match that has not been judged."""
    return (None,) * len(summary.winners)


def summary_to_json(summary: MatchSummary) -> str:
    """Write a summary for the index."""
    return json.dumps(astuple(summary))


def summary_from_json(text: str) -> MatchSummary:
    """Read what `summary_to_json` wrote."""
    key, board, has_own_start, names, kinds, rounds, series, winners, moves = json.loads(text)
    return MatchSummary(
        key, board, has_own_start, tuple(names), tuple(kinds), rounds, series, tuple(winners), moves
    )


def tallies_to_json(tallies: Sequence[Tally | None]) -> str:
    """Write tallies for the index."""
    found = [tally and [*tally.winning, *tally.kept, tally.unproven] for tally in tallies]
    return json.dumps(found)


def tallies_from_json(text: str) -> Tallies:
    """Read what `tallies_to_json` wrote."""
    return tuple(
        found and Tally((found[0], found[1]), (found[2], found[3]), found[4])
        for found in json.loads(text)
    )
