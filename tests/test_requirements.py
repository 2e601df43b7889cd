"""Every requirement in docs/games has a test, and the pages are in our own words."""

import ast
import re
from pathlib import Path

import pytest

from divisorduel import game, rule_book
from tests.conftest import ALL_KEYS
from tests.game_docs import PAGES, README, ROOT, requirements, screen, sections, table

SPECIFICATIONS = ROOT.parent / "shared" / "rulebooks"
"""The specifications of five games, which are not part of the repository and may be missing."""

HEADINGS = [
    "The rules",
    "A worked game",
    "Strategy",
    "Perfect play",
    "On screen",
    "Requirements",
]


def names_of_tests(path: Path) -> set[str]:
    """Return the names of the test functions in a file."""
    return {
        node.name
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and node.name.startswith("test_")
    }


def test_every_game_has_a_page_and_every_page_a_game() -> None:
    assert tuple(PAGES) == ALL_KEYS


@pytest.mark.parametrize("key", ALL_KEYS)
def test_the_list_of_games_links_to_every_page(key: str) -> None:
    assert f"({key}.md)" in README.read_text()


@pytest.mark.parametrize("key", ALL_KEYS)
def test_every_page_has_the_same_headings_in_the_same_order(key: str) -> None:
    assert list(sections(key)) == HEADINGS
    assert {"start", "first turn", "turn", "end"} <= set(screen(key))


@pytest.mark.parametrize("key", ALL_KEYS)
def test_every_page_has_a_table_of_at_least_15_requirements(key: str) -> None:
    stated = [requirement.text for requirement in requirements(key)]
    assert len(stated) >= 15
    assert len(stated) == len(set(stated))
    assert all(stated)


@pytest.mark.parametrize("key", ALL_KEYS)
def test_every_requirement_names_a_test_that_exists(key: str) -> None:
    for requirement in requirements(key):
        assert requirement.tests, f"no test checks: {requirement.text}"
        for file, name in requirement.tests:
            assert (ROOT / file).is_file(), f"{file} does not exist"
            assert name in names_of_tests(ROOT / file), f"{file} has no {name}"


@pytest.mark.parametrize("key", ALL_KEYS)
def test_the_worked_game_on_a_page_is_the_example_in_the_program(key: str) -> None:
    example = rule_book(key).book.guide.example
    g = game(key, **example.board)
    position = g.start()
    turns = table(sections(key)["A worked game"])
    assert [int(turn["takes"]) for turn in turns] == list(example.moves)
    for number, turn in enumerate(turns, 1):
        assert turn["turn"] == str(number)
        assert turn["player"] == f"Player {2 - number % 2}"
        position = g.play(position, int(turn["takes"]))
        assert turn["answers left"] == (", ".join(map(str, g.moves(position))) or "none")
    assert g.is_over(position)


def words_of(text: str) -> list[str]:
    """Return the words and numbers of a text, without its code blocks."""
    prose = re.sub(r"^```.*?^```", " ", text, flags=re.MULTILINE | re.DOTALL)
    return re.findall(r"\w+", prose.replace("'", "").lower())


def runs_of(words: list[str]) -> set[tuple[str, ...]]:
    """Return every run of eight words, except lists of numbers."""
    runs = (tuple(words[at : at + 8]) for at in range(len(words) - 7))
    return {run for run in runs if sum(word.isalpha() for word in run) >= 5}


@pytest.mark.parametrize("page", [README, *PAGES.values()], ids=lambda path: path.stem)
def test_no_page_repeats_eight_words_in_a_row_from_a_specification(page: Path) -> None:
    specifications = sorted(SPECIFICATIONS.glob("*.md"))
    if not specifications:
        pytest.skip("the specifications are not next to this checkout")
    ours = runs_of(words_of(page.read_text()))
    for specification in specifications:
        assert not ours & runs_of(words_of(specification.read_text()))
