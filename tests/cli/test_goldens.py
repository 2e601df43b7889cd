"""What people see, kept as files: the first line of each is the command that prints the rest.

To write them anew, run the tests with DUEL_WRITE_GOLDENS=1; then read what changed.
"""

import os
import re
import subprocess
from pathlib import Path

import pytest

from tests.conftest import DUEL, Duel

GOLDENS = sorted((Path(__file__).parents[1] / "goldens").glob("*.txt"))
RULE_BOOKS = Path(__file__).parents[2] / "docs" / "rulebooks"


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
def test_the_command_of_a_golden_prints_its_lines(golden: Path, duel: Duel) -> None:
    first, _, expected = golden.read_text().partition("\n")
    shown = shown_by(first.removeprefix("$ "), duel)
    if os.environ.get("DUEL_WRITE_GOLDENS"):
        golden.write_text(f"{first}\n{shown}")
    assert shown == expected


# The rulings: lines of a sample interaction that the rules forbid, and what stands there instead.
RULED = {
    "chain": {
        "2, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44, 48": "2, 12, 16, 20, 24, 28, 32, 36, 40, 44, 48"
    },
    "antichain": {
        "Enter your selection: 10": "No valid moves available. You lose!",
        "Available Numbers: 2, 4, 6, 9": "",
        "Opponent's Selections: [7, 5, 10]": "",
    },
}


def sample(key: str) -> list[str]:
    """Return the lines of a rule book's sample interaction, with the rulings applied."""
    text = (RULE_BOOKS / f"{key}.md").read_text()
    section = re.split(r"^#+ .*Command-Line Interaction.*$", text, flags=re.MULTILINE)[1]
    section = re.split(r"^#+ Strateg.*$", section, flags=re.MULTILINE)[0]
    lines: list[str] = []
    blocks = re.findall(r"```\n(.*?)```", section, flags=re.DOTALL)
    if key == "antichain":  # its lines alone never say whose turn it is, but its headings do
        blocks = re.findall(r"\*\*(Player \d's Turn)\*\*\n+```\n(.*?)```", section, flags=re.DOTALL)
        blocks = ["Number Pool: 2 to 10", *(f"{heading}\n{block}" for heading, block in blocks)]
    for block in blocks:
        lines += [RULED.get(key, {}).get(line, line) for line in block.splitlines()]
    return [line for line in lines if line.strip() and "..." not in line]


@pytest.mark.parametrize("key", ["evens", "antichain", "chain", "divider", "descent"])
def test_a_golden_has_the_lines_of_its_rule_books_sample_in_their_order(key: str) -> None:
    golden = next(path for path in GOLDENS if path.stem == f"sample-{key}")
    shown = iter(golden.read_text().splitlines())
    expected = sample(key)
    if key == "antichain":  # the sample goes on with two turns that its own rule forbids
        expected = expected[: expected.index("No valid moves available. You lose!") + 1]
    assert len(expected) > 10
    for line in expected:
        assert line in shown, f"{line!r} is missing, or in the wrong place"
