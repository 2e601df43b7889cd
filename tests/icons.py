"""Draws the icons of the page as PNG files, from `icon.svg`. ``scripts/icons`` runs it."""

import re
import shutil

from playwright.sync_api import sync_playwright

from divisorduel.web.page_files import FOLDER
from tests.web.browser import FLAGS, NAMES

SIZES = {"icon-180.png": 180, "icon-192.png": 192, "icon-512.png": 512, "icon-maskable.png": 512}
"""The width of each icon in pixels."""
CUT = ("icon-180.png", "icon-maskable.png")
"""Icons whose corners the system cuts off; it may show no more than the middle 80%."""


def main() -> None:
    """Draw them."""
    drawing = (FOLDER / "icon.svg").read_text()
    [colour] = re.findall(r'<rect [^>]*fill="([^"]+)"', drawing)
    found = next(filter(None, map(shutil.which, NAMES)), None)
    with (
        sync_playwright() as playwright,
        playwright.chromium.launch(executable_path=found, args=list(FLAGS)) as browser,
    ):
        for name, width in SIZES.items():
            margin, behind = (12, colour) if name in CUT else (0, "transparent")
            style = f"margin: 0; padding: {margin}%; background: {behind}; box-sizing: border-box"
            page = browser.new_page(viewport={"width": width, "height": width})
            page.set_content(f'<body style="{style}; line-height: 0">{drawing}')
            page.screenshot(path=FOLDER / name, omit_background=True)
            page.close()


if __name__ == "__main__":
    main()
