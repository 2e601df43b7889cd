"""Leaves a child behind."""

import subprocess

from good import lines, play  # type: ignore[import-not-found]

child = subprocess.Popen(["sleep", "600"])
for position in lines():
    play(position)
