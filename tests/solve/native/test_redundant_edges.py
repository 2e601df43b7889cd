"""The kernel can tell whether edges that a search omitted would change its result."""

import subprocess
from collections.abc import Sequence
from itertools import combinations
from pathlib import Path
from random import Random

import pytest

from divisorduel.solve.budget import Budget
from divisorduel.solve.matching import Matching, maximum_matching

SOURCE = Path(__file__).with_name("redundant_edges.cpp")
FLAGS = ["-std=c++17", "-O1", "-Wall", "-Wextra", "-Werror"]

Edge = tuple[int, int, int]
"""The two ends, and 1 if the edge is omitted."""


def random_edges(rng: Random, vertices: int) -> list[Edge]:
    density, omitted = rng.random(), rng.choice([0.05, 0.2, 0.5])
    pairs = [pair for pair in combinations(range(1, vertices + 1), 2) if rng.random() < density]
    ends = [(one, two) if rng.random() < 0.5 else (two, one) for one, two in pairs]
    return [(one, two, int(rng.random() < omitted)) for one, two in ends]


def match_all_edges(vertices: int, edges: Sequence[Edge]) -> Matching:
    graph: dict[int, list[int]] = {vertex: [] for vertex in range(1, vertices + 1)}
    for one, two, _ in edges:
        graph[one].append(two)
        graph[two].append(one)
    return maximum_matching(graph, Budget())


@pytest.mark.thorough
def test_omitted_edges_are_redundant_iff_they_change_nothing(tmp_path: Path, compiler: str) -> None:
    program = tmp_path / "redundant_edges"
    subprocess.run([compiler, *FLAGS, str(SOURCE), "-o", str(program)], check=True)
    rng = Random(1)
    graphs = [(vertices := rng.randint(2, 12), random_edges(rng, vertices)) for _ in range(6_000)]
    lines = "\n".join(
        f"{vertices} {len(edges)} " + " ".join(f"{a} {b} {omitted}" for a, b, omitted in edges)
        for vertices, edges in graphs
    )
    done = subprocess.run([str(program)], input=lines, capture_output=True, text=True, check=True)
    answers = [[int(word) for word in line.split()] for line in done.stdout.splitlines()]
    assert len(answers) == len(graphs)
    for (vertices, edges), (are_redundant, *found) in zip(graphs, answers, strict=True):
        mates, labels = found[::2], found[1::2]
        full = match_all_edges(vertices, edges)
        is_maximum = sum(mate > 0 for mate in mates) == 2 * len(full.pairs)
        is_same = is_maximum and labels == [full.label[at] for at in range(1, vertices + 1)]
        assert are_redundant == is_same, edges
    assert 1_000 < sum(are_redundant for are_redundant, *_ in answers) < 5_000
