"""What people see, saved as files. The first line of each is the command that prints the rest.

To rewrite the files, run the tests with DUEL_WRITE_GOLDENS=1, and then read the diff.
"""

import os
import subprocess
from itertools import zip_longest
from pathlib import Path

import pytest

from tests.conftest import ALL_KEYS, DUEL, Duel
from tests.data.perft_brute_force import RULES, pool_of
from tests.game_docs import screen

GOLDENS = sorted((Path(__file__).parents[1] / "goldens").glob("*.txt"))


def shown_by(command: str, duel: Duel) -> str:
    done = subprocess.run(
        ["bash", "-c", f"{command} 2>&1"],
        env=duel.environment(PATH=f"{Path(DUEL).parent}:{os.environ['PATH']}"),
        cwd=duel.home,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    return done.stdout


@pytest.mark.parametrize("golden", GOLDENS, ids=lambda path: path.stem)
def test_the_command_in_a_golden_prints_its_lines(golden: Path, duel: Duel) -> None:
    first, _, expected = golden.read_text().partition("\n")
    shown = shown_by(first.removeprefix("$ "), duel)
    if os.environ.get("DUEL_WRITE_GOLDENS"):
        golden.write_text(f"{first}\n{shown}")
    assert shown == expected


BOARDS = {
    "evens": "2-20",
    "antichain": "2-10",
    "chain": "2-50",
    "divider": "2-9",
    "juniper": "1-20",
}
"""The boards of the samples; that of descent is the first number typed."""

OPEN = "..."
"""Matches any line, where the page does not specify the words."""


class Sample:
    """The lines of a sample game, made from the templates on its page and the brute-force rules."""

    def __init__(self, key: str, typed: list[int]) -> None:
        self.key = key
        self.blocks = screen(key)
        board = str(typed.pop(0)) if key == "descent" else BOARDS[key]
        self.pool = pool_of(key, board)
        self.taken: list[int] = []
        self.lines = self.block("start", start=board)
        wrong: list[str] = []
        for number in typed:
            if number not in self.options:
                wrong += self.block("wrong number", wrong=number)
                continue
            turn = self.block("turn" if self.taken else "first turn", number=number)
            prompt = next(at for at, line in enumerate(turn) if line.endswith(f": {number}"))
            self.lines += ["", *turn[:prompt], *wrong, *turn[prompt:]]
            self.taken.append(number)
            wrong = []
        assert not self.options, "a sample must be a whole game"
        self.lines += ["", *self.block("end")]

    @property
    def options(self) -> list[int]:
        return list(RULES[self.key]((self.pool, tuple(self.taken))))

    def left(self, taken: list[int]) -> list[int]:
        if self.key == "divider":
            return list(RULES[self.key]((self.pool, tuple(taken))))
        return [number for number in self.pool if number not in taken]

    def block(self, name: str, **given: int | str) -> list[str]:
        """Fill in the templates of a block, except for reasons."""
        turn = len(self.taken)
        moved = [*self.taken, *(int(value) for word, value in given.items() if word == "number")]
        lists = {
            "untaken": [number for number in self.pool if number not in self.taken],
            "playable": self.left(self.taken),
            "left": self.left(moved),
            "options": self.options,
            "mine": self.taken[turn % 2 :: 2],
            "theirs": self.taken[1 - turn % 2 :: 2],
        }
        words = {
            "player": f"Player {turn % 2 + 1}",
            "loser": f"Player {turn % 2 + 1}",
            "winner": f"Player {2 - turn % 2}",
            "pool": f"{self.pool[0]} to {self.pool[-1]}",
            "last": self.taken[-1] if self.taken else self.pool[0],
            "reason": OPEN,
            **{word: ", ".join(map(str, numbers)) for word, numbers in lists.items()},
            **given,
        }
        return [line.format(**words) for line in self.blocks[name]]


@pytest.mark.parametrize("key", ALL_KEYS)
def test_a_sample_shows_the_lines_its_page_states_and_no_others(key: str) -> None:
    golden = next(path for path in GOLDENS if path.stem == f"sample-{key}")
    command, *shown = golden.read_text().splitlines()
    typed = command.split("'")[1].removesuffix(r"\n").split(r"\n")
    expected = Sample(key, [int(number) for number in typed]).lines
    assert len(expected) > 10
    for line, stated in zip_longest(shown, expected):
        assert line == stated or (line and stated == OPEN), f"the page says {stated!r}"
