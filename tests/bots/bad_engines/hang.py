"""Does not answer in time."""

import time

from good import lines  # type: ignore[import-not-found]

for _ in lines():
    time.sleep(600)
