"""The page loads little, and names each file by its version."""

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import Page

from divisorduel.web.page_files import FIRST_VIEW, FOLDER, SCRIPT, PageFiles, modules
from divisorduel.web.routes.pages import catalogue
from tests.web.browser import NewPage, browser, new_page
from tests.web.game_page import start_game

__all__ = ["browser", "new_page"]

MOST_BYTES, MOST_COMPRESSED = 150_000, 60_000


@pytest.fixture(scope="module")
def files() -> PageFiles:
    """Return the files of the page."""
    return PageFiles(FOLDER, {"catalogue.json": catalogue()})


def links(page: str, kind: str) -> list[str]:
    """Return the addresses of the links of a kind."""
    return re.findall(rf'<link rel="{kind}" href="([^"]+)"', page)


def loaded(page: Page) -> list[str]:
    """Return the paths of everything that a page has loaded."""
    return [
        str(path)
        for path in page.evaluate(
            """performance.getEntriesByType("resource").map((one) => new URL(one.name).pathname)"""
        )
    ]


def test_the_first_load_is_small(files: PageFiles) -> None:
    page = files["index.html"].content.decode()
    styles = [address.removeprefix(files.base) for address in links(page, "stylesheet")]
    assert "style.css" in styles
    first = ["index.html", "icon.svg", "catalogue.json", *styles]
    needed = [files[name] for name in (*first, *files.first_view)]
    sizes = {
        "as it is": sum(len(file.content) for file in needed),
        "gzip": sum(len(file.encoded("gzip")[1]) for file in needed),
        "br": sum(len(file.encoded("br")[1]) for file in needed),
    }
    assert sizes["as it is"] <= MOST_BYTES, sizes
    assert sizes["br"] < sizes["gzip"] <= MOST_COMPRESSED, sizes


def test_the_page_announces_the_modules_that_a_browser_then_loads(
    new_page: NewPage, files: PageFiles
) -> None:
    page = new_page()
    page.locator(".home").wait_for()
    announced = links(files["index.html"].content.decode(), "modulepreload")
    assert len(announced) == len({*announced})
    needed = {path for path in loaded(page) if path.endswith(".js")}
    assert {*announced, f"{files.base}{SCRIPT}"} == needed
    assert {f"{files.base}{name}" for name in files.first_view} == needed


def test_the_page_lists_the_modules_that_each_other_view_loads(
    new_page: NewPage, files: PageFiles
) -> None:
    page = new_page("#/rules/chain")
    page.locator(".rules").wait_for()
    first = {f"{files.base}{name}" for name in files.first_view}
    more = {path for path in loaded(page) if path.endswith(".js")} - first
    assert {f"{files.base}{name}" for name in files.views["rules"]} == more
    page.goto(page.url.partition("#")[0])
    start_game(page, "chain")
    more = {path for path in loaded(page) if path.endswith(".js")} - first
    assert {f"{files.base}{name}" for name in files.views["match_entry"]} == more


def test_every_file_of_the_first_view_has_the_version_in_its_address(
    new_page: NewPage, files: PageFiles
) -> None:
    page = new_page()
    page.locator(".home").wait_for()
    paths = {path for path in loaded(page) if not path.startswith("/api/")}
    assert {path for path in paths if not path.startswith(files.base)} <= {"/static/icon.svg"}


def test_what_a_module_imports_follows_at_once_and_only_once() -> None:
    contents = {
        "a.js": b'import { x,\n  y } from "./b/c.js";\nimport "./d.js";\nimport("./later.js");\n',
        "b/c.js": b'export * from "../d.js";\nimport { z } from "./e.js"; // import "./no.js"\n',
        "b/e.js": b'export const text = "./no.js";\nconst import1 = "./no.js";\n',
        "d.js": b'import * as a from "./a.js";\n',
        "later.js": b"",
    }
    assert modules(contents, "a.js") == ["a.js", "b/c.js", "d.js", "b/e.js"]
    assert modules(contents, "a.js", "later.js")[:2] == ["a.js", "later.js"]


def test_every_module_that_is_imported_exists(files: PageFiles) -> None:
    contents = {
        path.relative_to(FOLDER).as_posix(): path.read_bytes() for path in FOLDER.rglob("*.js")
    }
    assert FIRST_VIEW in contents
    assert {*modules(contents, *contents)} == {*contents}


def test_the_version_changes_with_any_file(files: PageFiles, tmp_path: Path) -> None:
    for path in FOLDER.rglob("*.*"):
        copy = tmp_path / path.relative_to(FOLDER)
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_bytes(path.read_bytes())
    generated = {"catalogue.json": catalogue()}
    assert PageFiles(tmp_path, generated).version == files.version
    assert PageFiles(tmp_path, {"catalogue.json": b"{}"}).version != files.version
    (tmp_path / "words" / "words.js").write_text("export const words = {};")
    assert PageFiles(tmp_path, generated).version != files.version


def test_the_catalogue_is_what_the_api_answers(files: PageFiles, new_page: NewPage) -> None:
    page = new_page()
    answers = page.evaluate(
        """async () => ({
            games: await (await fetch("/api/games")).json(),
            options: await (await fetch("/api/options")).json(),
        })"""
    )
    assert json.loads(files["catalogue.json"].content) == answers
