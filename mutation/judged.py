"""The mutants that were judged equivalent: they behave as the program does. See docs/testing.md."""

import re
from functools import cache
from pathlib import Path

PAGE = Path(__file__).parents[1] / "docs" / "testing.md"


@cache
def judged_equivalent() -> frozenset[tuple[str, str]]:
    """Return the file and the difference of every mutant that the page lists as equivalent."""
    listed = re.finditer(r"(?ms)^```diff\n(\S+\.py)\n(.*?)\n```$", PAGE.read_text())
    return frozenset((one[1], one[2]) for one in listed)
