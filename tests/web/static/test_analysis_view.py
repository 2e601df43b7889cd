"""The analysis board: any position, judged, by mouse, by touch and by keyboard, on every screen."""

import json
import re
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Locator, Page, Route, expect

from divisorduel import read_code, solve
from tests.conftest import ALL_KEYS, THOROUGH, thorough_except
from tests.web.browser import NewPage, browser, new_page
from tests.web.game_page import legal, rectangle, start_game, take, tile
from tests.web.static.page_users import WAYS
from tests.web.static.sizes import SIZES, Size, viewport

__all__ = ["browser", "new_page"]

PHONE, DESK = SIZES[1], SIZES[3]
SHOWN = [
    *((PHONE, part) for part in ("", "Why?", "Moves", "Set up")),
    *((DESK, part) for part in ("", "Play from here")),
]
"""What can be open on a screen."""
STARTS = {
    "antichain": "antichain 2-12 2-12 -",
    "chain": "chain 2-20 2-7,9-20 8",
    "descent": "descent 720 - 360",
    "divider": "divider 2-9 2-9 -",
    "evens": "evens 2-20 4-20 2",
    "juniper": "juniper 1-30 1-30 -",
}
"""A position of every game."""


def address(code: str, *moves: int) -> str:
    return f"#/analysis/{code.replace(' ', '+')}/{'-'.join(map(str, moves))}"


def judged(page: Page) -> Page:
    """Wait until the position on the page has a verdict."""
    page.locator(".verdict:is(.wins, .loses, .unknown)").wait_for()
    return page


def marks(page: Page) -> dict[int, bool]:
    """Return which legal tiles are marked as winning, and which as losing."""
    found = page.locator(".tile:is(.wins, .loses)").evaluate_all(
        "tiles => tiles.map(t => [+t.querySelector('.digits').innerText, t.matches('.wins')])"
    )
    return {int(number): wins for number, wins in found}


def code(page: Page) -> str:
    """Return the position code that the page shows."""
    return page.locator(".positions .linkrow input").last.input_value()


def button(page: Page, name: str) -> Locator:
    return page.get_by_role("button", name=name, exact=True)


def moves(page: Page) -> list[str]:
    """Return the moves that are listed, the current one in brackets."""
    found: list[str] = page.locator(".tree li > [data-line]").evaluate_all(
        "all => all.map(b => b.ariaCurrent ? `[${b.dataset.line}]` : b.dataset.line)"
    )
    return found


# --- judging


@pytest.mark.parametrize("key", thorough_except(ALL_KEYS, "juniper"))
def test_each_legal_tile_is_marked_as_the_solver_says(key: str, new_page: NewPage) -> None:
    page = judged(new_page(address(STARTS[key])))
    game, position = read_code(STARTS[key])
    wins = solve(game, position).winning_moves
    assert marks(page) == {move: move in wins for move in game.moves(position)}
    expect(page.locator(".verdict .pill")).to_have_text("✓ Wins" if wins else "✗ Loses")
    expect(page.locator(".message .status")).to_contain_text("The player to move")
    expect(page.locator(".advice .proof")).to_contain_text("Proven by")
    expect(page.locator(".advice")).to_contain_text("Why?")


@pytest.mark.thorough
def test_winning_and_losing_tiles_differ_in_shape(new_page: NewPage) -> None:
    page = judged(new_page(address("divider 2-9 2-9 -")))
    edge = "tile => getComputedStyle(tile).borderTopStyle"
    assert tile(page, 4).evaluate(edge) == "solid"
    assert tile(page, 5).evaluate(edge) == "dashed"
    expect(tile(page, 4)).to_contain_text("✓")
    expect(tile(page, 5)).to_contain_text("✗")
    expect(tile(page, 4)).to_have_accessible_name(
        "4, can be taken; wins, leaves a position worth 0"
    )
    expect(tile(page, 5)).to_have_accessible_name(
        "5, can be taken; loses, leaves a position worth 4"
    )


