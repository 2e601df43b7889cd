"""Lists of numbers and words in a sentence."""

from collections.abc import Sequence

MOST_NAMED = 5
"""A list with more numbers is cut short."""


def listing(words: Sequence[str], last: str = "and", *, more: bool = False) -> str:
    """Return a list such as ``2, 3 and 4``, or ``2, 3, 4, and so on``."""
    if more:
        return ", ".join([*words, "and so on"])
    return f" {last} ".join(filter(None, (", ".join(words[:-1]), *words[-1:])))


def numbers_text(numbers: Sequence[int]) -> str:
    """Return a list such as ``2, 3 and 4``; if it is long, ``4, 8, 12 and 9 others``."""
    if len(numbers) <= MOST_NAMED:
        return listing([*map(str, numbers)])
    few = MOST_NAMED - 2
    return listing([*map(str, numbers[:few]), f"{len(numbers) - few} others"])
