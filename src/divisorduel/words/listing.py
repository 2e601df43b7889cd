"""Lists of numbers and words in a sentence."""

from collections.abc import Sequence

MOST_NAMED = 5
"""A list with more numbers is cut short."""
FEW = 3
"""How many numbers are left of a list that is cut short."""


def listing(words: Sequence[str], last: str = "and", *, more: bool = False) -> str:
    """Return a list such as ``2, 3 and 4``, or ``2, 3, 4, and so on``."""
    if more:
        return ", ".join([*words, "and so on"])
    return f" {last} ".join(filter(None, (", ".join(words[:-1]), *words[-1:])))


def numbers_text(numbers: Sequence[int]) -> str:
    """Return a list such as ``2, 3 and 4``, as `shortened` writes it if it is long."""
    return shortened([*map(str, numbers)], MOST_NAMED)


def shortened(words: Sequence[str], most: int) -> str:
    """Return a list; if it has more words than `most`, ``4, 8, 12, and so on (9 in all)``.

    The count is in parentheses, so that no one takes it for one of the numbers.
    """
    if len(words) <= most:
        return listing(words)
    return f"{listing(words[:FEW], more=True)} ({len(words)} in all)"
