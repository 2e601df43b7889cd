"""The review of a game: whose mistakes it shows, and what could have happened."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.web.browser import NewPage, browser, new_page
from tests.web.game_page import start_game, take, tile
from tests.web.static.page_users import CELLS, new_user
from tests.web.static.sizes import SIZES, Size, viewport

__all__ = ["browser", "new_page"]


def play_online(new_page: NewPage, numbers: tuple[int, ...]) -> tuple[Page, Page]:
    """Play a game of multiples from 2 to 9 between a laptop and a small phone."""
    one = new_page()
    start_game(one, "divider", "link", you="Ann")
    invite = one.locator(".linkrow input").first.input_value()
    two = new_page(invite.split("/", 3)[3], viewport=viewport(SIZES[0]))
    two.get_by_label("Your name").fill("Bob")
    two.get_by_role("button", name="Join the game").click()
    for turn, number in enumerate(numbers):
        mover = two if turn % 2 else one
        expect(mover.locator(".table")).to_have_attribute("data-phase", "mine")
        take(mover, number)
    return one, two


@pytest.mark.thorough
def test_a_review_begins_with_your_mistakes_and_shows_what_could_have_happened(
    new_page: NewPage,
) -> None:
    _, page = play_online(new_page, (3, 8, 5, 2, 7))
    expect(page.locator(".found")).to_contain_text("You made 2 mistakes; Ann made 2.")
    page.get_by_role("button", name="Find them").click()
    remark = page.locator(".remark")
    expect(remark).to_contain_text("Your mistake (1 of 2). Turn 2: you took 8.")
    step = page.get_by_role("button", name="Next step", exact=True)
    step.click()
    expect(remark).to_contain_text("Press → to see the best answer.")
    step.click()
    expect(remark).to_contain_text("Ann could have answered with 2")
    expect(remark).to_contain_text("In the game, Ann took 5.")
    expect(tile(page, 2)).to_have_class(re.compile(r"\bcould\b"))
    expect(tile(page, 2)).to_have_accessible_name(re.compile("could be taken by Ann"))
    expect(tile(page, 8)).not_to_have_class(re.compile(r"\bcould\b"))
    page.get_by_role("button", name="Next mistake").click()
    expect(remark).to_contain_text("Your mistake (2 of 2). Turn 4: you took 2.")
    expect(page.get_by_role("button", name="Next mistake")).to_have_count(0)
    page.get_by_role("button", name="Ann's mistakes").click()
    expect(remark).to_contain_text("Ann's mistake (1 of 2). Turn 1: Ann took 3.")
    page.get_by_role("button", name="Your mistakes").click()
    expect(remark).to_contain_text("Your mistake (1 of 2).")


@pytest.mark.thorough
def test_two_people_at_one_screen_see_the_mistakes_of_both(new_page: NewPage) -> None:
    page = new_page()
    start_game(page, "divider")
    take(page, 3, 8, 5, 2, 7)
    page.get_by_role("button", name="Find them").click()
    expect(page.locator(".remark")).to_contain_text("Mistake 1 of 4. Turn 1: Player 1 took 3.")
    expect(page.get_by_role("button", name="mistakes")).to_have_count(0)


@pytest.mark.thorough
@pytest.mark.parametrize(("size", "way", "scheme"), CELLS)
def test_the_moves_after_a_mistake_are_shown_in_full(
    size: Size, way: str, scheme: str, new_page: NewPage
) -> None:
    user = new_user(new_page, size, way, scheme)
    page = user.page
    start_game(page, "divider")
    take(page, 3, 8, 5, 2, 7)
    user.button("Find them")
    user.button("Show the moves")
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("After 3")
    fits = "told => told.scrollHeight <= told.clientHeight + 1"
    assert dialog.evaluate(fits)
    expect(dialog.locator("p")).to_be_in_viewport(ratio=1)
