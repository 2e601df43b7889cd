"""People who use the page: by mouse, by touch and by keyboard."""

from abc import ABC, abstractmethod
from itertools import count, product
from typing import Any

from playwright.sync_api import Locator, Page, expect

from tests.web.browser import NewPage
from tests.web.game_page import tile
from tests.web.static.sizes import SIZES, Size, viewport


class User(ABC):
    """A person at a page."""

    def __init__(self, page: Page) -> None:
        self.page = page

    @abstractmethod
    def press(self, target: Locator) -> None:
        """Press a button, follow a link or choose an option."""

    @abstractmethod
    def slide_to_the_end(self, slider: Locator) -> None:
        """Move a slider to its largest value."""

    def button(self, name: str) -> None:
        """Press the button of a name: the one in the dialog, if a dialog is open."""
        dialog = self.page.get_by_role("dialog")
        inside = dialog.last if dialog.count() else self.page
        self.press(inside.get_by_role("button", name=name, exact=True).first)

    def write(self, field: Locator, text: str) -> None:
        """Go to a field and replace what is in it."""
        self.reach(field)
        self.page.keyboard.press("ControlOrMeta+a")
        self.page.keyboard.insert_text(text)

    def reach(self, field: Locator) -> None:
        """Go to a field."""
        self.press(field)

    def choose(self, choices: Locator, value: str) -> None:
        """Choose a value from a list, which the browser opens outside the page."""
        choices.select_option(value)

    def try_number(self, number: int) -> None:
        """Choose a number, whether it can be taken or not."""
        self.press(tile(self.page, number))

    def take(self, number: int) -> None:
        """Take a number, and wait until it is taken."""
        self.try_number(number)
        self.page.locator(f".tile[aria-label^='{number}, taken']").wait_for()


class MouseUser(User):
    """A person with a mouse."""

    def press(self, target: Locator) -> None:
        """Click the target."""
        target.click()

    def slide_to_the_end(self, slider: Locator) -> None:
        """Click at its right end."""
        slider.click(position=right_end(slider))

    def try_number(self, number: int) -> None:
        """Click a tile, even if it says that it is disabled."""
        tile(self.page, number).click(force=True)


class TouchUser(User):
    """A person with a touch screen."""

    def press(self, target: Locator) -> None:
        """Tap the target."""
        target.tap()

    def slide_to_the_end(self, slider: Locator) -> None:
        """Tap its right end."""
        slider.tap(position=right_end(slider))

    def try_number(self, number: int) -> None:
        """Tap a tile, even if it says that it is disabled."""
        tile(self.page, number).tap(force=True)


class KeyboardUser(User):
    """A person with a keyboard."""

    def press(self, target: Locator) -> None:
        """Go to the target and press the key that uses it."""
        self.reach(target)
        is_input = target.evaluate("element => element.tagName === 'INPUT'")
        self.page.keyboard.press("Space" if is_input else "Enter")

    def reach(self, field: Locator) -> None:
        """Focus an element that the Tab key reaches."""
        field.focus()
        expect(field).to_be_focused()
        assert field.evaluate("element => element.tabIndex >= 0 && element.checkVisibility()")

    def slide_to_the_end(self, slider: Locator) -> None:
        """Press End."""
        self.reach(slider)
        self.page.keyboard.press("End")

    def choose(self, choices: Locator, value: str) -> None:
        """Press the arrow keys until the value is chosen."""
        for step in count():
            expect(choices).to_have_count(1)  # a choice may replace the sheet that has the list
            if choices.input_value() == value:
                return
            self.reach(choices)
            self.page.keyboard.press("ArrowDown" if step else "Home")

    def try_number(self, number: int) -> None:
        """Type a number, after leaving the field that would receive its digits."""
        if self.page.evaluate("document.activeElement.matches('input, select, textarea')"):
            self.page.locator(".tile[tabindex='0']").focus()
        self.page.keyboard.type(str(number))
        self.page.keyboard.press("Enter")


def right_end(slider: Locator) -> Any:
    """Return a place at the right end of a slider, inside it."""
    box = slider.bounding_box()
    assert box is not None
    return {"x": box["width"] - 2, "y": box["height"] / 2}


WAYS: dict[str, type[User]] = {"mouse": MouseUser, "touch": TouchUser, "keyboard": KeyboardUser}
SCHEMES = "light", "dark"

Cell = tuple[Size, str, str]
CELLS: list[Cell] = [*product(SIZES, WAYS, SCHEMES)]
"""Every way of using the page, at every size and in both themes."""


def new_user(
    new_page: NewPage, size: Size, way: str, scheme: str, where: str = "", **options: object
) -> User:
    """Open a page for a person with a window of this size."""
    window = {"viewport": viewport(size), "color_scheme": scheme, "has_touch": way == "touch"}
    return WAYS[way](new_page(where, **window, **options))
