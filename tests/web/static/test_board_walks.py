"""What the board and the graph show, by mouse, touch and keyboard at every size."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from divisorduel import read_code, solve
from tests.conftest import thorough_except
from tests.web.browser import NewPage, browser, new_page
from tests.web.game_page import in_view, legal, take, tile
from tests.web.static.contrast import least_contrast
from tests.web.static.held_commands import HeldCommands
from tests.web.static.page_users import CELLS, User, new_user
from tests.web.static.sizes import SIZES, Size, is_narrow
from tests.web.static.still_board import StillBoard
from tests.web.static.walk_steps import fits, go_home, judged, menu, paste, start

__all__ = ["browser", "new_page"]

CELL = "size", "way", "scheme"
USUAL = (SIZES[0], "touch", "dark")


# --- reasons


@pytest.mark.thorough
@pytest.mark.parametrize(CELL, CELLS)
def test_why_gives_partners_the_same_letter_on_their_tiles(
    size: Size, way: str, scheme: str, new_page: NewPage
) -> None:
    user = new_user(new_page, size, way, scheme)
    page = user.page
    for game, largest, first in (("chain", 20, 12), ("juniper", 100, 8)):
        start(user, game, "here", to=str(largest))
        still = StillBoard(page)
        user.try_number(first)
        if page.locator(".tile.picked").count():
            user.try_number(first)
        expect(page.locator(".tile.taken")).to_have_count(1)
        ask_why(user)
        expect(page.locator(".advice")).to_contain_text("partners have the same letter")
        check_the_letters(page)
        still.check()
        see_the_pairs(user)
        user.press(page.locator(".advice .close"))
        expect(page.locator(".tile.paired")).to_have_count(0)
        go_home(user)


def ask_why(user: User) -> None:
    if is_narrow(user.page):
        menu(user, "Why?")
    else:
        user.button("Why?")


def check_the_letters(page: Page) -> None:
    """Check that each letter can be read on the tiles of two numbers that name each other."""
    partners: dict[str, list[tuple[str, str]]] = {}
    for one in page.locator(".tile.paired").all():
        note = one.locator(".note")
        expect(note).to_be_visible()
        assert note.evaluate(IS_READ_ON_ITS_TILE), one.inner_text()
        name = re.match(r"(\d+), .*; partner (\d+)", one.get_attribute("aria-label") or "")
        assert name is not None
        partners.setdefault(note.inner_text(), []).append((name[1], name[2]))
    assert partners
    for (number, other), *rest in partners.values():
        assert rest == [(other, number)]
    assert least_contrast(page, ".tile.paired .note", "color") >= 4.5


def see_the_pairs(user: User) -> None:
    """See the partners joined in the graph, which a phone opens from the reason."""
    page = user.page
    if is_narrow(page):
        user.press(advice(page).get_by_role("button", name="Graph"))
    expect(page.locator(".graph svg")).to_be_visible()
    expect(page.locator(".graph .pair")).not_to_have_count(0)
    assert least_contrast(page, ".graph .pair") >= 3
    if is_narrow(page):
        user.press(page.locator(".panel.open > .close"))
    expect(page.locator(".panel.open")).to_have_count(0)


IS_READ_ON_ITS_TILE = """note => {
    const [inner, outer] = [note, note.parentElement].map((one) => one.getBoundingClientRect());
    const { left, right, top, bottom } = inner;
    const seen = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
    return seen?.closest(".tile") === note.parentElement
        && parseFloat(getComputedStyle(note).fontSize) >= 10
        && left >= outer.left && right <= outer.right
        && top >= outer.top && bottom <= outer.bottom;
}"""


# --- values


POSITIONS = "divider 2-9 2-9 -", "antichain 2-12 2-12 -"


@pytest.mark.thorough
@pytest.mark.parametrize(CELL, CELLS)
def test_the_analysis_marks_each_legal_tile_and_tells_what_a_move_leaves(
    size: Size, way: str, scheme: str, new_page: NewPage
) -> None:
    user = new_user(new_page, size, way, scheme)
    page = user.page
    user.press(page.get_by_role("link", name="Analyse"))
    judged(page)
    for code in POSITIONS:
        paste(user, code)
        expect(page.locator(".tile.legal")).to_have_count(len(moves(code)))
        expect(page.locator(".verdict")).to_contain_text(f"worth {nimber(code)}")
        check_the_judged_tiles(page, code)
        assert fits(page)
    paste(user, "chain 2-20 2-7,9-20 8")
    expect(page.locator(".tile:is(.wins, .loses)")).to_have_count(3)
    assert page.locator(".tile.legal .note").all_inner_texts() == ["", "", ""]
    expect(page.locator(".verdict")).not_to_contain_text("worth")


def moves(code: str) -> list[int]:
    game, position = read_code(code)
    return [*game.moves(position)]


def nimber(code: str) -> int:
    found = solve(*read_code(code)).nimber
    assert found is not None
    return found


def check_the_judged_tiles(page: Page, code: str) -> None:
    """Check the marks of all moves against the solver: by sign, by shape and by name."""
    game, position = read_code(code)
    wins = solve(game, position).winning_moves
    for move in moves(code):
        left = solve(game, game.play(position, move)).nimber
        one = tile(page, move)
        won = move in wins
        expect(one.locator(".mark")).to_be_visible()
        assert one.locator(".mark").inner_text() == ("✓" if won else "✗")
        assert one.locator(".note").inner_text() == f"→{left}"
        assert one.locator(".note").evaluate(IS_READ_ON_ITS_TILE)
        assert one.evaluate(EDGE) == ("solid" if won else "dashed")
        verdict = "wins" if won else "loses"
        expect(one).to_have_accessible_name(
            f"{move}, can be taken; {verdict}, leaves a position worth {left}"
        )


EDGE = "tile => getComputedStyle(tile).borderTopStyle"


# --- the graph


@pytest.mark.parametrize(CELL, thorough_except(CELLS, USUAL))
def test_the_graph_draws_only_lines_that_matter_and_each_can_be_seen(
    size: Size, way: str, scheme: str, new_page: NewPage
) -> None:
    user = new_user(new_page, size, way, scheme)
    page = user.page
    draw(user, "evens", 8, to="20")
    assert {8, *legal(page)} >= {*near(page)} >= {8}
    check_the_lines(page)
    leave_the_graph(user)
    draw(user, "divider", 6, 3, to="9")
    assert lines(page) == {(2, 4), (2, 8), (4, 8)}
    assert near(page) == set()
    check_the_lines(page)
    leave_the_graph(user)
    draw(user, "descent", 180, number="720")
    reachable = {180, *legal(page)}
    assert 120 not in reachable
    assert {number for line in lines(page) for number in line} == reachable
    assert all(high % low == 0 for low, high in lines(page))
    check_the_lines(page)
    leave_the_graph(user)
    see_the_parts(user)


def draw(user: User, game: str, *numbers: int, **board: str) -> None:
    """Start a game, take numbers and open the graph."""
    start(user, game, "here", **board)
    for number in numbers:
        user.take(number)
    open_the_graph(user)


def open_the_graph(user: User) -> None:
    if is_narrow(user.page):
        user.button("Graph")
    expect(user.page.locator(".graph svg")).to_be_visible()


def leave_the_graph(user: User) -> None:
    if is_narrow(user.page):
        user.press(user.page.locator(".panel.open > .close"))
    go_home(user)


LINES = """lines => {
    const at = (x, y) => [...document.querySelectorAll(".node")].find((node) => {
        const { cx, cy } = node.querySelector("circle");
        return cx.baseVal.value === x && cy.baseVal.value === y;
    });
    return lines.map(({ x1, y1, x2, y2 }) => [[x1, y1], [x2, y2]]
        .map(([x, y]) => Number(at(x.baseVal.value, y.baseVal.value).textContent)));
}"""


def lines(page: Page, kind: str = ".edge") -> set[tuple[int, int]]:
    """Return which numbers the graph joins, the smaller number first."""
    found = page.locator(f".graph {kind}").evaluate_all(LINES)
    return {(min(line), max(line)) for line in found}


def near(page: Page) -> set[int]:
    """Return the numbers at the ends of the lines of the last number."""
    return {number for line in lines(page, ".edge.near") for number in line}


def check_the_lines(page: Page) -> None:
    assert least_contrast(page, ".graph .edge") >= 3
    assert least_contrast(page, ".node:not(.gone) circle") >= 3


def see_the_parts(user: User) -> None:
    """See the parts of a position that the third hint has solved, each with its value."""
    page = user.page
    start(user, "antichain", "here", to="30")
    for number in (7, 5):
        user.take(number)
    for _ in range(3):
        ask_for_a_hint(user)
    user.press(advice(page).get_by_role("button", name="Why?"))
    expect(page.locator(".advice p").first).to_contain_text("8 parts")
    if is_narrow(page):
        user.press(advice(page).get_by_role("button", name="Graph"))
    expect(page.locator(".part")).to_have_count(8)
    assert page.locator(".part text").all_text_contents() == ["=1"] * 8
    tints = page.locator(".part circle").evaluate_all(TINTS)
    assert len({*tints}) == 5
    check_the_lines(page)


TINTS = "circles => circles.map((circle) => getComputedStyle(circle).fill)"


def advice(page: Page) -> Locator:
    """Return where the next advice is asked for, once there is some."""
    return page.locator(".advice" if is_narrow(page) else ".bar")


def ask_for_a_hint(user: User) -> None:
    page = user.page
    if page.locator(".advice p").count():
        user.press(advice(page).get_by_role("button", name="Another hint"))
    else:
        user.press(page.locator(".bar").get_by_role("button", name="Hint"))
    expect(page.locator(".advice p").first).not_to_have_class("quiet")


# --- forced colours


@pytest.mark.parametrize(CELL, thorough_except(CELLS, USUAL))
def test_forced_colours_hide_nothing_and_every_state_keeps_its_own_shape(
    size: Size, way: str, scheme: str, new_page: NewPage
) -> None:
    user = new_user(new_page, size, way, scheme, forced_colors="active")
    page = user.page
    held = HeldCommands()
    page.route_web_socket("**/live", held.hold)
    see_pictures_and_choices(user)
    tell_the_turns_apart(user, new_page, held)
    go_home(user)
    tell_the_rest_apart(user)


def see_pictures_and_choices(user: User) -> None:
    page = user.page
    page.locator(".home").wait_for()
    assert page.locator(".games .mini").count() == 6
    assert least_contrast(page, ".games .mini :is(.one, .two)", "backgroundColor") >= 3
    assert least_contrast(page, ".games .mini i:not(.gone)", "backgroundColor") >= 3
    rounded = "cells => cells.map((cell) => getComputedStyle(cell).borderTopLeftRadius)"
    radii = [page.locator(f".games .mini .{seat}").evaluate_all(rounded) for seat in ("one", "two")]
    assert not {*radii[0]} & {*radii[1]}
    user.press(page.locator("[data-game=chain]"))
    chosen = least_contrast(page, ".segment :checked + span", "backgroundColor")
    others = least_contrast(page, ".segment :not(:checked) + span", "backgroundColor")
    assert chosen >= 3 > others
    assert least_contrast(page, ".segment span", "color") >= 4.5
    user.button("Close")


def tell_the_turns_apart(user: User, new_page: NewPage, held: HeldCommands) -> None:
    page = user.page
    start(user, "chain", "link", to="50")
    friend = new_page(page.locator(".linkrow input").first.input_value())
    friend.get_by_role("button", name="Join the game").click()
    expect(page.locator(".table")).to_have_attribute("data-phase", "mine")
    shapes = {"mine": shape(page, 8), "blocked": shape(page, 5)}
    user.try_number(4)
    expect(page.locator(".tile.pending")).to_have_count(1)
    shapes["pending"] = shape(page, 4)
    held.release()
    expect(page.locator(".table")).to_have_attribute("data-phase", "theirs")
    shapes["theirs"] = shape(page, 8)
    shapes["one, last"] = shape(page, 4)
    check_the_strips(page)
    take(friend, 2)
    expect(page.locator(".table")).to_have_attribute("data-phase", "mine")
    shapes["one"] = shape(page, 4)
    shapes["two, last"] = shape(page, 2)
    check_that_all_differ(shapes)
    check_the_strips(page)
    check_that_all_is_seen(page)


def tell_the_rest_apart(user: User) -> None:
    page = user.page
    start(user, "antichain", "here", to="12")
    for number in (7, 5):
        user.take(number)
    for _ in range(3):
        ask_for_a_hint(user)
    best = int(page.locator(".tile.best .digits").inner_text())
    other = next(number for number in legal(page) if number != best)
    shapes = {"best": shape(page, best), "free": shape(page, other), "gone": shape(page, 10)}
    shapes |= {"one": shape(page, 7), "two, last": shape(page, 5)}
    check_that_all_differ(shapes)
    user.press(page.locator(".advice .close"))
    while numbers := legal(page):
        user.take(numbers[0])
    expect(page.locator(".result .sparkline")).to_be_visible()
    assert least_contrast(page, ".sparkline rect", "fill") >= 3
    check_that_all_is_seen(page)
    user.press(page.locator(".result").get_by_role("button", name=re.compile("Find")))
    expect(page.locator(".remark")).to_be_visible()
    kinds = ".tile.good", ".tile.bad", ".tile.legal:not(.good, .bad)"
    found = {kind: page.locator(f"{kind} .digits").first.inner_text() for kind in kinds}
    check_that_all_differ({kind: shape(page, int(number)) for kind, number in found.items()})
    check_that_all_is_seen(page)


SHAPE = """tile => {
    const style = getComputedStyle(tile);
    const isDrawn = style.borderTopColor !== getComputedStyle(document.body).backgroundColor;
    const { borderTopWidth: width, borderTopStyle: line, borderRadius: round } = style;
    const border = isDrawn ? `${width} ${line} ${round}` : "no border";
    const { outlineStyle, outlineWidth } = style;
    const outline = outlineStyle === "none" ? "no outline" : `${outlineWidth} ${outlineStyle}`;
    const struck = getComputedStyle(tile.querySelector(".digits")).textDecorationLine;
    return [border, outline, struck, getComputedStyle(tile, "::after").content].join(", ");
}"""


def shape(page: Page, number: int) -> str:
    """Return the shape of a tile, without its colours. The focus has a shape of its own."""
    page.mouse.move(0, 0)
    page.evaluate("document.activeElement.blur()")
    return str(tile(page, number).evaluate(SHAPE))


def check_that_all_differ(shapes: dict[str, str]) -> None:
    named: dict[str, list[str]] = {}
    for name, found in shapes.items():
        named.setdefault(found, []).append(name)
    assert [names for names in named.values() if len(names) > 1] == []


def check_the_strips(page: Page) -> None:
    """Check that the strip of the player to move, and only that one, has an edge."""
    assert least_contrast(page, ".player.turn", "borderLeftColor") >= 3
    assert least_contrast(page, ".player:not(.turn)", "borderLeftColor") < 1.1


def check_that_all_is_seen(page: Page) -> None:
    texts = ".tile .digits", ".tile .note:not(:empty)", ".player .name", ".bar button", "h1"
    for part in texts:
        if page.locator(part).count():
            assert least_contrast(page, part, "color") >= 3, part
    assert in_view(page, ".board")
    assert fits(page)
