"""Keeps running after quit."""

import time

from good import lines, play  # type: ignore[import-not-found]

for position in lines():
    play(position)
time.sleep(600)