@pytest.mark.thorough
def test_nimbers_are_shown_only_where_the_solver_has_them(new_page: NewPage) -> None:
    page = judged(new_page(address("divider 2-9 2-9 -")))
    expect(page.locator(".tile.legal .note")).to_have_text(
        ["→2", "→3", "→0", "→4", "→1", "→4", "→1", "→4"]
    )
    expect(page.locator(".verdict")).to_contain_text("worth 5")
    page = judged(new_page(address("chain 2-20 2-20 -")))
    expect(page.locator(".tile.legal .note").first).to_have_text("")
    expect(page.locator(".verdict")).not_to_contain_text("worth")


def test_what_cannot_be_solved_is_reported_and_its_tiles_stay_unmarked(new_page: NewPage) -> None:
    page = new_page()
    reason: dict[str, Any] = {"code": "unproven", "params": {}, "text": "Too large.", "move": None}
    unproven: dict[str, Any] = {
        "code": "",
        "winner": None,
        "proven": False,
        "method": "nimbers of components",
        "nimber": None,
        "text": "This position is too large to solve in the time allowed.",
        "options": [{"move": 2, "wins": None, "nimber": None}],
        "reason": {**reason, "hidden": False, "pairs": [], "parts": []},
    }
    page.route("**/api/analysis", lambda route: route.fulfill(json=unproven))
    page.goto(page.url.split("#")[0] + address("antichain 2-12 2-12 -"))
    judged(page)
    expect(page.locator(".verdict .pill")).to_have_text("? Not known")
    expect(page.locator(".message .status")).to_contain_text("too large to solve")
    assert marks(page) == {}
    assert legal(page) == [*range(2, 13)]
    tile(page, 7).click()
    expect(page.locator(".tile.taken")).to_have_count(1)


@pytest.mark.thorough
def test_a_busy_server_is_asked_again(new_page: NewPage) -> None:
    page = new_page()
    answers = [429, 503]

    def refuse(route: Route) -> None:
        if not answers:
            return route.continue_()
        status = answers.pop()
        code = {429: "question-pending", 503: "server-busy"}[status]
        return route.fulfill(status=status, json={"code": code, "reason": "Busy."})

    page.route("**/api/analysis", refuse)
    page.goto(page.url.split("#")[0] + address("divider 2-9 2-9 -"))
    judged(page)
    assert answers == []
    assert marks(page)[4] is True


@pytest.mark.thorough
def test_moves_can_be_tried_without_a_verdict_and_judging_can_be_tried_again(
    new_page: NewPage,
) -> None:
    page = new_page()
    broken = {"code": "too-hard", "reason": "This is too large to solve in the time allowed."}
    page.route("**/api/analysis", lambda route: route.fulfill(status=503, json=broken))
    page.goto(page.url.split("#")[0] + address("divider 2-9 2-9 -"))
    judged(page)
    expect(page.locator(".message .status")).to_have_text(broken["reason"])
    page.unroute("**/api/analysis")
    button(page, "Try again").click()
    expect(page.locator(".verdict .pill")).to_have_text("✓ Wins")


# --- taking, branches and undo


@pytest.mark.parametrize(
    ("way", "size"),
    thorough_except(
        [(way, size) for way in WAYS for size in SIZES], ("touch", PHONE), ("keyboard", DESK)
    ),
)
def test_numbers_are_taken_undone_and_branched(way: str, size: Size, new_page: NewPage) -> None:
    start = address("chain 2-20 2-20 -")
    page = judged(new_page(start, viewport=viewport(size), has_touch=way == "touch"))
    user = WAYS[way](page)
    user.take(8)
    user.take(4)
    assert moves(page) == ["8", "[8-4]"]
    user.try_number(9)
    expect(page.get_by_role("alert")).to_have_text("9 neither divides 4 nor is a multiple of it.")
    user.press(button(page, "Back"))
    expect(page.locator(".tile.taken")).to_have_count(1)
    user.take(16)
    expect(page.locator(".tree .branch")).to_have_count(1)
    assert moves(page) == ["8", "8-4", "[8-16]"]
    assert code(page) == "chain 2-20 2-7,9-15,17-20 16"
    judged(page)
    assert set(marks(page)) == {2, 4}


