"""Closes its input, so that it never sees what it is asked."""

import os
import time

from good import lines, play  # type: ignore[import-not-found]

for position in lines():
    play(position)
    os.close(0)
    time.sleep(600)
