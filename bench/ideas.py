"""Measures what each idea of the nimber kernel buys; with --keep the tables go to docs/kernel.md.

Called as ``python -m bench.ideas``; it needs g++ and takes some minutes.
"""

import argparse
import resource
import shutil
import subprocess
import sys
from collections import defaultdict
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "kernel.md"
BEGIN, END = "<!-- measured -->\n", "<!-- end of what was measured -->\n"

MOST_SECONDS = 20
"""Of processor time. What takes longer is left out."""

ALIKE = "components columns pieces"
FORMS = (
    ("whole positions", ""),
    ("+ components", "components"),
    ("+ canonical columns", "components columns"),
    ("+ pieces are columns", ALIKE),
)
FORMS_OF = {
    "antichain": (
        *FORMS,
        ("... and closed twins", f"{ALIKE} closed"),
        ("... and open twins", f"{ALIKE} open"),
        ("... and both", f"{ALIKE} closed open"),
    ),
    "divider": (*FORMS, ("+ equal pieces cancel", f"{ALIKE} cancel")),
}
BEST = {"antichain": ALIKE, "divider": f"{ALIKE} cancel"}
QUESTIONS = (
    ("the nimber, by full mex", ""),
    ("the nimber, by outcomes", "outcomes"),
    ("all winning moves, by full mex", "moves"),
    ("all winning moves, by outcomes", "outcomes moves"),
    ("... moves as they come", "outcomes moves unordered"),
    ("... the largest first", "outcomes moves largest"),
    ("who wins, by outcomes", "outcomes winner"),
    ("... moves as they come", "outcomes winner unordered"),
    ("... the largest first", "outcomes winner largest"),
)
MACHINES = (
    ("the kernel", "kernel", "kernel"),
    ("masks of 128 bits", "kernel", "kernel wide"),
    ("no prefetch", "unprefetched", "kernel"),
    ("no memory of positions split lately", "forgetful", "kernel"),
    ("`std::unordered_map` for the table", "standard", "kernel"),
    ("... and vectors of words for keys", "unpacked", "kernel"),
    ("two threads", "kernel", "kernel threads"),
    ("16 MiB of memory", "kernel", "kernel forgets"),
)
TURNS = 5
BY_THE_CLOCK = ("the kernel", "two threads")


@dataclass(frozen=True)
class Run:
    """What the program printed."""

    answer: int
    positions: int
    seconds: float
    clock: float
    largest: int
    classes: int


VARIANTS = {
    "kernel": (),
    "unprefetched": ("-DTABLE=Unprefetched",),
    "standard": ("-DTABLE=Standard",),
    "unpacked": ("-DTABLE=Standard", "-DUNPACKED"),
    "forgetful": (),
}
"""The programs, and what the compiler is told for each."""


def build(folder: Path, variant: str, compiler: str = "g++", optimise: str = "-O3") -> Path:
    """Compile a variant of the program in a folder, and return where it is."""
    root, program = ROOT, folder / f"{variant}.out"
    if variant == "forgetful":
        # How many positions split lately are remembered is a constant of the kernel.
        root = folder / "forgetful"
        for name in ("bench", "kernel"):
            shutil.copytree(ROOT / name, root / name, ignore=shutil.ignore_patterns("*.py*"))
        header = root / "kernel" / "nimbers.hpp"
        text, cache = header.read_text(), "kRecentBits = 13;"
        assert text.count(cache) == 1
        header.write_text(text.replace(cache, "kRecentBits = 1;"))
    words = [compiler, "-std=c++17", optimise, "-Wall", "-Wextra", "-Werror", "-pthread"]
    source = str(root / "bench" / "ideas.cpp")
    subprocess.run([*words, *VARIANTS[variant], source, "-o", str(program)], check=True)
    return program


def run(programs: Path, variant: str, game: str, to: int, ideas: str, times: int = 3) -> Run | None:
    """Return the best of some runs, or of one if that is long; None if it is too long."""
    words = [str(programs / f"{variant}.out"), game, str(to), *ideas.split()]
    limit = partial(resource.setrlimit, resource.RLIMIT_CPU, (MOST_SECONDS, MOST_SECONDS))
    found: list[Run] = []
    while len(found) < (times if not found or found[0].seconds < 5 else 1):
        done = subprocess.run(words, capture_output=True, text=True, check=False, preexec_fn=limit)
        if done.returncode < 0:
            return None
        done.check_returncode()
        answer, positions, seconds, clock, largest, classes = done.stdout.split()
        found.append(
            Run(int(answer), int(positions), float(seconds), float(clock), int(largest),
                int(classes))
        )  # fmt: skip
    assert len({one.answer for one in found}) == 1
    return best_of(found)


