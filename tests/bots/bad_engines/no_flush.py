"""Does not flush its output, so that nothing arrives."""

import sys

with open(1, "w") as out:  # buffered, whatever PYTHONUNBUFFERED says
    for line in sys.stdin:
        if line.startswith("duel"):
            out.write("bot Test\nok\n")
