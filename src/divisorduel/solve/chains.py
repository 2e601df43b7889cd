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
from divisorduel.rules.pool import PoolGame
from divisorduel.rules.position import Position
from divisorduel.solve.matching import Matching, maximum_matching
from divisorduel.solve.verdict import Budget, OutOfTime, Verdict, proven, unproven

METHOD = "maximum matching"
MOST_KEPT = 500_000
"""How many numbers the matchings that are remembered may have between them."""


def solve_chain(game: PoolGame, position: Position, budget: Budget) -> Verdict:
    """Return the verdict on a position of a chain game."""
    try:
        matching = matching_of(game, position.playable, budget)
    except OutOfTime:
        return unproven((), METHOD, budget)
    missable = matching.missable
    winning = (move for move in members(game.legal(position)) if move in missable)
    return proven(winning, METHOD, budget)


def matching_of(game: PoolGame, playable: int, budget: Budget) -> Matching:
    """Return a maximum matching of the playable numbers. Raises `OutOfTime`."""
    known = _known(game)
    if playable not in known:
        if len(known) * playable.bit_count() > MOST_KEPT:
            known.clear()
        budget.check()
        graph = game.neighbours(playable, budget.tick)
        known[playable] = maximum_matching(graph, budget)
    return known[playable]


@lru_cache(maxsize=8)
def _known(_game: PoolGame) -> dict[int, Matching]:
    """Return the matchings worked out for a game: in play they are asked for again and again."""
    return {}
