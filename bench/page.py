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
MOST_SECONDS, MOST_COMPRESSED, MOST_BYTES = 0.5, 60_000, 150_000


def first_load_of_the_page() -> Result:
    """Load the page in new browser contexts, against an empty page from the same server."""
    chromium = shutil.which("chromium")
    if chromium is None:
        return Result("First load of the page", "Chromium is missing", "under 0.5 s", False)  # noqa: FBT003
    with (
        running_server() as url,
        sync_playwright() as playwright,
        playwright.chromium.launch(executable_path=chromium, args=FLAGS) as browser,
    ):
        loads = [_load(browser, url, "button.play") for _ in range(TIMES)]
        empty = [_load(browser, f"{url}static/icon.svg", "svg") for _ in range(TIMES)]
    ours, sent, unpacked = min(loads)
    return Result(
        "First load of the page until it is usable, against an empty page",
        f"{ours * 1000:.0f} ms, {ours / min(empty)[0]:.1f} times; "
        f"{sent / 1000:.0f} KB with headers, {unpacked / 1000:.0f} KB uncompressed",
        "under 0.5 s, at most 60 KB, at most 150 KB uncompressed",
        ours < MOST_SECONDS and sent <= MOST_COMPRESSED and unpacked <= MOST_BYTES,
    )


def _load(browser: Browser, address: str, until: str) -> tuple[float, int, int]:
    """Return the seconds, and the bytes that were sent, compressed and with headers, and unpacked.

    What the service worker then keeps for use without the server is not part of the first load.
    """
    sent: list[int] = []
    unpacked: list[int] = []
    page = browser.new_context(service_workers="block").new_page()
    session = page.context.new_cdp_session(page)
    session.send("Network.enable")
    session.on("Network.loadingFinished", lambda done: sent.append(done["encodedDataLength"]))
    session.on("Network.dataReceived", lambda data: unpacked.append(data["dataLength"]))

    def load() -> None:
        page.goto(address, wait_until="commit")
        page.locator(until).wait_for()

    took = seconds(load)
    page.wait_for_load_state("networkidle")
    page.context.close()
    return took, sum(sent), sum(unpacked)


@contextmanager
def running_server() -> Iterator[str]:
    """Run a server, and return its address."""
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
