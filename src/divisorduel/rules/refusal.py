"""Why something is refused, as a value."""

from collections.abc import Mapping
from dataclasses import dataclass, field

PHRASES: Mapping[str, str] = {
    "not-on-board": "{number} is not on the board ({span}).",
    "taken": "{number} was taken on turn {turn}.",
    "out-of-play": "{number} can no longer be taken.",
    "opening-even": "The first number must be even: {number} is odd.",
    "opening-low": "The first number must be at most half the largest one: {number} is too large.",
    "not-related": "{relation}.",
    "ruled-out": "{relation}, which {player} took.",
}
"""What the games say about an illegal move, by code.

The words in braces are the parameters of the refusal, ``span`` (the board of the game) and
``relation`` (what the game's relation says about the parameters ``number`` and ``other``).
"""


@dataclass(frozen=True, slots=True)
class Refusal:
    """A stable code for programs, and the parameters that a sentence about it needs."""

    code: str
    params: Mapping[str, int | str] = field(default_factory=dict)
