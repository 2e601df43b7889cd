"""Leaves a child behind that is in a session of its own."""

import subprocess

from good import lines, play  # type: ignore[import-not-found]

NONE = subprocess.DEVNULL
subprocess.Popen(["sleep", "600"], start_new_session=True, stdin=NONE, stdout=NONE, stderr=NONE)
for position in lines():
    play(position)
