"""Everything that a match offers, at every size, in both themes, by mouse, touch and keyboard."""

import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from tests.conftest import thorough_except
from tests.web.browser import NewPage, browser, new_page
from tests.web.game_page import in_view, legal, tile, turns
from tests.web.static.page_users import CELLS, TouchUser, User, new_user
from tests.web.static.sizes import SIZES, Size, is_narrow, viewport
from tests.web.static.still_board import StillBoard

__all__ = ["browser", "new_page"]

USUAL = ((SIZES[0], "touch", "dark"),)


@pytest.mark.parametrize(("size", "way", "scheme"), thorough_except(CELLS, *USUAL))
def test_a_match_is_played_with_advice_reviewed_and_played_again(
    size: Size, way: str, scheme: str, new_page: NewPage
) -> None:
    user = new_user(new_page, size, way, scheme)
    page = user.page
    begin(user)
    still = StillBoard(page)
    ask_why_too_early(user, still)
    take_a_wrong_number(user, still)
    ask_for_hints(user, still)
    undo_and_redo(user, still)
    open_the_graph(user, still)
    play_to_the_end(user, still)
    review_the_mistakes(user, still)
    user.press(page.locator(".bar").get_by_role("button", name="Play again"))
    expect(page.locator(".tile.taken")).to_have_count(0)
    still.check()
    user.press(page.get_by_role("link", name="Divisor Duel"))
    expect(page.get_by_role("link", name="Follow the chain")).to_be_visible()


def begin(user: User) -> None:
    page = user.page
    user.press(page.locator("[data-game=chain]"))
    user.press(page.locator("[name=opponent][value=here]"))
    user.press(page.locator("[name=size][value=custom]"))
    page.locator("[name=to]").fill("20")
    user.press(page.get_by_role("button", name="Play", exact=True))
    expect(page.locator(".tile")).to_have_count(19)


def take_a_wrong_number(user: User, still: StillBoard) -> None:
    user.take(8)
    expect(tile(user.page, 8)).to_have_accessible_name(
        re.compile("by Player 1 on turn 1, the last")
    )
    expect(tile(user.page, 8).locator(".note")).to_have_text("1")
    expect(tile(user.page, 8).locator(".note")).to_be_visible()
    user.try_number(19)
    expect(user.page.get_by_role("alert")).to_contain_text("19 neither divides")
    assert in_view(user.page, ".message .reason")
    still.check()


def ask_why_too_early(user: User, still: StillBoard) -> None:
    """Ask for the reason before the hints: it must not give the move away."""
    page = user.page
    if is_narrow(page):
        user.press(page.get_by_role("button", name="More"))
        user.press(page.locator(".menu").get_by_role("button", name="Why?"))
    else:
        user.press(page.locator(".bar").get_by_role("button", name="Why?"))
    told = page.locator(".advice p").first
    expect(told).to_contain_text("You can win.")
    expect(told).not_to_contain_text(re.compile("[0-9]"))
    expect(page.locator(".tile:is(.best, .paired)")).to_have_count(0)
    still.check()
    close_advice(user)


def ask_for_hints(user: User, still: StillBoard) -> None:
    page = user.page
    user.press(page.locator(".bar").get_by_role("button", name="Hint"))
    advice = page.locator(".advice" if is_narrow(page) else ".bar")
    for step in range(3):
        expect(page.locator(".advice p").first).not_to_have_class("quiet")
        assert in_view(page, ".advice")
        assert page.evaluate(COVERED) == []
        still.check()
        expect(page.locator(".tile.best")).to_have_count(int(step == 2))
        if step < 2:
            user.press(advice.get_by_role("button", name="Another hint"))
    user.press(advice.get_by_role("button", name="Why?"))
    expect(page.locator(".advice p").first).not_to_have_class("quiet")
    expect(page.locator(".tile.paired .note").first).to_be_visible()
    still.check()
    close_advice(user)


COVERED = """() => [...document.querySelectorAll(".board .tile")].filter((tile) => {
    const { left, top, width, height } = tile.getBoundingClientRect();
    const seen = document.elementFromPoint(left + width / 2, top + height / 2);
    return seen?.closest(".tile") !== tile;
}).map((tile) => tile.textContent)"""


def close_advice(user: User) -> None:
    user.press(user.page.locator(".advice .close"))
    expect(user.page.locator(".advice")).to_be_empty()


def undo_and_redo(user: User, still: StillBoard) -> None:
    page = user.page
    user.press(page.get_by_role("button", name="Undo"))
    expect(page.locator(".tile.taken")).to_have_count(0)
    still.check()
    if is_narrow(page):
        user.press(page.get_by_role("button", name="More"))
    user.press(page.get_by_role("button", name="Redo"))
    expect(page.locator(".tile.taken")).to_have_count(1)
    still.check()


def open_the_graph(user: User, still: StillBoard) -> None:
    page = user.page
    if is_narrow(page):
        user.press(page.get_by_role("button", name="Graph"))
    expect(page.locator(".node.legal").first).to_be_visible()
    if is_narrow(page):
        user.press(page.locator(".panel.open > .close"))
        expect(page.locator(".node.legal").first).to_be_hidden()
    still.check()


def play_to_the_end(user: User, still: StillBoard) -> None:
    page = user.page
    while numbers := legal(page):
        taken = turns(page)
        user.take(numbers[0])
        expect(page.locator(".moves li button")).to_have_count(taken + 1)
        expect(page.locator(".tile.last .digits")).to_have_text(str(numbers[0]))
        expect(page.locator(".trace path")).to_have_attribute("d", re.compile("^M"))  # the link
        still.check()
    result = page.get_by_role("region", name="Result")
    expect(result.locator(".title")).to_contain_text("wins!")
    expect(result.locator(".sparkline")).to_be_visible()
    assert in_view(page, ".result")
    still.check()


def review_the_mistakes(user: User, still: StillBoard) -> None:
    page = user.page
    user.press(page.get_by_role("button", name=re.compile("Find (it|them)")))
    expect(page.locator(".remark")).to_be_visible()
    for part in (".board", ".remark", ".tile.bad"):
        assert in_view(page, part)
    still.check()
    before = page.locator(".tile.taken").count()
    user.press(page.get_by_role("button", name="Next step", exact=True))
    expect(page.locator(".tile.taken")).to_have_count(before + 1)
    user.press(page.locator(".timeline button").first)
    expect(page.locator(".tile.taken")).to_have_count(0)
    still.check()
    user.press(page.get_by_role("button", name="Close review"))
    expect(page.locator(".review")).to_be_hidden()
    still.check()


SHEETS = {"advice": "Hint", "graph": "Graph", "menu": "More"}


@pytest.mark.thorough
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("view", ["match", *SHEETS, "result", "review"])
def test_axe_finds_no_violation_on_a_phone(view: str, scheme: str, new_page: NewPage) -> None:
    page = new_page(viewport=viewport(SIZES[0]), color_scheme=scheme, has_touch=True)
    user = TouchUser(page)
    begin(user)
    if view in ("result", "review"):
        user.take(8)
        play_to_the_end(user, StillBoard(page))
    if view == "review":
        user.press(page.get_by_role("button", name=re.compile("Find (it|them)")))
        expect(page.locator(".remark")).to_be_visible()
    elif view in SHEETS:
        user.press(page.locator(".bar").get_by_role("button", name=SHEETS[view]))
        expect(page.locator(".panel.open, .advice p:not(.quiet)").first).to_be_visible()
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()
