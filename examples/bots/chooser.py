#!/usr/bin/env python3
"""An engine without any library: it takes a random legal move, and names the last number."""

import random
import sys

rng = random.Random()
for line in sys.stdin:
    match line.split():
        case ["duel", _version]:
            print("bot Chooser", "author Example", "option seed", "want legal", "ok", sep="\n")
        case ["option", "seed", seed]:
            rng.seed(seed)
        case ["go", _game, _board, _playable, last, "ms", _ms, "legal", *legal]:
            print("say The last number was", last)
            print("move", rng.choice(legal))
        case ["quit"]:
            break
    sys.stdout.flush()
