"""Steps that several walks share."""

from playwright.sync_api import Page

from tests.web.static.page_users import User
from tests.web.static.sizes import is_narrow


def fits(page: Page) -> bool:
    """Return whether nothing overflows the window: neither the page nor an open dialog."""
    return bool(
        page.evaluate(
            """() => [document.documentElement, ...document.querySelectorAll("dialog")].every(
                (part) => part.scrollWidth <= part.clientWidth
                    && part.getBoundingClientRect().right <= innerWidth + 1)"""
        )
    )


def go_home(user: User) -> None:
    """Leave a match, the rules or an analysis."""
    user.press(user.page.get_by_role("link", name="Divisor Duel", exact=True))
    user.page.locator(".home").wait_for()


def menu(user: User, name: str) -> None:
    """Press a button that a narrow window has in a menu."""
    if is_narrow(user.page):
        user.button("More")
    user.press(user.page.locator(".menu").get_by_role("button", name=name))


def start(user: User, game: str, opponent: str, **fields: str) -> None:
    """Choose a game, fill in its sheet and start it."""
    page = user.page
    user.press(page.locator(f"[data-game={game}]"))
    user.press(page.locator(f"[name=opponent][value={opponent}]"))
    user.press(page.locator("[name=size][value=custom]"))
    for name, text in fields.items():
        field = page.locator(f"form.setup [name={name}]")
        if not field.is_visible():
            user.press(page.get_by_text("More options"))
        user.write(field, text)
    assert fits(page)
    user.button("Play")
    page.locator(".table").wait_for()


# --- the analysis


def judged(page: Page) -> None:
    """Wait until the position on the page has a verdict."""
    page.locator(".verdict:is(.wins, .loses)").wait_for()


def set_up(user: User, part: str = "") -> None:
    """Open the sheet for a position, and a part of it."""
    page = user.page
    if is_narrow(page):
        user.button("Set up")
    details = page.locator(".positions details", has_text=part)
    if part and details.get_attribute("open") is None:
        user.press(details.locator("summary"))


def paste(user: User, text: str) -> None:
    """Open a position code, a link or a saved game."""
    page = user.page
    set_up(user, "Paste a position")
    user.write(page.get_by_label("Position code, link or saved game"), text)
    user.button("Open")
