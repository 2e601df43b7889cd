"""Defects of earlier versions of the page. Other files here test the rest of them."""

import re

import pytest
from playwright.sync_api import Page, WebSocketRoute, expect

from tests.web.browser import NewPage, browser, new_page
from tests.web.game_page import in_view, rectangle, start_game, take, tile
from tests.web.static.sizes import SIZES, Size, viewport

__all__ = ["browser", "new_page"]


# --- nothing moves, and changes are visible


@pytest.mark.thorough
@pytest.mark.parametrize("size", SIZES)
def test_a_notice_is_seen_and_does_not_move_the_board(size: Size, new_page: NewPage) -> None:
    page = new_page(viewport=viewport(size))
    start_game(page, "chain")
    take(page, 8, 4)
    before = rectangle(page)
    page.keyboard.press("1")
    expect(page.locator(".notice")).to_contain_text("press Enter to take it")
    assert in_view(page, ".notice p")
    assert rectangle(page) == before
    page.keyboard.press("Escape")
    page.locator(".bar").get_by_role("button", name="Undo").click()
    expect(page.locator(".notice")).to_contain_text("4 was taken back.")
    assert in_view(page, ".notice p")
    assert rectangle(page) == before


LOOK = """tile => {
    const style = getComputedStyle(tile);
    return [style.border, style.background];
}"""


@pytest.mark.thorough
def test_a_tap_is_visible_at_once_when_the_network_is_gone(new_page: NewPage) -> None:
    page = new_page(viewport=viewport(SIZES[1]))
    gone: list[bool] = []

    def carry(socket: WebSocketRoute) -> None:  # until the network is gone; no one closes anything
        server = socket.connect_to_server()
        socket.on_message(lambda said: None if gone else server.send(said))
        server.on_message(lambda said: None if gone else socket.send(said))

    page.route_web_socket("**/live", carry)
    start_game(page, "chain")
    take(page, 8)
    tapped = tile(page, 4)
    tapped.hover()
    before = tapped.evaluate(LOOK)
    gone.append(True)
    tapped.click()
    expect(tapped).to_have_accessible_name(re.compile("being sent"))
    assert tapped.evaluate(LOOK) != before
    expect(page.get_by_role("alert")).to_contain_text("The connection is slow.")
    assert in_view(page, ".message .reason")


COVERED = """() => [...document.querySelectorAll(".board .tile")].filter((tile) => {
    const { left, top, width, height } = tile.getBoundingClientRect();
    const seen = document.elementFromPoint(left + width / 2, top + height / 2);
    return seen?.closest(".tile") !== tile;
}).map((tile) => tile.textContent)"""


@pytest.mark.thorough
def test_every_tile_and_the_remark_stay_in_sight_during_a_review_on_the_smallest_phone(
    new_page: NewPage,
) -> None:
    page = new_page(viewport=viewport(SIZES[0]))
    start_game(page, "chain", to="50")
    take(page, 4, 2, 6, 3, 9, 18, 36, 12, 24, 8, 16, 32)
    page.get_by_role("button", name="Find them").click()
    seen = 0
    while True:
        expect(page.locator(".remark")).to_contain_text(f"istake {seen + 1} of")
        seen += 1
        check_the_review_is_in_sight(page)
        taken = page.locator(".tile.taken").count()
        page.get_by_role("button", name="Next step", exact=True).click()
        expect(page.locator(".tile.taken")).to_have_count(taken + 1)
        check_the_review_is_in_sight(page)
        following = page.get_by_role("button", name="Next mistake")
        if not following.count():
            break
        following.click()
    assert seen > 1


def check_the_review_is_in_sight(page: Page) -> None:
    assert page.evaluate(COVERED) == []
    assert in_view(page, ".remark")


# How far the signs of the taken numbers reach beyond the inner edge of the border, whose corners
# are round. Negative: they are inside.
BEYOND = """() => Math.max(...[...document.querySelectorAll(".tile.taken")].flatMap((tile) => {
    const style = getComputedStyle(tile);
    const edge = parseFloat(style.borderTopWidth);
    const box = tile.getBoundingClientRect();
    const [w, h] = [box.width / 2 - edge, box.height / 2 - edge];
    const round = Math.min(parseFloat(style.borderTopLeftRadius), box.width / 2, box.height / 2);
    const radius = Math.max(0, round - edge);
    return [...tile.children].filter((part) => part.textContent).flatMap((part) => {
        const range = document.createRange();
        range.selectNodeContents(part);
        const { left, right, top, bottom, height } = range.getBoundingClientRect();
        const lines = [top + height / 5, bottom - height / 5]; // a line is higher than its signs
        return lines.flatMap((y) => [left, right].map((x) => {
            const across = Math.abs(x - box.left - box.width / 2) - (w - radius);
            const along = Math.abs(y - box.top - box.height / 2) - (h - radius);
            const corner = Math.hypot(Math.max(across, 0), Math.max(along, 0));
            return corner + Math.min(Math.max(across, along), 0) - radius;
        }));
    });
}))"""


@pytest.mark.thorough
@pytest.mark.parametrize("game", ["descent", "chain"])
@pytest.mark.parametrize("size", SIZES)
def test_the_marks_of_taken_numbers_do_not_touch_the_border(
    size: Size, game: str, new_page: NewPage
) -> None:
    page = new_page(viewport=viewport(size))
    start_game(page, game)
    take(page, *((180, 60) if game == "descent" else (16, 8)))
    expect(page.locator(".tile.taken .note").first).to_be_visible()
    assert page.evaluate(BEYOND) <= 0


# --- invitations and forms


@pytest.mark.thorough
def test_a_form_to_join_says_that_someone_else_has_joined_in_the_meantime(
    new_page: NewPage,
) -> None:
    one = new_page()
    start_game(one, "chain", "link")
    invite = one.locator(".linkrow input").first.input_value().split("/", 3)[3]
    late, two = new_page(invite), new_page(invite)
    join = late.get_by_role("button", name="Join the game")
    join.wait_for()
    two.get_by_role("button", name="Join the game").click()
    expect(two.locator(".player.two")).to_contain_text("you")
    join.click()
    alert = late.get_by_role("alert")
    expect(alert).to_contain_text("someone else has already joined")
    expect(alert).to_contain_text("ask the player who created it for a spectator link")


@pytest.mark.thorough
def test_play_with_the_last_settings_does_not_begin_with_a_prime(new_page: NewPage) -> None:
    page = new_page()
    page.locator("[data-game=descent]").click()
    page.locator("[name=size][value=custom]").check()
    page.locator("[name=number]").fill("17")
    page.keyboard.press("Escape")
    page.reload()
    page.locator("button.play").click()
    sheet = page.get_by_role("dialog")
    expect(sheet).to_contain_text("17 is a prime: the first player cannot move.")
    assert "match" not in page.url
    sheet.locator("[name=number]").fill("18")
    sheet.get_by_role("button", name="Play", exact=True).click()
    expect(page.locator(".table")).to_be_visible()
