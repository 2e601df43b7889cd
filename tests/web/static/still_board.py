"""A board that does not move."""

from playwright.sync_api import Page

from tests.web.game_page import Rectangle, in_view, rectangle


class StillBoard:
    """The board where it was at the beginning."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.rectangle: Rectangle = rectangle(page)

    def check(self) -> None:
        """Check that the board has not moved and that the window does not scroll sideways."""
        assert rectangle(self.page) == self.rectangle
        assert in_view(self.page, ".board")
        assert self.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
