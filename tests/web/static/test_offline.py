"""The page can be installed, opens without the server, and follows the server to a new version."""

import json
import re
import struct
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from divisorduel.web.page_files import FOLDER
from tests.polling import wait_until
from tests.web.browser import browser
from tests.web.clients import Server
from tests.web.databases import sqlite_in
from tests.web.game_page import start_game, take

__all__ = ["browser"]


class EditedServer(Server):
    """A server whose page has other texts: ``{"words/words.js": ["old", "new"]}``."""

    def __init__(self, database: str, folder: Path) -> None:
        super().__init__(database, folder)
        self.edits: dict[str, list[str]] = {}

    def _command(self) -> list[str]:
        words = [self.database, str(self.port), json.dumps(self.edits)]
        return [sys.executable, "-m", "tests.web.static.edited_server", *words]


@pytest.fixture
def server(tmp_path: Path) -> Iterator[EditedServer]:
    """Start a server that the test may stop and start again."""
    with EditedServer(sqlite_in(tmp_path), tmp_path) as server:
        yield server


@pytest.fixture
def page(browser: Browser, server: EditedServer) -> Iterator[Page]:
    """Open the page in a browser that has kept its files."""
    with ExitStack() as stack:
        context = browser.new_context(reduced_motion="reduce")
        stack.callback(context.close)
        page = context.new_page()
        page.goto(server.url)
        page.locator(".home").wait_for()
        wait_for_files(page)
        yield page


def wait_for_files(page: Page) -> None:
    page.evaluate("navigator.serviceWorker.ready.then(() => {})")
    page.wait_for_function("navigator.serviceWorker.controller?.state === 'activated'")


def kept(page: Page) -> dict[str, str]:
    """Return everything that the browser keeps for the page: addresses and contents."""
    found: dict[str, str] = page.evaluate(
        """async () => {
            const found = {};
            for (const name of await caches.keys()) {
                const cache = await caches.open(name);
                for (const request of await cache.keys()) {
                    found[request.url] = await (await cache.match(request)).text();
                }
            }
            return found;
        }"""
    )
    return found


def test_the_manifest_has_what_browsers_need_to_install_the_page() -> None:
    manifest = json.loads((FOLDER / "manifest.webmanifest").read_text())
    assert manifest["start_url"] == manifest["scope"] == manifest["id"] == "/"
    assert manifest["display"] == "standalone"
    for icon in manifest["icons"]:
        file = FOLDER / icon["src"]
        if file.suffix == ".png":
            width, height = struct.unpack(">II", file.read_bytes()[16:24])
            assert icon["sizes"] == f"{width}x{height}"
    assert {icon["sizes"] for icon in manifest["icons"]} >= {"any", "192x192", "512x512"}
    assert "maskable" in {icon.get("purpose") for icon in manifest["icons"]}


@pytest.mark.thorough
def test_a_browser_finds_nothing_wrong_with_the_manifest(page: Page) -> None:
    session = page.context.new_cdp_session(page)
    told = session.send("Page.getAppManifest")
    assert told["errors"] == []
    assert json.loads(told["data"])["name"] == "Divisor Duel"


@pytest.mark.thorough
def test_the_page_opens_without_the_server_and_says_what_needs_it(
    page: Page, server: EditedServer
) -> None:
    server.stop()
    page.reload()
    page.locator(".home").wait_for()
    expect(page.locator(".offline")).to_contain_text("games, hints and reviews need it")
    assert page.evaluate("document.querySelector('.brand img').naturalWidth") > 0
    page.locator("[data-game=chain]").click()
    page.get_by_role("button", name="Play", exact=True).click()
    alert = page.get_by_role("alert").filter(has_text="The server is not responding.")
    expect(alert).to_be_visible()
    page.goto(f"{server.url}/#/rules/juniper")
    expect(page.locator("h1")).to_have_text("How to play Juniper Green")
    page.goto(f"{server.url}/#/match/k3v9h2m8qa/abcdefghijklmnopqrstuvwx")
    expect(page.get_by_role("alert")).to_contain_text("The server is not responding.")
    server.restart()
    page.goto(f"{server.url}/#/")
    page.locator(".home").wait_for()
    expect(page.locator(".offline")).to_be_hidden()
    start_game(page, "chain")


@pytest.mark.thorough
def test_only_the_files_of_the_page_are_kept_and_no_answer_or_key(
    page: Page, server: EditedServer
) -> None:
    start_game(page, "chain", "link")
    keys = re.findall(r"/match/\w+/([\w-]+)", page.locator(".linkrow input").first.input_value())
    page.reload()
    page.locator(".table").wait_for()
    page.goto(f"{server.url}/")
    start_game(page, "chain")
    take(page, 4, 2, 14, 7)
    everything = kept(page)
    assert len(keys) == 1
    assert all("/static/" in address for address in everything)
    version = {address.split("/")[4] for address in everything}
    assert len(version) == 1
    for address, content in everything.items():
        assert not any(key in address + content for key in keys)
    assert "k3v9h2m8qa" not in "".join(everything)


@pytest.mark.thorough
def test_a_new_version_of_the_server_is_seen_at_the_next_visit_and_replaces_the_old(
    page: Page, server: EditedServer
) -> None:
    old = kept(page)
    server.stop()
    server.edits = {
        "words/home.js": ["Number games for two", "The second version"],
        "style.css": [":root {", ":root { --version: 2;"],
    }
    server.restart()
    page.goto(f"{server.url}/#/")
    page.reload()
    expect(page.get_by_role("heading", name="The second version")).to_be_visible()
    style = "getComputedStyle(document.documentElement).getPropertyValue('--version')"
    assert page.evaluate(style).strip() == "2"
    for _ in wait_until("the old files are gone"):
        if cache_of(old) not in page.evaluate("caches.keys()"):
            break
    wait_for_files(page)
    new = kept(page)
    assert not {*old} & {*new}
    assert len(new) == len(old)

    server.stop()
    page.reload()
    expect(page.get_by_role("heading", name="The second version")).to_be_visible()


def cache_of(everything: dict[str, str]) -> str:
    """Return the name under which a browser keeps these files."""
    [version] = {address.split("/")[4] for address in everything}
    return f"divisorduel /static/{version}/"


@pytest.mark.thorough
def test_a_page_that_is_open_during_an_update_still_finds_its_other_views(
    browser: Browser, server: EditedServer
) -> None:
    with browser.new_context(service_workers="block", reduced_motion="reduce") as context:
        page = context.new_page()
        page.goto(server.url)
        page.locator(".home").wait_for()
        server.stop()
        server.edits = {
            "words/lists.js": ["export const", 'export const second = "!";\nexport const'],
            "views/rules.js": ["import {", 'import { second } from "../words/lists.js";\nimport {'],
            "words/guide.js": ["How to play", "Second version"],
        }
        server.restart()
        page.get_by_role("link", name="Rules").first.click()
        expect(page.locator("h1")).to_contain_text("Second version")
