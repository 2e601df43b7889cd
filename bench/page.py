"""Benchmark the first load of the page: the time until it is usable, and the bytes sent."""

import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from bench.timing import Result, seconds

DUEL = str(Path(sys.executable).with_name("duel"))
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-sync"]
TIMES = 5


def first_load_of_the_page() -> Result:
    """Load the page in new browser contexts, against an empty page from the same server."""
    chromium = shutil.which("chromium")
    if chromium is None:
        return Result("First load of the page", "Chromium is missing", "under 1 s", False)  # noqa: FBT003
    with (
        _server() as url,
        sync_playwright() as playwright,
        playwright.chromium.launch(executable_path=chromium, args=FLAGS) as browser,
    ):
        loads = [_load(browser, url, "button.play") for _ in range(TIMES)]
        empty = [_load(browser, f"{url}static/icon.svg", "svg") for _ in range(TIMES)]
    ours, sent = min(loads)
    return Result(
        "First load of the page until it is usable, against an empty page",
        f"{ours * 1000:.0f} ms, {ours / min(empty)[0]:.1f} times; {sent / 1000:.0f} KB",
        "under 1 s, under 150 KB",
        ours < 1 and sent < 150_000,
    )


def _load(browser: Browser, address: str, until: str) -> tuple[float, int]:
    sizes: list[int] = []
    page = browser.new_context().new_page()
    session = page.context.new_cdp_session(page)
    session.send("Network.enable")
    session.on("Network.loadingFinished", lambda done: sizes.append(done["encodedDataLength"]))

    def load() -> None:
        page.goto(address, wait_until="commit")
        page.locator(until).wait_for()

    took = seconds(load)
    page.context.close()
    return took, sum(sizes)


@contextmanager
def _server() -> Iterator[str]:
    with tempfile.TemporaryDirectory() as folder:
        database = f"sqlite:///{folder}/games.sqlite"
        command = [DUEL, "serve", "--no-open", "--port", "0", "--database", database]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
            line = server.stdout.readline() if server.stdout else ""
            found = re.search(r"http://\S+", line)
            try:
                if found is None:
                    raise RuntimeError("the server did not start")
                yield found[0]
            finally:
                server.terminate()
