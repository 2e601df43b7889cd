"""What the page says, in the window and on its tab, by mouse, touch and keyboard at every size."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.conftest import ALL_KEYS, thorough_except
from tests.web.browser import NewPage, browser, new_page
from tests.web.game_page import in_view, take
from tests.web.static.page_users import CELLS, User, new_user
from tests.web.static.sizes import SIZES, Size, is_narrow
from tests.web.static.walk_steps import fits, go_home, start

__all__ = ["browser", "new_page"]

CELL = "size", "way", "scheme"
USUAL = (SIZES[0], "touch", "dark")


@pytest.mark.parametrize(CELL, thorough_except(CELLS, USUAL))
def test_the_tab_tells_whose_turn_it_is_and_a_used_link_says_so(
    size: Size, way: str, scheme: str, new_page: NewPage
) -> None:
    user = new_user(new_page, size, way, scheme)
    page = user.page
    start(user, "descent", "link", number="12", you="Ada")
    check_the_tab(page, "waiting", "Ada vs. Player 2")
    invite = page.locator(".linkrow input").first.input_value()
    late = new_user(new_page, size, way, scheme, invite)
    late.page.get_by_role("button", name="Join the game").wait_for()
    friend = new_page(invite)
    friend.get_by_label("Your name").fill("Bob")
    friend.get_by_role("button", name="Join the game").click()
    check_the_tab(page, "mine", "Ada vs. Bob")
    check_the_tab(friend, "theirs", "Ada vs. Bob")
    user.take(6)
    check_the_tab(page, "theirs", "Ada vs. Bob")
    check_the_tab(friend, "mine", "Ada vs. Bob")
    come_too_late(late, invite)
    go_home(user)
    game = page.get_by_role("link", name="Down to a prime")
    expect(game).to_contain_text("Their turn")
    user.press(game)
    check_the_tab(page, "theirs", "Ada vs. Bob")
    take(friend, 3)
    check_the_tab(page, "over", "Ada vs. Bob")
    check_the_tab(friend, "over", "Ada vs. Bob")
    go_home(user)
    expect(page).to_have_title("Divisor Duel")


def check_the_tab(page: Page, phase: str, names: str) -> None:
    """Check that the board, the title and the icon agree about whose turn it is."""
    expect(page.locator(".table")).to_have_attribute("data-phase", phase)
    turn = "● Your turn . " if phase == "mine" else ""  # with a dash
    expect(page).to_have_title(re.compile(f"^{turn}Divisor Duel: {re.escape(names)}$"))
    icon = "icon-turn.svg" if phase == "mine" else "icon.svg"
    expect(page.locator("link[rel=icon]")).to_have_attribute("href", f"/static/{icon}")
    pill = page.locator(".player.turn .pill")
    expect(pill).to_have_text({"mine": ["Your turn"], "theirs": ["To move"]}.get(phase, []))


def come_too_late(late: User, invite: str) -> None:
    """Find out that someone else has joined: in the form to join, then with the link alone."""
    page = late.page
    alert = page.get_by_role("alert")
    late.button("Join the game")
    check_the_reason(page)
    page.goto("about:blank")
    page.goto(invite)
    check_the_reason(page)
    expect(page.get_by_role("button", name="Try again")).to_have_count(0)  # it could not help
    late.press(page.get_by_role("link", name="New game"))
    page.locator(".home").wait_for()
    expect(alert.filter(has_text=re.compile("."))).to_have_count(0)


def check_the_reason(page: Page) -> None:
    alert = page.get_by_role("alert")
    expect(alert).to_contain_text("someone else has already joined")
    expect(alert).to_contain_text("ask the player who created it for a spectator link")
    expect(page.locator("body")).not_to_contain_text("key opens no match")
    assert in_view(page, "[role=alert]")
    assert fits(page)


TERMINAL = "terminal", "type ", "the program", "list of available", "command", "prompt", "press "
"""Words that a rule of the terminal would have."""


@pytest.mark.parametrize(CELL, thorough_except(CELLS, USUAL))
def test_the_rules_on_the_page_do_not_describe_the_terminal(
    size: Size, way: str, scheme: str, new_page: NewPage
) -> None:
    user = new_user(new_page, size, way, scheme)
    page = user.page
    user.press(page.get_by_role("link", name="Learn"))
    for game in ALL_KEYS:
        user.press(page.locator(f".tabs [href='#/rules/{game}']"))
        current = page.locator(".tabs [aria-current]")
        expect(current).to_have_attribute("href", f"#/rules/{game}")
        expect(current).to_be_in_viewport(ratio=0.9)
        check_the_words(page.locator(".rules").inner_text(), at_least=400)
        assert fits(page)
    for game in ALL_KEYS:
        check_the_words(rule_in_a_match(user, game), at_least=20)


def check_the_words(text: str, at_least: int) -> None:
    assert len(text) >= at_least
    assert [word for word in TERMINAL if word in text.lower()] == []


def rule_in_a_match(user: User, game: str) -> str:
    """Start a game and read the rule beside the board; on a phone, after asking for it."""
    page = user.page
    go_home(user)
    user.press(page.locator(f"[data-game={game}]"))
    user.button("Play")
    page.locator(".table").wait_for()
    if is_narrow(page):
        user.button("Rule")
        expect(page.locator(".notice")).not_to_be_empty()
        assert in_view(page, ".notice p")
        return page.locator(".notice").inner_text()
    return page.locator(".brief").inner_text()
