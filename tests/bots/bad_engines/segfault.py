"""Dies of a segmentation fault."""

import os
import signal

from good import lines  # type: ignore[import-not-found]

for _ in lines():
    os.kill(os.getpid(), signal.SIGSEGV)
