"""Writes a megabyte to standard error, which does no harm."""

import sys

from good import lines, play  # type: ignore[import-not-found]

sys.stderr.write("noise\n" * 170_000)
for position in lines():
    play(position)
