"""The board is the page: it is large, and nothing moves it."""

import json
import re

import pytest
from playwright.sync_api import Page, WebSocketRoute, expect

from divisorduel.web.routes.pages import FOLDER
from tests.conftest import thorough_except
from tests.web.browser import NewPage, browser, new_page
from tests.web.game_page import legal, start_game, take, tile, turns

__all__ = ["browser", "new_page"]

PHONE = {"width": 390, "height": 844}
SIZES = [(320, 640), (390, 844), (768, 1024), (1280, 860), (1920, 1080)]

Rectangle = tuple[int, ...]


def rectangle(page: Page) -> Rectangle:
    box = page.locator(".board").bounding_box()
    assert box is not None
    return tuple(round(part) for part in (box["x"], box["y"], box["width"], box["height"]))


def viewport(size: tuple[int, int]) -> dict[str, int]:
    return {"width": size[0], "height": size[1]}


def in_view(page: Page, selector: str) -> bool:
    return bool(
        page.locator(selector).first.evaluate(
            """element => {
                const box = element.getBoundingClientRect();
                return box.height > 0 && box.top >= 0 && box.bottom <= innerHeight + 1;
            }"""
        )
    )


# --- sizes


@pytest.mark.parametrize(
    ("size", "width"),
    thorough_except(
        [*zip(SIZES, [30, 36, 66, 70, 106], strict=True)], (SIZES[0], 30), (SIZES[3], 70)
    ),
)
def test_the_tiles_of_a_chain_are_as_large_as_the_window_allows(
    size: tuple[int, int], width: int, new_page: NewPage
) -> None:
    page = new_page(viewport=viewport(size))
    start_game(page, "chain", to="50")
    box = tile(page, 25).bounding_box()
    assert box is not None
    assert box["width"] >= width
    assert in_view(page, ".board")


BEFORE = {768: 92.9, 1280: 90.9, 1920: 113.6}
"""How wide these tiles were before the board became the page."""


@pytest.mark.parametrize(
    ("game", "size"),
    thorough_except(
        [(game, size) for game in ("evens", "divider") for size in SIZES[2:]],
        ("evens", SIZES[3]),
    ),
)
def test_the_tiles_of_a_small_board_are_larger_still(
    game: str, size: tuple[int, int], new_page: NewPage
) -> None:
    page = new_page(viewport=viewport(size))
    start_game(page, game)
    box = tile(page, 8).bounding_box()
    assert box is not None
    assert box["width"] >= 1.6 * BEFORE[size[0]]
    assert in_view(page, ".board")


def test_play_is_visible_without_scrolling_on_the_smallest_phone(new_page: NewPage) -> None:
    page = new_page(viewport=viewport(SIZES[0]))
    page.locator(".home").wait_for()
    assert in_view(page, "button.play")
    page.locator("button.play").click()
    page.locator(".table").wait_for()
    assert page.locator(".tile").count() == 100


def test_a_board_of_1000_numbers_scrolls_inside_its_area(new_page: NewPage) -> None:
    page = new_page(viewport=PHONE)
    start_game(page, "juniper", to="1000")
    assert page.evaluate("() => document.documentElement.scrollHeight <= innerHeight")
    assert page.locator(".area").evaluate("area => area.scrollHeight > area.clientHeight")
    same_column = page.evaluate(
        """() => [7, 17, 997].map((n) =>
            Math.round(document.querySelector(`.tile[aria-label^="${n},"]`).offsetLeft))"""
    )
    assert len({*same_column}) == 1
    page.keyboard.press("h")
    expect(page.locator(".advice p")).not_to_have_class("quiet")
    assert in_view(page, ".advice")


# --- nothing moves


