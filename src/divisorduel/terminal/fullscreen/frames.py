"""A match as it was after an earlier turn, or as it would be after other moves."""

from collections.abc import Iterable
from dataclasses import replace
from functools import reduce

from divisorduel.play.events import NumberTaken, RoundBegan
from divisorduel.play.match import Match


def after_turn(match: Match, turn: int) -> Match:
    """Return the match after a turn of its last round; turn 0 is before the first move."""
    current = match.current
    begun = replace(match, played=match.played[:-1]).after(RoundBegan(current.starter))
    return with_moves(begun, current.moves[:turn])


def with_moves(match: Match, moves: Iterable[int]) -> Match:
    """Return the match after some more moves."""
    return reduce(lambda at, move: at.after(NumberTaken(move)), moves, match)