@pytest.mark.thorough
def test_arrow_keys_step_through_the_moves_and_move_between_tiles(new_page: NewPage) -> None:
    page = judged(new_page(address("chain 2-20 2-20 -", 8, 4, 2)))
    for shown in ("[8-4]", "[8]"):
        page.keyboard.press("ArrowLeft")
        expect(page.locator(".tree [aria-current]")).to_have_attribute("data-line", shown[1:-1])
    page.keyboard.press("ArrowRight")
    expect(page.locator(".tree [aria-current]")).to_have_attribute("data-line", "8-4")
    tile(page, 12).click()  # the mouse is on the board: arrows still step
    expect(page.locator(".tree [aria-current]")).to_have_attribute("data-line", "8-4-12")
    page.keyboard.press("ArrowLeft")
    expect(page.locator(".tree [aria-current]")).to_have_attribute("data-line", "8-4")
    page.keyboard.press("ArrowRight")
    expect(page.locator(".tree [aria-current]")).to_have_attribute("data-line", "8-4-12")
    page.keyboard.type("6")  # the keyboard is on the board: arrows move between tiles
    page.keyboard.press("Escape")
    page.keyboard.press("ArrowRight")
    expect(tile(page, 7)).to_be_focused()
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Enter")
    expect(page.locator(".tree [aria-current]")).to_have_attribute("data-line", "8-4-12-6")


@pytest.mark.thorough
def test_a_move_in_the_list_opens_its_position_and_a_line_can_be_removed(new_page: NewPage) -> None:
    page = judged(new_page(address("chain 2-20 2-20 -", 8, 4, 2)))
    page.locator("[data-line='8']").click()
    expect(page.locator(".tile.taken")).to_have_count(1)
    tile(page, 16).click()
    expect(page.locator(".tree .branch")).to_have_count(1)
    button(page, "Remove this line").click()
    expect(page.locator(".tree .branch")).to_have_count(0)
    expect(page.locator(".tree [aria-current]")).to_have_attribute("data-line", "8")
    assert moves(page) == ["[8]", "8-4", "8-4-2"]


@pytest.mark.thorough
def test_an_illegal_number_is_refused_with_the_reason(new_page: NewPage) -> None:
    page = judged(new_page(address("chain 2-20 2-20 -", 8)))
    tile(page, 9).click(force=True)
    expect(page.get_by_role("alert")).to_have_text("9 neither divides 8 nor is a multiple of it.")
    expect(page.locator(".tile.taken")).to_have_count(1)
    expect(page.locator(".tile.pending")).to_have_count(0)
    tile(page, 8).click(force=True)
    expect(page.get_by_role("alert")).to_have_text("8 was taken on turn 1.")


@pytest.mark.thorough
def test_branches_are_kept_while_another_view_is_open(new_page: NewPage) -> None:
    page = judged(new_page(address("chain 2-20 2-20 -", 8, 4)))
    button(page, "Back").click()
    expect(page.locator(".tree [aria-current]")).to_have_attribute("data-line", "8")
    tile(page, 16).click()
    expect(page.locator(".tree .branch")).to_have_count(1)
    page.get_by_role("link", name="Rules").click()
    page.locator(".example").wait_for()
    expect(page.locator("h1")).to_have_text("How to play Divisibility Duel")
    page.go_back()
    judged(page)
    assert moves(page) == ["8", "8-4", "[8-16]"]


# --- addresses


@pytest.mark.thorough
def test_back_and_forward_of_the_browser_follow_the_positions(new_page: NewPage) -> None:
    page = judged(new_page(address("chain 2-20 2-20 -")))
    for number in (8, 4):
        tile(page, number).click()
        expect(page.locator(f".tile.taken[aria-label^='{number},']")).to_be_visible()
        expect(page).to_have_url(re.compile(f"{number}$"))
    page.go_back()
    expect(page.locator(".tree [aria-current]")).to_have_attribute("data-line", "8")
    page.go_forward()
    expect(page.locator(".tree [aria-current]")).to_have_attribute("data-line", "8-4")
    page.go_back()
    page.go_back()
    expect(page.locator(".tile.taken")).to_have_count(0)
    assert moves(page) == ["8", "8-4"]


@pytest.mark.thorough
def test_an_address_opens_the_same_position_in_another_browser(new_page: NewPage) -> None:
    one = judged(new_page(address("juniper 1-30 1-30 -")))
    for number in (8, 16, 2):
        tile(one, number).click()
        expect(one.locator(f".tile.taken[aria-label^='{number},']")).to_be_visible()
    judged(one)
    link = one.locator(".positions .linkrow input").first.input_value()
    assert link == one.url
    two = judged(new_page(link))
    assert code(two) == code(one) == "juniper 1-30 1,3-7,9-15,17-30 2"
    assert marks(two) == marks(one)
    assert moves(two) == ["8", "8-16", "[8-16-2]"]


