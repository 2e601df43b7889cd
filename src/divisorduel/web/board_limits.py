"""The boards that a page can show, and a server can serve."""

from divisorduel.rules.errors import BoardError
from divisorduel.rules.game import Game

MOST_NUMBERS = 1_000
HIGHEST = 100_000
LARGEST_NUMBER = 10**15
"""Numbers stay below this, so that every program and every browser reads them exactly."""


def shown_here(chosen: Game) -> Game:
    """Return a game whose board a page can show. Raises `BoardError` for any other."""
    if (chosen.start().last or 0) >= LARGEST_NUMBER:
        raise BoardError("On the page, numbers have at most 15 digits.")
    if chosen.pool and (chosen.size > HIGHEST or chosen.pool.bit_count() > MOST_NUMBERS):
        raise BoardError(
            f"On the page, a board has at most {MOST_NUMBERS} numbers, none above {HIGHEST}."
        )
    return chosen
