"""Parses the pages in docs/games: screen templates, worked games, tables of requirements."""

import re
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "docs" / "games"
README = FOLDER / "README.md"
PAGES = {path.stem: path for path in sorted(FOLDER.glob("*.md")) if path != README}
"""The page of each game, by the game's key."""


class Requirement(NamedTuple):
    """A row of a table of requirements."""

    text: str
    ruling: str
    tests: tuple[tuple[str, str], ...]
    """The file and the function of each test that checks it."""


def sections(key: str) -> dict[str, str]:
    """Return the text below each second-level heading of a page."""
    _, *parts = re.split(r"^## (.+)$", PAGES[key].read_text(), flags=re.MULTILINE)
    return dict(zip(parts[::2], parts[1::2], strict=True))


def table(text: str) -> list[dict[str, str]]:
    """Return the rows of the only table in a text, each as a dictionary by column name."""
    lines = [line.strip("|").split("|") for line in text.splitlines() if line.startswith("|")]
    head, rule, *rows = [[cell.strip() for cell in cells] for cells in lines]
    assert set("".join(rule)) == {"-"}, "the second line of a table must consist of dashes"
    return [dict(zip(head, row, strict=True)) for row in rows]


def requirements(key: str) -> list[Requirement]:
    """Return the table of requirements of a page."""
    return [
        Requirement(
            row["requirement"],
            row["ruling"],
            tuple(re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", row["test"])),
        )
        for row in table(sections(key)["Requirements"])
    ]


def screen(key: str) -> dict[str, list[str]]:
    """Return the templates for what a game shows on screen: start, first turn, turn, end."""
    blocks = re.findall(
        r"^```text (.+)\n((?:.*\n)*?)```$", sections(key)["On screen"], re.MULTILINE
    )
    return {name: text.splitlines() for name, text in blocks}
