"""Three ways to use the page: a mouse, a finger and a keyboard."""

from abc import ABC, abstractmethod

from playwright.sync_api import Locator, Page

from tests.web.game_page import tile


class Hands(ABC):
    """A person at a page."""

    def __init__(self, page: Page) -> None:
        self.page = page

    @abstractmethod
    def press(self, target: Locator) -> None:
        """Press a button, follow a link or choose an option."""

    def try_number(self, number: int) -> None:
        """Choose a number, whether it can be taken or not."""
        self.press(tile(self.page, number))

    def take(self, number: int) -> None:
        """Take a number, and wait until it is taken."""
        self.try_number(number)
        self.page.locator(f".tile[aria-label^='{number}, taken']").wait_for()


class Mouse(Hands):
    """A person with a mouse."""

    def press(self, target: Locator) -> None:
        """Click the target."""
        target.click()

    def try_number(self, number: int) -> None:
        """Click a tile, even if it says that it is disabled."""
        tile(self.page, number).click(force=True)


class Finger(Hands):
    """A person with a touch screen."""

    def press(self, target: Locator) -> None:
        """Tap the target."""
        target.tap()

    def try_number(self, number: int) -> None:
        """Tap a tile, even if it says that it is disabled."""
        tile(self.page, number).tap(force=True)


class Keys(Hands):
    """A person with a keyboard."""

    def press(self, target: Locator) -> None:
        """Go to the target and press the key that uses it."""
        target.focus()
        is_input = target.evaluate("element => element.tagName === 'INPUT'")
        self.page.keyboard.press("Space" if is_input else "Enter")

    def try_number(self, number: int) -> None:
        """Type a number."""
        self.page.keyboard.type(str(number))
        self.page.keyboard.press("Enter")


WAYS: dict[str, type[Hands]] = {"mouse": Mouse, "touch": Finger, "keyboard": Keys}