class Measured:
    """All runs so far; they have to agree."""

    def __init__(self, programs: Path) -> None:
        self._programs = programs
        self._answers: dict[tuple[str, int, str], int] = {}

    def __call__(self, variant: str, game: str, to: int, ideas: str, times: int = 3) -> Run | None:
        """Return a run, after a comparison with the others."""
        found = run(self._programs, variant, game, to, ideas, times)
        if found is not None:
            asked = next((word for word in ("moves", "winner") if word in ideas), "nimber")
            assert found.answer == self._answers.setdefault((game, to, asked), found.answer), ideas
            wins = {self._answers[at] > 0 for at in self._answers if at[:2] == (game, to)}
            assert len(wins) == 1, ideas
        return found


def cell(found: Run | None) -> str:
    """Return a run as a cell of a table."""
    return f"over {MOST_SECONDS} s" if found is None else f"{found.positions:,}, {shown(found)}"


def shown(found: Run) -> str:
    """Return the processor time of a run."""
    return f"{found.seconds:.2f} s"


def table(head: str, boards: list[str], rows: list[list[str]]) -> str:
    """Return a table in Markdown."""
    lines = [[head, *boards], ["---"] * (len(boards) + 1), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines) + "\n"


def forms(measured: Measured, game: str, sizes: tuple[int, ...]) -> str:
    """Measure what it buys to see that positions are alike."""
    rows = []
    for name, ideas in FORMS_OF[game]:
        found = [measured("kernel", game, to, ideas) for to in sizes]
        rows.append([name, *map(cell, found)])
        print(rows[-1], file=sys.stderr)
    alike = [measured("kernel", game, to, f"{BEST[game]} classes") for to in sizes]
    rows.append(
        ["classes of isomorphic positions, at least", *(f"{one.classes:,}" for one in alike if one)]
    )
    rows.append(["largest nimber", *(str(one.largest) for one in alike if one)])
    return table("positions, seconds", [f"`{game}` 2-{to}" for to in sizes], rows)


def questions(measured: Measured, boards: tuple[tuple[str, int], ...]) -> str:
    """Measure what it buys to ask for less than the nimber."""
    rows = []
    for name, ideas in QUESTIONS:
        found = [measured("kernel", game, to, f"{BEST[game]} {ideas}") for game, to in boards]
        rows.append([name, *map(cell, found)])
        print(rows[-1], file=sys.stderr)
    return table("positions, seconds", [f"`{game}` 2-{to}" for game, to in boards], rows)


def machines(measured: Measured, boards: tuple[tuple[str, int], ...]) -> str:
    """Measure what it buys to do the same faster: in turns, since the differences are small."""
    found: dict[tuple[str, str, int], list[Run | None]] = defaultdict(list)
    for _ in range(TURNS):
        for game, to in boards:
            for name, variant, ideas in MACHINES:
                found[name, game, to].append(measured(variant, game, to, ideas, times=1))
    rows = []
    for name, _, _ in MACHINES:
        cells = []
        for game, to in boards:
            best = best_of([one for one in found[name, game, to] if one])
            clock = f" ({best.clock:.2f} s by the clock)" if name in BY_THE_CLOCK else ""
            cells.append(cell(best) + clock)
        rows.append([name, *cells])
    plain = [measured("kernel", game, to, BEST[game]) for game, to in boards]
    rows.append(["the plain program", *map(cell, plain)])
    return table("positions, seconds", [f"`{game}` 2-{to}" for game, to in boards], rows)


def best_of(runs: list[Run]) -> Run:
    """Return the least processor time and the least time by the clock of several runs."""
    seconds, clock = min(one.seconds for one in runs), min(one.clock for one in runs)
    return replace(runs[0], seconds=seconds, clock=clock)


def main() -> None:
    """Measure everything, print it, and keep it if that is asked for."""
    words = argparse.ArgumentParser(prog="python -m bench.ideas", description=__doc__)
    words.add_argument("--keep", action="store_true", help="write the tables into docs/kernel.md")
    asked = words.parse_args()
    with TemporaryDirectory() as folder:
        for variant in VARIANTS:
            build(Path(folder), variant)
        measured = Measured(Path(folder))
        tables = "\n".join(
            (
                forms(measured, "antichain", (34, 60, 70)),
                forms(measured, "divider", (24, 32, 38)),
                questions(
                    measured,
                    (("antichain", 70), ("antichain", 84), ("antichain", 110), ("divider", 38),
                     ("divider", 45)),
                ),
                machines(measured, (("antichain", 84), ("divider", 45))),
            )
        )  # fmt: skip
    print(tables)
    if asked.keep:
        before, rest = PAGE.read_text().split(BEGIN)
        PAGE.write_text(f"{before}{BEGIN}\n{tables}\n{END}{rest.split(END)[1]}")


if __name__ == "__main__":
    main()
