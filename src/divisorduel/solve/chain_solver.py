"""Chain games, solved by maximum matchings.

Undirected vertex geography: a player moves a token to a neighbour of where it is, and the number
left behind is gone. The player to move wins iff every maximum matching covers the token's number
(Fraenkel, Scheinerman and Ullman, "Undirected edge geography", 1993). So a move wins iff some
maximum matching of the playable numbers misses the number moved to: afterwards, answer every
number with its partner in that matching. A partner is always there, for otherwise the matching
could be enlarged.
"""

from functools import lru_cache

from divisorduel.rules.numbers import members
from divisorduel.rules.pool_game import PoolGame
from divisorduel.rules.position import Position
from divisorduel.solve.budget import Budget, OutOfTime
from divisorduel.solve.matching import Column, Matching, maximum_matching
from divisorduel.solve.native.kernel import KERNEL
from divisorduel.solve.native.native_matching import match_natively
from divisorduel.solve.verdict import Verdict, proven, unproven

METHOD = "maximum matching"
MOST_KEPT = 500_000
"""How many numbers the matchings that are remembered may have between them."""


def solve_chain(game: PoolGame, position: Position, budget: Budget) -> Verdict:
    """Return the verdict on a position of a chain game."""
    try:
        matching = matching_of(game, position, budget)
    except OutOfTime:
        return unproven((), METHOD, budget)
    return proven(members(game.legal(position) & matching.missable), METHOD, budget)


def matching_of(game: PoolGame, position: Position, budget: Budget) -> Matching:
    """Return a maximum matching of the playable numbers. Raises `OutOfTime`.

    If it is known for the position before the last move, it is only repaired.
    """
    known = _known(game)
    playable = position.playable
    if playable not in known:
        budget.check()
        match = match_in_python if KERNEL is None else match_natively
        found = match(game, playable, budget, _start(known, position))
        if len(known) * playable.bit_count() > MOST_KEPT:
            known.clear()
        known[playable] = found
    return known[playable]


def match_in_python(
    game: PoolGame, playable: int, budget: Budget, start: Column | None = None
) -> Matching:
    """Return a maximum matching of the playable numbers. Raises `OutOfTime`."""
    return maximum_matching(game.neighbours(playable, budget.tick), budget, start)


def _start(known: dict[int, Matching], position: Position) -> Column | None:
    """Return what the last move has left of the matching before it, if that is known."""
    if position.last is None:
        return None
    before = known.get(position.playable | 1 << position.last)
    return None if before is None else before.without(position.last)


@lru_cache(maxsize=8)
def _known(_game: PoolGame) -> dict[int, Matching]:
    """Return the matchings worked out for a game: in play they are asked for again and again."""
    return {}
