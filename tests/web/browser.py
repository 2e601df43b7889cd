"""The installed Chromium, driven by Playwright."""

import os
import shutil
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, sync_playwright

from tests.web.clients import Server

FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
NAMES = (
    "chromium-headless-shell",  # the same engine without a window, at a third of the cost
    "chromium",
    "chromium-browser",
    "google-chrome",
    "chrome",
)

NewPage = Callable[..., Page]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Start a browser for the tests of a module; each test opens fresh contexts in it.

    It does not run for the whole session: while Playwright runs, no other test of this process can
    run an event loop.
    """
    found = next(filter(None, map(shutil.which, NAMES)), None)
    if found is None:
        missing = "Chromium is not installed. On Debian: apt-get install chromium-headless-shell"
        if os.environ.get("DUEL_REQUIRE_ALL"):
            pytest.fail(missing)
        pytest.skip(missing)
    with (
        sync_playwright() as playwright,
        playwright.chromium.launch(executable_path=found, args=list(FLAGS)) as running,
    ):
        yield running


@pytest.fixture
def new_page(browser: Browser, web: Server) -> Iterator[NewPage]:
    """Open pages, each as a different person: ``new_page("#/rules")``. No page may log an error."""
    contexts: list[BrowserContext] = []
    errors: list[str] = []

    def record_error(said: ConsoleMessage) -> None:
        if said.type == "error":
            errors.append(said.text)

    def open_page(where: str = "", **options: object) -> Page:
        # Keeping the files of the page for later would take time in every test.
        options = {"reduced_motion": "reduce", "service_workers": "block", **options}
        context = browser.new_context(**options)  # type: ignore[arg-type]  # Playwright's options
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(20_000)
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("console", record_error)
        page.goto(where if where.startswith("http") else f"{web.url}/{where}")
        return page

    yield open_page
    for context in contexts:
        context.close()
    lost = "Failed to load resource"  # the test refused or interrupted the request
    assert [said for said in errors if lost not in said and "WebSocket" not in said] == []