@pytest.mark.parametrize(
    ("size", "game"),
    thorough_except(
        [(size, game) for size in SIZES for game in ("chain", "antichain", "descent")],
        (SIZES[1], "chain"),
    ),
)
def test_the_board_does_not_move_from_the_first_move_to_the_last(
    size: tuple[int, int], game: str, new_page: NewPage
) -> None:
    page = new_page(viewport=viewport(size))
    start_game(page, game)
    before = rectangle(page)
    numbers = legal(page)
    take(page, numbers[len(numbers) // 2])
    assert rectangle(page) == before
    if game == "chain":
        tile(page, 19).click(force=True)
        expect(page.get_by_role("alert")).to_contain_text("19 neither divides")
        assert rectangle(page) == before
    page.keyboard.press("h")
    expect(page.locator(".advice p")).not_to_have_count(0)
    assert rectangle(page) == before
    page.keyboard.press("[")
    page.keyboard.press("]")
    while numbers := legal(page):
        taken = turns(page)
        page.locator(f".tile[aria-label^='{numbers[-1]}, can']").dispatch_event("click")
        expect(page.locator(".moves li button")).to_have_count(taken + 1)
        assert rectangle(page) == before
    expect(page.locator(".result .title")).to_contain_text("wins!")
    assert rectangle(page) == before


@pytest.mark.thorough
def test_the_board_does_not_move_while_the_opponent_offers_leaves_and_returns(
    new_page: NewPage,
) -> None:
    one = new_page(viewport=PHONE)
    start_game(one, "chain", "link", you="Ann")
    invite = one.locator(".linkrow input").first.input_value()
    before = rectangle(one)
    two = new_page(invite.split("/", 3)[3], viewport=PHONE)
    two.get_by_role("button", name="Join the game").click()
    expect(one.locator(".status")).to_contain_text("Your turn.")
    take(one, 8)
    take(two, 4)
    two.get_by_role("button", name="Ask to undo").click()
    expect(one.locator(".offer")).to_contain_text("asks to undo")
    assert rectangle(one) == before
    address = two.url
    two.goto("about:blank")
    expect(one.locator(".player.two")).to_contain_text("away")
    assert rectangle(one) == before
    two.goto(address)
    expect(one.locator(".player.two")).to_contain_text("online")
    one.get_by_role("button", name="Decline", exact=True).click()
    expect(one.locator(".offer")).to_be_hidden()
    assert rectangle(one) == before


def test_a_tapped_tile_is_pending_and_a_slow_connection_is_named(new_page: NewPage) -> None:
    page = new_page()
    held: list[str | bytes] = []

    servers: list[WebSocketRoute] = []

    def hold_commands(socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()
        servers.append(server)

        def pass_on(said: str | bytes) -> None:
            if json.loads(said)["type"] == "command":
                held.append(said)
            else:
                server.send(said)

        socket.on_message(pass_on)

    page.route_web_socket("**/live", hold_commands)
    start_game(page, "chain")
    tile(page, 8).click()
    expect(page.locator(".tile.pending .digits")).to_have_text("8")
    expect(page.get_by_role("alert")).to_contain_text("The connection is slow.")
    servers[0].send(held.pop())
    expect(page.locator(".tile.pending")).to_have_count(0)
    expect(page.get_by_role("alert")).to_have_text("")
    expect(page.locator(".tile.taken")).to_have_count(1)


# --- tiles


def test_my_turn_looks_different_from_the_opponents(new_page: NewPage) -> None:
    one = new_page()
    start_game(one, "chain", "link", you="Ann")
    invite = one.locator(".linkrow input").first.input_value()
    two = new_page(invite.split("/", 3)[3])
    two.get_by_label("Your name").fill("Bob")
    two.get_by_role("button", name="Join the game").click()
    border = "tile => getComputedStyle(tile).borderTopWidth"
    expect(one).to_have_title(re.compile("^● Your turn .* Divisibility Duel: Ann vs. Bob$"))
    expect(two).to_have_title("Divisibility Duel: Ann vs. Bob")
    expect(one.locator("link[rel=icon]")).to_have_attribute("href", "/static/icon-turn.svg")
    expect(two.locator("link[rel=icon]")).to_have_attribute("href", "/static/icon.svg")
    assert tile(one, 8).evaluate(border) == "2px"
    assert tile(two, 8).evaluate(border) == "1px"


def test_partners_have_the_same_letter_on_a_phone(new_page: NewPage) -> None:
    page = new_page(viewport=viewport(SIZES[0]))
    start_game(page, "chain", opening="even")
    take(page, 12)
    page.keyboard.press("w")
    badge = page.locator(".tile.paired .note").first
    expect(badge).to_be_visible()
    letters = page.locator(".tile.paired .note").all_inner_texts()
    assert all(letters.count(letter) == 2 for letter in letters)


@pytest.mark.thorough
def test_the_marks_of_a_taken_number_are_inside_its_tile(new_page: NewPage) -> None:
    page = new_page(viewport=viewport(SIZES[0]))
    start_game(page, "descent")
    take(page, 180)
    inside = """tile => [...tile.children].every((part) => {
        const [inner, outer] = [part, tile].map((one) => one.getBoundingClientRect());
        return inner.top >= outer.top && inner.bottom <= outer.bottom;
    })"""
    assert page.locator(".tile.taken").evaluate(inside)


@pytest.mark.parametrize("largest", thorough_except([50, 100], 100))
def test_on_a_small_screen_with_many_numbers_the_second_tap_takes(
    largest: int, new_page: NewPage
) -> None:
    page = new_page(viewport=PHONE, has_touch=True)
    start_game(page, "juniper", to=str(largest))
    tile(page, 8).tap()
    if largest > 50:
        expect(page.locator(".tile.picked .digits")).to_have_text("8")
        tile(page, 8).tap()
    expect(page.locator(".tile.taken .digits")).to_have_text("8")


# --- the graph


def test_the_graph_of_a_divider_has_no_chain_and_its_numbers_can_be_clicked(
    new_page: NewPage,
) -> None:
    page = new_page()
    start_game(page, "divider")
    take(page, 6, 3)
    expect(page.locator(".graph .edge.near")).to_have_count(0)
    assert not page.locator(".trace path").get_attribute("d")
    page.locator(".node.legal").first.click()
    expect(page.locator(".moves li button")).to_have_count(3)


@pytest.mark.thorough
def test_the_graph_shows_what_can_be_taken_next_and_follows_the_pointer(
    new_page: NewPage,
) -> None:
    page = new_page()
    start_game(page, "chain")
    take(page, 8)
    expect(page.locator(".graph .edge.near")).to_have_count(3)  # 2, 4 and 16
    page.locator(".node", has_text="4").first.hover()
    expect(page.locator(".graph .edge.near")).not_to_have_count(3)


# --- the end and the review


def test_the_review_shows_the_board_and_the_remark_together_on_a_phone(new_page: NewPage) -> None:
    page = new_page(viewport=viewport(SIZES[0]))
    start_game(page, "chain")
    take(page, 4, 2, 14, 7)
    page.get_by_role("button", name="Find it").click()
    expect(page.locator(".remark")).to_contain_text("14")
    for part in (".board", ".review", ".remark", ".tile.good", ".tile.bad"):
        assert in_view(page, part)
    page.get_by_role("button", name="On", exact=True).click()
    expect(page.locator(".tile.taken")).to_have_count(3)


def test_the_heading_names_the_round_on_the_board(new_page: NewPage) -> None:
    page = new_page()
    start_game(page, "descent", number="6", rounds="2")
    page.locator(".tile.legal").first.click()
    expect(page.get_by_role("button", name="Next round")).to_be_visible()
    expect(page.locator("h1")).to_contain_text("Round 1 of 2")
    page.get_by_role("button", name="Next round").click()
    expect(page.locator("h1")).to_contain_text("Round 2 of 2")


# --- the page


def test_a_new_game_begins_at_the_top_of_the_page(new_page: NewPage) -> None:
    page = new_page(viewport=viewport(SIZES[0]))
    page.locator("[data-game=evens]").scroll_into_view_if_needed()
    start_game(page, "evens")
    assert page.evaluate("scrollY") == 0
    assert in_view(page, ".board")


def test_a_dialog_does_not_survive_the_way_back(new_page: NewPage) -> None:
    page = new_page()
    start_game(page, "chain")
    page.get_by_role("button", name="Give up").click()
    expect(page.get_by_role("dialog")).to_be_visible()
    page.go_back()
    page.locator(".home").wait_for()
    expect(page.get_by_role("dialog")).to_have_count(0)


@pytest.mark.thorough
def test_a_typed_name_is_kept_during_a_visit_to_the_rules(new_page: NewPage) -> None:
    page = new_page()
    page.locator("[data-game=chain]").click()
    page.get_by_text("More options").click()
    page.get_by_label("Your name").fill("Ada")
    page.get_by_role("dialog").get_by_role("link", name="Rules").click()
    page.locator(".rules").wait_for()
    page.go_back()
    page.locator("[data-game=chain]").click()
    expect(page.locator("[name=you]")).to_have_value("Ada")


def test_a_prime_is_not_accepted_as_a_starting_number(new_page: NewPage) -> None:
    page = new_page()
    page.locator("[data-game=descent]").click()
    page.locator("[name=size][value=custom]").check()
    page.locator("[name=number]").fill("17")
    expect(page.get_by_text("17 is a prime: the first player could not move.")).to_be_visible()
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.get_by_role("alert").filter(has_text="not a prime")).to_be_visible()
    assert "match" not in page.url


def test_the_home_view_continues_games_and_opens_codes(new_page: NewPage) -> None:
    page = new_page()
    start_game(page, "chain", "computer", you="Ann")
    code = page.url.rsplit("/", 1)[1]
    page.get_by_role("link", name="Divisor Duel").click()
    game = page.get_by_role("link", name="Follow the chain, 2 to 20")
    expect(game).to_contain_text("Your turn")
    page.get_by_label("Have a code").fill(code)
    page.get_by_role("button", name="Join").click()
    expect(page.locator(".player.one")).to_contain_text("Ann")


def test_every_file_of_the_page_can_be_read_at_one_sitting() -> None:
    lines = {file.name: file.read_text().count("\n") for file in FOLDER.rglob("*.*")}
    assert {name: count for name, count in lines.items() if count > 250} == {}


def test_a_link_opens_a_turn_and_a_review(new_page: NewPage) -> None:
    page = new_page()
    start_game(page, "chain")
    take(page, 4, 2, 14, 7)
    page.get_by_role("region", name="Result").get_by_role("button", name="Share").click()
    rows = page.get_by_role("dialog").locator(".linkrow")
    turn = rows.filter(has_text="after turn 4").locator("input").input_value()
    review = rows.filter(has_text="Link to the review").locator("input").input_value()
    other = new_page(turn.replace("turn-1-4", "turn-1-2").split("/", 3)[3])
    expect(other.locator(".banner")).to_contain_text("after turn 2 of 4")
    third = new_page(review.split("/", 3)[3])
    expect(third.locator(".remark")).to_contain_text("Turn 3: Player 1 took 14.")


@pytest.mark.thorough
def test_colours_can_be_chosen(new_page: NewPage) -> None:
    page = new_page(color_scheme="light")
    page.get_by_role("button", name="Settings").click()
    before = page.evaluate("getComputedStyle(document.body).backgroundColor")
    page.get_by_label("Dark").check()
    after = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert before != after
    page.reload()
    page.locator(".home").wait_for()
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == after


@pytest.mark.thorough
def test_results_against_the_computer_are_counted_exported_and_imported(
    new_page: NewPage,
) -> None:
    page = new_page()
    start_game(page, "descent", "computer", number="6", level="perfect")
    take(page, 3)
    expect(page.locator(".result .title")).to_have_text("You win!")
    expect(page.locator(".result .found")).to_have_text("No mistakes.")
    page.get_by_role("button", name="Settings").click()
    page.get_by_role("button", name="Your results").click()
    row = page.locator(".statistics tbody tr td")
    expect(row).to_have_text(["Down to a prime", "Perfect", "1", "0"])
    with page.expect_download() as download:
        page.get_by_role("button", name="Export").click()
    other = new_page()
    other.get_by_role("button", name="Settings").click()
    other.get_by_role("button", name="Your results").click()
    expect(other.locator(".statistics")).to_have_text("No results yet.")
    other.get_by_label("Import").set_input_files(download.value.path())
    expect(other.locator(".statistics tbody tr td")).to_have_text(
        ["Down to a prime", "Perfect", "1", "0"]
    )


def test_a_phone_offers_the_next_hint_where_the_last_one_is(new_page: NewPage) -> None:
    page = new_page(viewport=PHONE, has_touch=True)
    start_game(page, "chain")
    page.get_by_role("button", name="Hint").tap()
    expect(page.locator(".advice p").first).to_contain_text("You can win")
    last = page.locator(".tile").last.bounding_box()
    advice = page.locator(".advice").bounding_box()
    assert last is not None
    assert advice is not None
    assert last["y"] + last["height"] <= advice["y"]
    for _ in range(2):
        page.locator(".advice").get_by_role("button", name="Another hint").tap()
        expect(page.locator(".advice p").first).not_to_have_class("quiet")
    expect(page.locator(".tile.best")).to_have_count(1)
