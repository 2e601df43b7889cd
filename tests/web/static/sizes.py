"""The windows at which the page is tested, from a small phone to a large screen."""

from playwright.sync_api import Page

Size = tuple[int, int]

SIZES: list[Size] = [(320, 640), (390, 844), (768, 1024), (1280, 860), (1920, 1080)]


def viewport(size: Size) -> dict[str, int]:
    """Return a size as Playwright expects it."""
    return {"width": size[0], "height": size[1]}


def is_narrow(page: Page) -> bool:
    """Return whether advice, moves and graph are sheets instead of columns."""
    return bool(page.evaluate("innerWidth < 1000"))
