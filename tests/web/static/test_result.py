"""The end of a game: the result card, and what it leads to."""

import pytest
from playwright.sync_api import Page, Route, expect

from tests.web.browser import NewPage, browser, new_page
from tests.web.game_page import in_view, start_game, take
from tests.web.static.sizes import SIZES, Size, viewport

__all__ = ["browser", "new_page"]

WITHIN = """([inner, outer]) => {
    const [one, other] = [inner, outer].map((part) => document.querySelector(part));
    const [small, large] = [one, other].map((part) => part.getBoundingClientRect());
    return small.width > 0 && small.left >= large.left && small.right <= large.right;
}"""


def lengthen_the_review(page: Page, turns: int) -> None:
    """Answer with a review of a game with this many turns."""

    def answer(route: Route) -> None:
        response = route.fetch()
        review = response.json()
        few = review["turns"]
        many = [few[at % len(few)] for at in range(turns)]
        review["turns"] = [{**turn, "turn": at + 1} for at, turn in enumerate(many)]
        review["told"] = {str(at + 1): "6 would have won." for at in range(turns)}
        route.fulfill(response=response, json=review)

    page.route("**/review", answer)


@pytest.mark.thorough
def test_the_sparkline_and_the_timeline_of_a_long_game_fit_on_a_small_phone(
    new_page: NewPage,
) -> None:
    page = new_page(viewport=viewport(SIZES[0]))
    lengthen_the_review(page, 44)
    start_game(page, "chain")
    take(page, 4, 2, 14, 7)
    expect(page.locator(".result .sparkline")).to_be_visible()
    fits = "document.documentElement.scrollWidth <= innerWidth"
    for inner in (".result .sparkline svg", ".result .found p", ".result .row"):
        assert page.evaluate(WITHIN, [inner, ".result"]), inner
    assert page.evaluate(fits)
    page.get_by_role("button", name="Find them").click()
    expect(page.locator(".timeline")).to_be_visible()
    assert page.evaluate(WITHIN, [".timeline", ".review"])
    assert page.evaluate(fits)


@pytest.mark.thorough
def test_the_card_says_that_the_computer_won_and_who_starts_again(new_page: NewPage) -> None:
    page = new_page()
    start_game(page, "descent", "computer", number="6")
    page.get_by_role("button", name="Give up").click()
    page.get_by_role("dialog").get_by_role("button", name="Give up").click()
    card = page.get_by_role("region", name="Result")
    expect(card.locator(".title")).to_have_text("The computer wins!")
    expect(card.get_by_role("button", name="Play again")).to_contain_text("Level 3 starts")
    expect(page.locator(".score")).to_have_text(["1 win", "0 wins"])
    expect(page.locator("h1")).to_contain_text("Divisor Duel · Down to a prime")


@pytest.mark.parametrize(
    ("opponent", "said"),
    [
        ("computer", "You made 1 mistake; Level 3 made none. You could have won at the end."),
        ("here", "1 mistake. Player 1 could have won at the end."),
    ],
)
def test_giving_up_a_won_position_counts_as_a_mistake(
    new_page: NewPage, opponent: str, said: str
) -> None:
    page = new_page()
    start_game(page, "descent", opponent, number="6")
    page.get_by_role("button", name="Give up").click()
    page.get_by_role("dialog").get_by_role("button", name="Give up").click()
    card = page.get_by_role("region", name="Result")
    expect(card.locator(".found")).to_have_text(said)
    expect(card.get_by_role("button", name="Review")).to_be_visible()


@pytest.mark.thorough
@pytest.mark.parametrize("size", [*SIZES[3:], (844, 390)])
def test_the_card_covers_no_tile_beside_the_board(size: Size, new_page: NewPage) -> None:
    page = new_page(viewport=viewport(size))
    start_game(page, "chain")
    take(page, 4, 2, 14, 7)
    page.locator(".result").wait_for()
    card = page.locator(".result").bounding_box()
    board = page.locator(".board").bounding_box()
    assert card is not None
    assert board is not None
    assert card["x"] + card["width"] <= board["x"] or card["x"] >= board["x"] + board["width"]
    assert in_view(page, ".board")
    assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")
