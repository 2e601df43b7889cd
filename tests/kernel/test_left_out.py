"""Ties that were left out of a search are told to matter iff they do."""

import subprocess
from collections.abc import Sequence
from itertools import combinations
from pathlib import Path
from random import Random

import pytest

from divisorduel.solve.matching import Matching, maximum_matching
from divisorduel.solve.verdict import Budget

SOURCE = Path(__file__).with_name("left_out.cpp")
FLAGS = ["-std=c++17", "-O1", "-Wall", "-Wextra", "-Werror"]

Tie = tuple[int, int, int]
"""The ends of a tie, and 1 if it is left out."""


def random_ties(rng: Random, places: int) -> list[Tie]:
    density, left_out = rng.random(), rng.choice([0.05, 0.2, 0.5])
    pairs = [pair for pair in combinations(range(1, places + 1), 2) if rng.random() < density]
    ends = [(one, two) if rng.random() < 0.5 else (two, one) for one, two in pairs]
    return [(one, two, int(rng.random() < left_out)) for one, two in ends]


def matched(places: int, ties: Sequence[Tie]) -> Matching:
    graph: dict[int, list[int]] = {place: [] for place in range(1, places + 1)}
    for one, two, _ in ties:
        graph[one].append(two)
        graph[two].append(one)
    return maximum_matching(graph, Budget())


@pytest.mark.thorough
def test_ties_that_were_left_out_are_allowed_iff_they_change_nothing(
    tmp_path: Path, compiler: str
) -> None:
    program = tmp_path / "left_out"
    subprocess.run([compiler, *FLAGS, str(SOURCE), "-o", str(program)], check=True)
    rng = Random(1)
    boards = [(places := rng.randint(2, 12), random_ties(rng, places)) for _ in range(6_000)]
    asked = "\n".join(
        f"{places} {len(ties)} " + " ".join(f"{a} {b} {out}" for a, b, out in ties)
        for places, ties in boards
    )
    done = subprocess.run([str(program)], input=asked, capture_output=True, text=True, check=True)
    answers = [[int(word) for word in line.split()] for line in done.stdout.splitlines()]
    assert len(answers) == len(boards)
    for (places, ties), (are_allowed, *found) in zip(boards, answers, strict=True):
        mates, labels = found[::2], found[1::2]
        whole = matched(places, ties)
        is_maximum = sum(mate > 0 for mate in mates) == 2 * len(whole.pairs)
        is_same = is_maximum and labels == [whole.label[at] for at in range(1, places + 1)]
        assert are_allowed == is_same, ties
    assert 1_000 < sum(are_allowed for are_allowed, *_ in answers) < 5_000
