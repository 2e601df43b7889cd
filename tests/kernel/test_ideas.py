"""The program that measures the ideas of the kernel gets the same nimbers by all of them."""

import subprocess
from pathlib import Path

import pytest

from bench.ideas import ALIKE, BEST, FORMS_OF, MACHINES, QUESTIONS, build
from divisorduel import game
from divisorduel.rules.numbers import members
from divisorduel.rules.pool_game import PoolGame
from divisorduel.solve.budget import Budget
from divisorduel.solve.nimbers import Nimbers

BUILT = ("kernel", "standard", "unpacked")
"""The others are held to these whenever they are measured."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("ideas")


@pytest.fixture
def programs(folder: Path, compiler: str) -> Path:
    for variant in BUILT:
        if not (folder / f"{variant}.out").exists():
            build(folder, variant, compiler, optimise="-O0")
    return folder


def ask(program: Path, key: str, to: int, ideas: str) -> tuple[int, int]:
    """Return the answer, and the number of positions."""
    words = [str(program), key, str(to), *ideas.split()]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    answer, positions, *_ = done.stdout.split()
    return int(answer), int(positions)


@pytest.mark.parametrize("key", ["antichain", "divider"])
@pytest.mark.parametrize("to", [9, 16, 20])
def test_every_idea_agrees_with_python(programs: Path, key: str, to: int) -> None:
    g = game(key, to=to)
    assert isinstance(g, PoolGame)
    nimbers = Nimbers(g)
    nimber = nimbers.nimber(g.pool, Budget())
    after = [g.after(g.start(), move).playable for move in members(g.legal(g.start()))]
    winning = sum(nimbers.nimber(playable, Budget()) == 0 for playable in after)
    plain = programs / "kernel.out"
    for _, ideas in FORMS_OF[key]:
        assert ask(plain, key, to, ideas)[0] == nimber, ideas
    for _, ideas in QUESTIONS:
        expected = winning if "moves" in ideas else nimber > 0 if "winner" in ideas else nimber
        assert ask(plain, key, to, f"{BEST[key]} {ideas}")[0] == expected, ideas
    for _, variant, ideas in MACHINES:
        if variant in BUILT:
            assert ask(programs / f"{variant}.out", key, to, ideas)[0] == nimber, (variant, ideas)


@pytest.mark.parametrize("key", ["antichain", "divider"])
def test_the_plain_program_and_the_kernel_work_out_the_same_positions(
    programs: Path, key: str
) -> None:
    plain = ask(programs / "kernel.out", key, 30, BEST[key])
    for variant in BUILT:
        assert ask(programs / f"{variant}.out", key, 30, "kernel") == plain, variant


def test_an_unknown_idea_is_refused(programs: Path) -> None:
    words = [str(programs / "kernel.out"), "antichain", "9", ALIKE, "magic"]
    assert subprocess.run(words, capture_output=True, check=False).returncode == 2
