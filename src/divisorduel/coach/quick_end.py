"""Boards on which the first move can end the game, and a board that gives a longer one."""

from dataclasses import dataclass, replace
from itertools import islice

from divisorduel.rules.errors import BoardError
from divisorduel.rules.game import Game
from divisorduel.rules.position import Position

MOST_TRIED = 128
"""How many of the smallest and of the largest first moves are tried: small primes, and primes
above half the board, are among them."""


@dataclass(frozen=True, slots=True)
class QuickEnd:
    """The player who starts can win with the first move."""

    game: Game
    move: int
    """A first move that leaves no answer."""
    is_certain: bool
    """Whether every first move leaves no answer."""
    longer: Game | None
    """A game by the same rule book that takes longer, if its book suggests one."""


def quick_end(game: Game, start: Position | None = None) -> QuickEnd | None:
    """Return how the first move can end a game; None if it cannot, or if no move is legal."""
    position = game.start() if start is None else start
    moves = game.moves(position)
    tried = {*islice(moves, MOST_TRIED), *islice(reversed(moves), MOST_TRIED)}
    ends = [move for move in tried if game.is_over(game.after(position, move))]
    if not ends:
        return None
    is_certain = len(ends) == game.number_of_moves(position)
    # From a position that the players agreed on, there is nothing else to suggest.
    longer = None if start not in (None, game.start()) else _longer(game, is_certain=is_certain)
    return QuickEnd(game, min(ends), is_certain, longer)


def _longer(game: Game, *, is_certain: bool) -> Game | None:
    try:
        suggested = replace(game, **game.book.first_board)  # type: ignore[type-var]  # a dataclass
    except BoardError:
        return None
    found = quick_end(suggested, None) if suggested != game else None
    if suggested == game or (found is not None and (found.is_certain or not is_certain)):
        return None
    return suggested