@pytest.mark.parametrize(
    ("where", "reason"),
    thorough_except(
        [
            ("#/analysis/chain+2-50+2-60+-", "2-60 is not on the board (2 to 50)."),
            ("#/analysis/chain+2-50", "A position code has four parts"),
            ("#/analysis/chain+2-8+2-8+-/8-5", "5 neither divides 8 nor is a multiple of it."),
            ("#/analysis/chain+2-8+2-8+-/x", "This link to an analysis is not complete."),
            ("#/analysis/%E0%A4%A", "A position code has four parts"),
        ],
        ("#/analysis/chain+2-50", "A position code has four parts"),
    ),
)
def test_an_address_that_cannot_be_opened_says_why(
    where: str, reason: str, new_page: NewPage
) -> None:
    page = new_page(where)
    expect(page.get_by_role("alert")).to_contain_text(reason)


# --- setting up


@pytest.mark.thorough
def test_numbers_are_marked_on_the_board_and_the_last_one_is_chosen(new_page: NewPage) -> None:
    page = judged(new_page(address("chain 2-20 2-20 -")))
    button(page, "Remove numbers").click()
    for number in (8, 9, 10):
        tile(page, number).click()
        expect(tile(page, number)).to_have_accessible_name(f"{number}, gone")
    tile(page, 9).click()
    expect(tile(page, 9)).not_to_have_accessible_name("9, gone")
    page.get_by_label("Last number taken").select_option("8")
    expect(page.locator(".positions .linkrow input").last).to_have_value("chain 2-20 2-7,9,11-20 8")
    button(page, "Done").click()
    judged(page)
    assert legal(page) == [2, 4, 16]
    tile(page, 16).click()
    expect(page.locator(".tile.taken")).to_have_count(1)
    button(page, "Whole board").click()
    expect(page.locator(".tile.gone, .tile.taken")).to_have_count(0)


@pytest.mark.thorough
def test_quick_taps_build_on_each_other(new_page: NewPage) -> None:
    page = judged(new_page(address("chain 2-20 2-20 -")))
    button(page, "Remove numbers").click()
    page.evaluate(
        """() => {
            const tiles = [...document.querySelectorAll(".tile")];
            for (const number of ["8", "9", "10", "9"])
                tiles.find((tile) => tile.querySelector(".digits").textContent === number).click();
        }"""
    )
    code = page.locator(".positions .linkrow input").last
    expect(code).to_have_value("chain 2-20 2-7,9,11-20 -")


@pytest.mark.thorough
def test_the_current_number_of_descent_is_set_or_refused(new_page: NewPage) -> None:
    page = judged(new_page(address("descent 720 - 720")))
    page.get_by_label("Current number").fill("7")
    button(page, "Set").click()
    expect(page.get_by_role("alert")).to_have_text("7 cannot be reached from 720.")
    page.get_by_label("Current number").fill("60")
    button(page, "Set").click()
    expect(page.locator(".current strong")).to_have_text("60")
    judged(page)
    assert marks(page) == {n: n in (2, 3, 5) for n in (2, 3, 4, 5, 6, 10, 12, 15, 20, 30)}


@pytest.mark.thorough
def test_a_board_of_any_game_is_opened_with_its_parameters(new_page: NewPage) -> None:
    page = judged(new_page(address("chain 2-20 2-20 -")))
    page.get_by_text("Another board").click()
    page.locator(".positions [name=game]").select_option("antichain")
    page.get_by_label("Smallest number").fill("3")
    page.get_by_label("Largest number").fill("30")
    page.get_by_label("Step").fill("3")
    button(page, "Show this board").click()
    expect(page.locator(".tile")).to_have_count(10)
    assert code(page) == "antichain 3-30:3 3-30 -"
    page.get_by_label("Largest number").fill("2")
    button(page, "Show this board").click()
    expect(page.get_by_role("alert")).to_contain_text("The board 3 to 2 is empty.")
    expect(page.locator(".tile")).to_have_count(10)


