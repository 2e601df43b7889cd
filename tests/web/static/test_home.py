"""Home: games to continue and games to choose."""

from playwright.sync_api import expect

from tests.web.browser import NewPage, browser, new_page
from tests.web.game_page import start_game

__all__ = ["browser", "new_page"]


def test_an_unfinished_game_is_removed_from_the_list_only_after_a_question(
    new_page: NewPage,
) -> None:
    page = new_page()
    start_game(page, "chain")
    address = page.url
    page.get_by_role("link", name="Divisor Duel").click()
    remove = page.get_by_role("button", name="from the list")
    for answer, left in (("Keep it", 1), ("Remove from the list", 0)):
        remove.click()
        expect(page.get_by_role("dialog")).to_contain_text("You will not be able to return to it.")
        page.get_by_role("dialog").get_by_role("button", name=answer).click()
        expect(remove).to_have_count(left)
    page.goto(address)
    expect(page.get_by_role("alert")).to_contain_text("This browser cannot open this game.")
    expect(page.get_by_role("button", name="Try again")).to_have_count(0)  # it could not help
