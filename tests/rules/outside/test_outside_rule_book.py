"""A rule book from another package is played, solved, reviewed and shown like our own."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import cache
from math import gcd
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.conftest import Duel
from tests.web.browser import NewPage, browser, new_page
from tests.web.clients import HERE, Client, Server, new_match
from tests.web.databases import sqlite_in
from tests.web.game_page import start_game
from tests.wheel import unpacked_wheel

__all__ = ["browser", "new_page"]

PACKAGE = Path(__file__).with_name("coprime_package")
CAPTION = "A line joins two numbers without a common factor."

BOB = {"who": "here", "name": "Bob"}

Run = Callable[..., str]


def winning_first_moves(numbers: range) -> list[int]:
    """Search the whole game, using only its rule."""

    @cache
    def wins(left: frozenset[int], last: int) -> bool:
        return any(not wins(left - {n}, n) for n in left if gcd(n, last) == 1)

    return [n for n in numbers if not wins(frozenset(numbers) - {n}, n)]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build and unpack a copy of the package."""
    folder = tmp_path_factory.mktemp("coprime")
    sources = folder / "sources"
    sources.mkdir()
    for file in PACKAGE.iterdir():
        if file.is_file():
            (sources / file.name).write_bytes(file.read_bytes())
    return unpacked_wheel(sources, folder)


class OutsideServer(Server):
    """A server that can import the package."""

    def __init__(self, folder: Path, site: Path) -> None:
        super().__init__(sqlite_in(folder), folder)
        self._site = site

    def _env(self) -> dict[str, str]:
        return {**super()._env(), "PYTHONPATH": os.pathsep.join([str(self._site), *sys.path])}


@pytest.fixture(scope="module")
def web(site: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Run a server that has the game."""
    with OutsideServer(tmp_path_factory.mktemp("web"), site) as running:
        yield running


@pytest.fixture
def run(duel: Duel, site: Path) -> Run:
    """Run the installed command with the package; it must succeed."""

    def run_one(*words: str | Path, typed: str = "") -> str:
        done = duel.run(*words, typed=typed, PYTHONPATH=str(site))
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    return run_one


def test_without_the_package_the_game_is_unknown(duel: Duel) -> None:
    assert "Unknown game 'coprime'" in duel.run("play", "coprime").stderr


def test_an_outside_game_passes_the_check_and_is_listed_and_explained(
    run: Run, duel: Duel, site: Path
) -> None:
    checks = "check_game(game('coprime'), games=50); print(rule_book_keys())"
    checked = subprocess.run(
        [sys.executable, "-c", f"from divisorduel import *; {checks}"],
        env=duel.environment(PYTHONPATH=str(site)),
        capture_output=True,
        text=True,
        check=False,
    )
    assert "'coprime'" in checked.stdout, checked.stderr
    assert "Coprime Duel" in run("games")
    assert "Multiples of 6 have few answers." in run("rules", "coprime")


@pytest.mark.thorough
def test_an_outside_game_is_played_in_the_terminal_and_reviewed(run: Run, duel: Duel) -> None:
    played = run("play", "coprime", "--to", "6", typed="6\n4\n5\n4\n3\n2\n")
    assert played.startswith("Welcome to Coprime Duel!")
    assert "4 and 6 are both divisible by 2." in played
    assert "divides" not in played
    assert "Player 1 wins!" in played
    [kept] = duel.matches
    assert "Player 2 took 5." in run("replay", kept)
    [review] = json.loads(run("review", kept, "--json"))
    assert [turn["move"] for turn in review["turns"]] == [6, 5, 4, 3, 2]
    page = duel.home / "review.html"
    run("review", kept, "--html", page)
    assert CAPTION in page.read_text()


@pytest.mark.thorough
def test_an_outside_game_is_solved_and_its_proof_is_verified(run: Run, duel: Duel) -> None:
    solved = json.loads(run("solve", "coprime", "--json"))
    assert solved["proven"]
    assert solved["winning_moves"] == winning_first_moves(range(2, 13))
    proof = duel.home / "proof.json"
    run("solve", "coprime", "--certificate", proof)
    run("verify", proof)
    assert run("table", "coprime", "2..12").splitlines()[-1].startswith("12,")


@pytest.mark.thorough
def test_an_outside_game_is_played_over_http(web: Server) -> None:
    with Client(web.url) as client:
        [book] = [book for book in client.get("/games") if book["key"] == "coprime"]
    assert book["example"]["board"]["caption"] == CAPTION
    with new_match(web.url, game="coprime", board={"to": 8}, players=[HERE, BOB]) as match:
        match.one.take(6)
        refused = match.one.take(4, status=409)
        assert refused["reason"] == "4 and 6 are both divisible by 2."
        assert match.one.take(5)["match"]["legal"] == [2, 3, 4, 7, 8]


@pytest.mark.thorough
def test_the_page_shows_the_board_refusals_and_graph_of_an_outside_game(new_page: NewPage) -> None:
    page = new_page()
    start_game(page, "coprime")
    assert page.locator(".tile .digits").all_inner_texts() == [str(n) for n in range(2, 13)]
    page.locator(".tile[aria-label^='6,']").click()
    expect(page.locator(".moves li button")).to_have_count(1)
    assert page.locator(".tile.legal .digits").all_inner_texts() == ["5", "7", "11"]
    page.locator(".tile[aria-label^='9,']").click(force=True)
    expect(page.get_by_role("alert")).to_have_text("9 and 6 are both divisible by 3.")
    expect(page.locator(".graph figcaption")).to_contain_text(CAPTION)
    expect(page.locator(".graph .edge.near")).to_have_count(3)
    expect(page.locator(".graph .edge")).to_have_count(26)  # the lines of 5, 7 and 11


@pytest.mark.thorough
def test_the_analysis_board_judges_an_outside_game(new_page: NewPage) -> None:
    page = new_page("#/analysis/coprime+2-12+2-12+-")
    page.locator(".verdict.wins").wait_for()
    winning = [int(digits) for digits in page.locator(".tile.wins .digits").all_inner_texts()]
    assert winning == winning_first_moves(range(2, 13))
    assert page.locator(".tile.loses").count() == 11 - len(winning)
