"""Ends with a wrong exit status."""

import sys

from good import lines, play  # type: ignore[import-not-found]

for position in lines():
    play(position)
sys.exit(3)
