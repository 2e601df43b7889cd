"""Home: games to continue and games to choose."""

import re

import pytest
from playwright.sync_api import expect

from tests.web.browser import NewPage, browser, new_page
from tests.web.game_page import start_game

__all__ = ["browser", "new_page"]


@pytest.mark.thorough
def test_an_unfinished_game_is_removed_from_the_list_only_after_confirmation(
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


@pytest.mark.thorough
def test_a_game_with_a_friend_can_be_any_game_and_each_board_names_its_numbers(
    new_page: NewPage,
) -> None:
    page = new_page()
    page.get_by_role("button", name="Play a friend").click()
    page.locator("form.setup [name=game]").select_option("Divisibility Duel: Follow the chain")
    sheet = page.get_by_role("dialog")
    expect(sheet).to_have_count(1)
    expect(sheet.get_by_role("heading")).to_have_text("Divisibility Duel")
    expect(sheet.locator("[name=opponent][value=link]")).to_be_checked()
    sizes = sheet.locator("[name=size] + span")
    named = ("Small 2.20", "Classic 2.50", "Large 2.100", "Custom")  # with a dash
    expect(sizes).to_have_text([re.compile(f"^{name}$") for name in named])
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.locator(".waiting")).to_be_visible()
    expect(page.locator("h1")).to_contain_text("Divisibility Duel")
