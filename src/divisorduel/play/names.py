"""What makes a player's name readable, and when two names look alike.

Letters of different alphabets that look alike, such as a Latin and a Cyrillic A, are not compared.
"""

import re
from unicodedata import category, combining, normalize

MOST_ACCENTS = 4
"""How many combining marks, such as accents, one character may carry."""
JOINER = "\u200d"
"""The zero-width joiner. It joins emoji, and letters after the virama of Indic scripts."""

_IGNORABLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e"
    "\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3"
    "\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
"""What Unicode calls default ignorable: characters that show nothing themselves."""
_BLANK = re.compile("[\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0]")
"""Letters, marks and a symbol that look like nothing; Python calls them printable."""
_SKIN_TONES = "\U0001f3fb\U0001f3fc\U0001f3fd\U0001f3fe\U0001f3ff"


def look_alike(one: str, two: str) -> bool:
    """Tell whether two names differ at most in what cannot be seen."""
    return _skeleton(one) == _skeleton(two)


def _skeleton(name: str) -> str:
    return normalize("NFC", " ".join(_IGNORABLE.sub("", name).split()))


def hidden_fault(name: str) -> str:
    """Return what is hidden or piled up in a name of printable characters; "" if nothing is."""
    if blank := _BLANK.search(name):
        return f"It has the invisible character U+{ord(blank[0]):04X}; leave it out."
    if not all(joins(name, found.start()) for found in re.finditer(JOINER, name)):
        return f"It has the invisible character U+{ord(JOINER):04X}; leave it out."
    if category(name[0])[0] == "M" or not _skeleton(name):
        return "It must begin with a visible character."
    if _longest_pile(normalize("NFC", name)) > MOST_ACCENTS:
        return f"It has more than {MOST_ACCENTS} accents on one letter; use fewer."
    return ""


def joins(text: str, at: int) -> bool:
    """Tell whether the joiner at a place in a text has something to join."""
    if not 0 < at < len(text) - 1:
        return False
    before, after = text[at - 1], text[at + 1]
    if combining(before) == 9:  # a virama
        return category(after)[0] == "L"
    is_emoji = category(before) == "So" or before in f"\ufe0f\u2194{_SKIN_TONES}"
    return is_emoji and (category(after) == "So" or after == "\u2194")


def _longest_pile(name: str) -> int:
    longest = pile = 0
    for char in name:
        pile = pile + 1 if category(char)[0] == "M" else 0
        longest = max(longest, pile)
    return longest
