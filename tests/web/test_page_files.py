"""The page loads little, and names each file by its version."""

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, Route

from divisorduel.web.page_files import FOLDER, STYLES, PageFiles
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


def first_load(files: PageFiles) -> list[str]:
    """Return the files that the page names, which are those of its first view."""
    page = files["index.html"].content.decode()
    kinds = "stylesheet", "modulepreload", "preload"
    named = [address for kind in kinds for address in links(page, kind)]
    named += re.findall(r' src="([^"]+)"', page)
    return [address.removeprefix(files.base) for address in named]


def test_the_first_load_is_small(files: PageFiles) -> None:
    names = first_load(files)
    assert {"joined/style.css", "joined/main.js", "joined/first.js"} < {*names}
    needed = [files[name] for name in ("index.html", *names)]
    sizes = {
        "as it is": sum(len(file.content) for file in needed),
        "gzip": sum(len(file.encoded("gzip")[1]) for file in needed),
        "br": sum(len(file.encoded("br")[1]) for file in needed),
    }
    assert sizes["as it is"] <= MOST_BYTES, sizes
    assert sizes["br"] < sizes["gzip"] <= MOST_COMPRESSED, sizes


@pytest.mark.parametrize(
    ("where", "shown", "more"),
    [
        ("", ".home", set()),
        ("#/rules/chain", ".rules", {"rules.js", "shared.js"}),
        ("#/analysis", ".table", {"analysis_view.js", "shared.js"}),
    ],
)
def test_a_view_loads_a_handful_of_files_each_once(
    new_page: NewPage, files: PageFiles, where: str, shown: str, more: set[str]
) -> None:
    page = new_page(where)
    page.locator(shown).wait_for()
    names = [path.removeprefix(files.base) for path in loaded(page) if path.endswith(".js")]
    first = {name for name in first_load(files) if name.endswith(".js")}
    assert sorted(names) == sorted(first | {f"joined/{name}" for name in more})


@pytest.mark.thorough
def test_a_match_is_asked_for_while_its_view_is_loaded(new_page: NewPage) -> None:
    page = new_page()
    start_game(page, "chain")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.route("**/match_entry.js", lambda route: waiting.append(route))
    waiting: list[Route] = []
    with page.expect_response("**/board"):
        page.reload()
    assert not page.locator(".board").is_visible()
    for route in waiting:
        route.continue_()
    page.locator(".board").wait_for()
    assert len([url for url in asked if url.endswith(("/board", "/live"))]) <= 2


def test_every_file_of_the_first_view_has_the_version_in_its_address(
    new_page: NewPage, files: PageFiles
) -> None:
    page = new_page()
    page.locator(".home").wait_for()
    paths = {path for path in loaded(page) if not path.startswith("/api/")}
    assert {path for path in paths if not path.startswith(files.base)} <= {"/static/icon.svg"}


def test_the_style_sheets_are_joined_in_order(files: PageFiles) -> None:
    style = files["joined/style.css"].content
    at = [style.index(files[name].content) for name in STYLES]
    assert at == sorted(at)
    assert b"url(" not in style  # an address would be relative to another folder


def test_the_single_modules_are_served_for_developers(files: PageFiles) -> None:
    for name in ("first", "match_entry"):
        source_map = json.loads(files[f"joined/{name}.js.map"].content)
        for source in source_map["sources"]:
            assert source.removeprefix("../") in files


def test_only_what_the_page_loads_is_kept_for_use_without_the_server(files: PageFiles) -> None:
    [kept] = re.findall(r"const FILES = \[(.*)\];", files["service_worker.js"].content.decode())
    names = {name.strip('"') for name in kept.split(", ")}
    assert {*first_load(files), "index.html", "joined/match_entry.js", "analysis.css"} < names
    assert not names & {"main.js", "home.css", "joined/main.js.map", "views/docs.js", "docs.html"}


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
