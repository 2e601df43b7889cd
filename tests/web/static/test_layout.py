"""The board is the page: it is large, and nothing moves it."""

import json
import re

import pytest
from playwright.sync_api import WebSocketRoute, expect

from tests.conftest import thorough_except
from tests.web.browser import NewPage, browser, new_page
from tests.web.clients import NO_LIMITS
from tests.web.conftest import Start
from tests.web.game_page import in_view, legal, rectangle, start_game, take, tile, turns
from tests.web.static.recorders import MOTION
from tests.web.static.sizes import SIZES, Size, viewport

__all__ = ["browser", "new_page"]

PHONE = {"width": 390, "height": 844}


# --- sizes


@pytest.mark.parametrize(
    ("size", "width"),
    thorough_except([*zip(SIZES, [30, 36, 66, 70, 106], strict=True)], (SIZES[0], 30)),
)
def test_the_tiles_of_a_chain_are_as_large_as_the_window_allows(
    size: Size, width: int, new_page: NewPage
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
    game: str, size: Size, new_page: NewPage
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


@pytest.mark.thorough
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


SHIFTS = """async () => {
    const found = [];
    const observer = new PerformanceObserver((list) => found.push(...list.getEntries()));
    observer.observe({ type: "layout-shift", buffered: true });
    for (let frame = 0; frame < 5; frame++) await new Promise(requestAnimationFrame);
    return [...found, ...observer.takeRecords()].map((shift) => shift.value);
}"""


@pytest.mark.thorough
def test_a_match_opens_without_a_shift_of_its_board(new_page: NewPage) -> None:
    page = new_page(viewport=PHONE)
    start_game(page, "chain")
    page.reload()
    tile(page, 8).wait_for()
    assert page.evaluate(SHIFTS) == []


# --- nothing moves


@pytest.mark.parametrize(
    ("size", "game"),
    thorough_except(
        [(size, game) for size in SIZES for game in ("chain", "antichain", "descent")],
        (SIZES[1], "chain"),
    ),
)
def test_the_board_does_not_move_from_the_first_move_to_the_last(
    size: Size, game: str, new_page: NewPage
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
@pytest.mark.parametrize("size", SIZES)
def test_the_board_does_not_move_while_the_opponent_makes_an_offer_leaves_and_returns(
    size: Size, new_page: NewPage
) -> None:
    one = new_page(viewport=viewport(size))
    start_game(one, "chain", "link", you="Ann")
    invite = one.locator(".linkrow input").first.input_value()
    before = rectangle(one)
    two = new_page(invite.split("/", 3)[3])
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
    while numbers := legal(one):
        mover = one if one.locator(".table[data-phase=mine]").count() else two
        taken = turns(one)
        tile(mover, numbers[-1]).click()
        for page in (one, two):
            expect(page.locator(".moves li button")).to_have_count(taken + 1)
        assert rectangle(one) == before
    expect(one.locator(".result .title")).to_contain_text("win")
    one.get_by_role("button", name="Play again").click()
    two.get_by_role("button", name="Accept").click()
    expect(one.locator(".tile.taken")).to_have_count(0)
    assert rectangle(one) == before


@pytest.mark.thorough
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


@pytest.mark.thorough
def test_a_tap_without_a_connection_shows_at_once_and_is_sent_later(
    new_page: NewPage, start: Start
) -> None:
    server = start(*NO_LIMITS)
    page = new_page(server.url)
    start_game(page, "chain")
    server.kill()
    expect(page.get_by_role("alert")).to_contain_text("Connection lost.")
    tile(page, 8).click()
    expect(page.locator(".tile.pending .digits")).to_have_text("8")
    expect(page.get_by_role("alert")).to_contain_text("This will be sent")
    server.restart()
    expect(page.locator(".tile.taken .digits")).to_have_text("8")
    expect(page.locator(".tile.pending")).to_have_count(0)


# --- tiles


@pytest.mark.thorough
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


@pytest.mark.thorough
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
def test_on_a_small_screen_with_many_numbers_the_second_tap_takes_one(
    largest: int, new_page: NewPage
) -> None:
    page = new_page(viewport=PHONE, has_touch=True)
    start_game(page, "juniper", to=str(largest))
    tile(page, 9).tap(force=True)
    expect(page.locator(".message .reason")).to_contain_text("The first number must be even")
    expect(page.locator(".tile.picked")).to_have_count(0)
    tile(page, 8).tap()
    if largest > 50:
        expect(page.locator(".tile.picked .digits")).to_have_text("8")
        expect(page.locator(".notice")).to_have_text("Tap again to take 8.")
        expect(page.locator(".message .reason")).to_be_empty()
        tile(page, 8).tap()
    expect(page.locator(".tile.taken .digits")).to_have_text("8")
    expect(page.locator(".notice")).to_be_empty()


WATCH = """() => {
    window.seen = new Set();
    const [board, area] = [".board", ".area"].map((part) => document.querySelector(part));
    const look = () => {
        const { x, y, width, height } = board.getBoundingClientRect();
        window.seen.add([x, y, width, height, area.clientWidth, area.clientHeight].join());
        requestAnimationFrame(look);
    };
    look();
}"""


@pytest.mark.thorough
@pytest.mark.parametrize("size", [SIZES[1], SIZES[3]])
def test_the_board_does_not_move_while_moves_are_animated(size: Size, new_page: NewPage) -> None:
    page = new_page(viewport=viewport(size), reduced_motion="no-preference")
    start_game(page, "divider")
    page.evaluate(WATCH)
    take(page, 9, 4, 2)
    page.wait_for_function("() => document.getAnimations().length === 0")
    assert len(page.evaluate("() => [...window.seen]")) == 1


@pytest.mark.thorough
def test_an_illegal_number_shakes_and_the_message_line_says_why(new_page: NewPage) -> None:
    page = new_page(reduced_motion="no-preference")
    start_game(page, "chain")
    take(page, 8)
    page.evaluate(MOTION)
    tile(page, 19).click(force=True)
    expect(page.locator(".message .reason")).to_contain_text("19 neither divides")
    assert page.evaluate("window.moved") == [["19", 180, 0]]


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("game", "numbers", "moved"),
    [
        ("chain", (8, 4), [["path", 200, 0]]),
        ("divider", (3,), [["6", 260, 0], ["9", 260, 40]]),
        ("antichain", (4,), [["2", 260, 0], ["8", 260, 40], ["12", 260, 80]]),
    ],
)
@pytest.mark.parametrize("wish", ["no-preference", "reduce"])
def test_each_game_has_its_own_animation_unless_motion_is_reduced(
    game: str, numbers: tuple[int, ...], moved: list[object], wish: str, new_page: NewPage
) -> None:
    page = new_page(reduced_motion=wish)
    start_game(page, game)
    page.evaluate(MOTION)
    take(page, *numbers)
    assert page.evaluate("window.moved") == (moved if wish == "no-preference" else [])


STATES = """tiles => tiles.map((tile) => {
    const style = getComputedStyle(tile);
    return [style.borderTopWidth, style.borderTopStyle, style.borderRadius,
        style.outlineStyle, getComputedStyle(tile.children[1]).textDecorationLine].join(" ");
})"""


@pytest.mark.thorough
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("colours", ["none", "active"])
def test_the_states_of_a_tile_differ_in_shape(colours: str, size: Size, new_page: NewPage) -> None:
    page = new_page(viewport=viewport(size), forced_colors=colours)
    start_game(page, "antichain")
    take(page, 12, 10, 8)
    page.mouse.move(0, 0)
    kinds = [".tile.one:not(.last)", ".tile.two", ".tile.legal", ".tile.gone:not(.taken)"]
    shapes = [page.locator(kind).evaluate_all(STATES)[0] for kind in kinds]
    assert len({*shapes}) == len(kinds)


# --- the graph


@pytest.mark.thorough
def test_the_graph_of_divider_has_no_chain_and_its_numbers_can_be_clicked(
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
    expect(page.locator(".graph figcaption")).to_contain_text("can be taken now are drawn")
    page.locator(".node", has_text="4").first.hover()
    expect(page.locator(".graph .edge.near")).not_to_have_count(3)


CONTRAST = """line => {
    const light = (colour) => {
        const parts = colour.match(/[0-9.]+/g).slice(0, 3).map((part) => part / 255);
        const linear = (x) => (x <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4);
        const [r, g, b] = parts.map(linear);
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const back = getComputedStyle(document.body).backgroundColor;
    const [one, other] = [getComputedStyle(line).stroke, back].map(light).sort((a, b) => b - a);
    return (one + 0.05) / (other + 0.05);
}"""


@pytest.mark.thorough
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_lines_of_the_graph_can_be_seen(scheme: str, new_page: NewPage) -> None:
    page = new_page(color_scheme=scheme)
    start_game(page, "evens")
    take(page, 8)
    assert page.locator(".graph .edge").first.evaluate(CONTRAST) >= 3
