"""What people type at prompts, sensible and not."""

from random import Random

from divisorduel.terminal.plain.input_parser import HELP

PLAIN = [
    *HELP, "r", "h", "?", "SAVE", "8.0", "1e3", "-3", "٣", "9" * 5000, "0", "007", " 8 ", "8 9", "",
    "yes", "no", "y", "n", "review", "give up", "human", "greedy", "random", "perfect", "5", "11",
    "chain", "Ann", "Zoë", "A\u200d", "\u3164", "2-20", "2-20,even", "2-20:3", "1", "2", "720",
]  # fmt: skip
FILES = [
    "save a", "save a.duel", "save ~nobody/x", "save /", "save .", f"save {'x' * 300}", "save \x00",
    "save \u202e.duel", "save b c",
]  # fmt: skip
"""These are never changed, since the file is really written."""
LETTERS = "abcxyzÅé 0123456789.,:;-+*()[]{}<>\\\"'\t\x07\x1b\x7f\x9b\u202e\u200d\ud7ff\uffff😀"


def typed_lines(rng: Random, most: int) -> list[str]:
    """Return what an impatient player could type."""
    return [_line(rng) for _ in range(rng.randrange(most + 1))]


def _line(rng: Random) -> str:
    match rng.randrange(8):
        case 0 | 1 | 2:
            return str(rng.randrange(21))
        case 3:
            return str(rng.getrandbits(rng.choice((8, 40, 400))))
        case 4:
            return rng.choice(FILES)
        case 5:
            return "".join(rng.choices(LETTERS, k=rng.randrange(9)))
        case _:
            return rng.choice(PLAIN)
