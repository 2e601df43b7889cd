"""Sends bytes that are not text."""

import sys

from good import lines  # type: ignore[import-not-found]

for _ in lines():
    sys.stdout.buffer.write(b"\xff\xfe\x00\n")
    sys.stdout.buffer.flush()