def test_a_phone_shows_the_board_that_was_chosen_and_shares_it(new_page: NewPage) -> None:
    page = judged(new_page(address("chain 2-20 2-20 -"), viewport=viewport(SIZES[0])))
    button(page, "Set up").click()
    page.get_by_text("Another board").click()
    page.get_by_label("Largest number").fill("12")
    button(page, "Show this board").click()
    expect(page.locator(".tile")).to_have_count(11)
    expect(page.locator(".panel.open")).to_have_count(0)
    button(page, "Share").click()
    rows = page.get_by_role("dialog").locator(".linkrow input")
    expect(rows.last).to_have_value("chain 2-12 2-12 -")
    expect(rows.first).to_have_value(re.compile("#/analysis/"))


@pytest.mark.thorough
def test_a_code_a_link_or_a_record_is_pasted(new_page: NewPage) -> None:
    page = judged(new_page(address("chain 2-20 2-20 -")))
    page.get_by_text("Paste a position").click()
    field = page.get_by_label("Position code, link or saved game")

    def paste(text: str) -> None:
        field.fill(text)
        button(page, "Open").click()

    paste("chain 2-20 2-30 -")
    expect(page.get_by_role("alert")).to_have_text("2-30 is not on the board (2 to 20).")
    paste("divider 2-9 5,7 -")
    expect(page.locator(".tile.legal")).to_have_count(2)
    paste("http://elsewhere/#/analysis/evens+2-20+2-20+-/12-6/2")
    expect(page.locator(".tree [aria-current]")).to_have_attribute("data-line", "12-6")
    expect(tile(page, 12)).to_have_class("tile two taken")
    paste('[Game "chain"]\n[Board "2-8"]\n\n8 4 (2 6) 2 *\n')
    expect(page.locator(".tree [aria-current]")).to_have_attribute("data-line", "8-4-2")
    assert moves(page) == ["8", "8-4", "8-2", "8-2-6", "[8-4-2]"]


# --- from and to matches


@pytest.mark.parametrize("side", thorough_except(["mover", "other"], "other"))
def test_a_match_is_played_from_here_with_the_right_player_to_move(
    side: str, new_page: NewPage
) -> None:
    page = judged(new_page(address("chain 2-20 2-20 -", 8)))
    button(page, "Play from here").click()
    page.locator(f"[name=side][value={side}]").check()
    page.get_by_label("Level").select_option("perfect")
    page.locator("dialog").get_by_role("button", name="Play", exact=True).click()
    page.wait_for_url("**/#/match/*")
    if side == "mover":
        expect(page.locator(".tile.legal")).to_have_count(3)
        assert legal(page) == [2, 4, 16]
        expect(page.locator(".status")).to_contain_text("Your turn")
    else:
        expect(page.locator(".tile.taken")).to_have_count(1)
        assert int(page.locator(".tile.taken .digits").inner_text()) in (2, 4, 16)


@pytest.mark.thorough
def test_nothing_can_be_played_from_the_end_of_a_game(new_page: NewPage) -> None:
    page = judged(new_page(address("divider 2-9 2-9 -", 2, 3, 5, 7)))
    expect(page.locator(".message .status")).to_have_text(
        "No move is left: the player to move loses."
    )
    expect(button(page, "Play from here")).to_have_attribute("aria-disabled", "true")
    button(page, "Play from here").click(force=True)
    expect(page.locator("dialog")).to_have_count(0)


@pytest.mark.thorough
def test_a_finished_match_and_its_review_lead_to_the_analysis(new_page: NewPage) -> None:
    page = new_page()
    start_game(page, "chain", first="2")
    take(page, 4, 2, 14, 7)
    page.locator(".result").get_by_role("link", name="Analyse").click()
    judged(page)
    assert moves(page) == ["4", "4-2", "4-2-14", "[4-2-14-7]"]
    expect(tile(page, 4)).to_have_class("tile two taken")  # the second player had started
    page.go_back()
    page.get_by_role("button", name="Review").click()
    page.locator(".timeline").wait_for()
    page.locator(".timeline button").nth(2).click()
    page.locator(".review").get_by_role("link", name="Analyse this position").click()
    judged(page)
    assert moves(page) == ["4", "[4-2]", "4-2-14", "4-2-14-7"]


