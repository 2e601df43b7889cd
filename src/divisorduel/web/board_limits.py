"""The largest boards that the page can show."""

from divisorduel.rules.errors import BoardError
from divisorduel.rules.game import Game

MOST_NUMBERS = 1_000
HIGHEST = 100_000
LARGEST_NUMBER = 10**15
"""Numbers stay below this, so that JavaScript can represent them exactly."""


def check_showable(chosen: Game) -> Game:
    """Return the game if the page can show its board. Raises `BoardError` otherwise."""
    if (chosen.start().last or 0) >= LARGEST_NUMBER:
        raise BoardError("The page shows numbers of at most 15 digits. Choose a smaller number.")
    if chosen.pool and (chosen.size > HIGHEST or chosen.pool.bit_count() > MOST_NUMBERS):
        raise BoardError(
            f"The page shows boards of at most {MOST_NUMBERS:,} numbers, none above {HIGHEST:,}. "
            "Choose a smaller board."
        )
    return chosen