@pytest.mark.thorough
def test_home_leads_to_the_analysis_of_the_last_game(new_page: NewPage) -> None:
    page = new_page()
    page.get_by_role("link", name="Analyse").click()
    judged(page)
    assert code(page).startswith("juniper ")
    page.go_back()
    page.locator(".home").wait_for()
    for text in ("divider 2-9 5,7 -", "http://elsewhere/#/analysis/divider+2-9+5,7+-/"):
        page.get_by_label("Have a code or a link?").fill(text)
        button(page, "Join").click()
        judged(page)
        assert code(page) == "divider 2-9 5,7 -"
        page.go_back()
        page.locator(".home").wait_for()


# --- the screen


@pytest.mark.parametrize(
    "size", [pytest.param(s, marks=[] if s in (PHONE, DESK) else THOROUGH) for s in SIZES]
)
def test_the_board_does_not_move_while_a_position_is_analysed(
    size: Size, new_page: NewPage
) -> None:
    page = new_page(address("chain 2-50 2-50 -"), viewport=viewport(size))
    page.locator(".tile").first.wait_for()
    before = rectangle(page)
    judged(page)
    assert rectangle(page) == before
    tile(page, 8).click()
    expect(page.locator(".tile.taken")).to_have_count(1)
    assert rectangle(page) == before
    tile(page, 9).click(force=True)
    expect(page.get_by_role("alert")).to_contain_text("9 neither divides")
    assert rectangle(page) == before
    judged(page)
    page.keyboard.press("w")
    expect(page.locator(".advice")).to_contain_text("Why?")
    assert rectangle(page) == before
    page.keyboard.press("Escape")
    button(page, "Back").click()
    expect(page.locator(".tile.taken")).to_have_count(0)
    assert rectangle(page) == before
    page.evaluate("() => document.querySelector('.positions button').click()")
    expect(button(page, "Done")).to_be_visible()
    assert rectangle(page) == before
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")


def test_a_large_graph_leaves_room_for_the_moves(new_page: NewPage) -> None:
    page = judged(new_page(address("juniper 1-100 1-100 -"), viewport=viewport(DESK)))
    assert page.locator(".graph").is_visible()
    assert page.locator(".tree").evaluate("list => list.scrollHeight === list.clientHeight")


@pytest.mark.thorough
def test_advice_on_a_phone_covers_no_tile(new_page: NewPage) -> None:
    page = judged(new_page(address("juniper 1-100 1-100 -"), viewport=viewport(SIZES[0])))
    button(page, "Why?").click()
    advice = page.locator(".advice").bounding_box()
    last = tile(page, 100).bounding_box()
    assert advice is not None
    assert last is not None
    assert last["y"] + last["height"] <= advice["y"] + 1
    page.keyboard.press("Escape")
    expect(page.locator(".advice h2")).to_have_count(0)


@pytest.mark.parametrize(
    ("scheme", "size", "part"),
    thorough_except(
        [(scheme, size, part) for scheme in ("light", "dark") for size, part in SHOWN],
        ("light", PHONE, "Set up"),
        ("dark", DESK, ""),
    ),
)
def test_axe_finds_no_violation_in_an_analysis(
    scheme: str, size: Size, part: str, new_page: NewPage
) -> None:
    page = new_page(
        address("antichain 2-30 2-30 -", 7), viewport=viewport(size), color_scheme=scheme
    )
    judged(page)
    if part:
        button(page, part).click()
    if part == "Set up":
        page.get_by_text("Another board").click()
        page.get_by_text("Paste a position").click()
    page.mouse.move(0, 0)
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()


@pytest.mark.thorough
def test_a_slow_answer_is_called_slow_and_the_tile_is_pending(new_page: NewPage) -> None:
    page = judged(new_page(address("divider 2-9 2-9 -")))
    held: list[Route] = []
    page.route("**/api/positions", lambda route: held.append(route))
    tile(page, 5).click()
    expect(page.locator(".tile.pending")).to_have_count(1)
    expect(page.get_by_role("alert")).to_contain_text("The connection is slow.")
    for route in held:
        route.continue_()
    expect(page.locator(".tile.taken")).to_have_count(1)
    expect(page.get_by_role("alert")).to_have_text("")
    assert json.loads(held[0].request.post_data or "")["moves"] == [5]
