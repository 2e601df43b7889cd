"""Everything around a match, by mouse, touch and keyboard at every size: one walk for each part.

``test_journey.py`` walks through the match itself.
"""

import json
import re

import pytest
from playwright.sync_api import Page, WebSocketRoute, expect

from tests.web.browser import NewPage, browser, new_page
from tests.web.game_page import in_view, legal, take, tell_page, tile
from tests.web.static.hands import CELLS, Hands, person
from tests.web.static.recorders import COMFORTS, MOTION
from tests.web.static.sizes import Size
from tests.web.static.still import Still, is_narrow

__all__ = ["browser", "new_page"]

CELL = "size", "way", "scheme"


def fits(page: Page) -> bool:
    """Return whether nothing is beside the window: neither the page nor an open dialog."""
    return bool(
        page.evaluate(
            """() => [document.documentElement, ...document.querySelectorAll("dialog")].every(
                (part) => part.scrollWidth <= part.clientWidth
                    && part.getBoundingClientRect().right <= innerWidth + 1)"""
        )
    )


def go_home(hands: Hands) -> None:
    hands.press(hands.page.get_by_role("link", name="Divisor Duel", exact=True))
    hands.page.locator(".home").wait_for()


def menu(hands: Hands, name: str) -> None:
    """Press a button that a narrow window has in a menu."""
    if is_narrow(hands.page):
        hands.button("More")
    hands.press(hands.page.locator(".menu").get_by_role("button", name=name))


def start(hands: Hands, game: str, opponent: str, **fields: str) -> None:
    """Choose a game, fill in its sheet and start it."""
    page = hands.page
    hands.press(page.locator(f"[data-game={game}]"))
    hands.press(page.locator(f"[name=opponent][value={opponent}]"))
    hands.press(page.locator("[name=size][value=custom]"))
    for name, text in fields.items():
        field = page.locator(f"form.setup [name={name}]")
        if not field.is_visible():
            hands.press(page.get_by_text("More options"))
        hands.write(field, text)
    assert fits(page)
    hands.button("Play")
    page.locator(".table").wait_for()


# --- home


@pytest.mark.thorough
@pytest.mark.parametrize(CELL, CELLS)
def test_home_leads_to_games_rules_settings_and_results(
    size: Size, way: str, scheme: str, new_page: NewPage
) -> None:
    hands = person(new_page, size, way, scheme)
    hands.page.locator(".home").wait_for()
    assert in_view(hands.page, "button.play")
    choose_settings(hands, scheme)
    learn(hands)
    choose_a_prime(hands)
    set_up_a_game(hands)
    continue_it(hands)
    lose_it_and_see_the_results(hands)


def choose_settings(hands: Hands, scheme: str) -> None:
    page = hands.page
    hands.button("Settings")
    dialog = page.get_by_role("dialog")
    hands.press(dialog.get_by_label("High contrast"))
    back = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert back == ("rgb(255, 255, 255)" if scheme == "light" else "rgb(0, 0, 0)")
    for name in ("System", "Always", "Vibrate", "On a phone"):
        hands.press(dialog.get_by_label(name))
    assert fits(page)
    hands.button("Keyboard shortcuts")
    expect(dialog).to_have_count(2)
    assert fits(page)
    hands.button("Close")
    expect(dialog).to_have_count(1)
    hands.button("Close")
    expect(dialog).to_have_count(0)
    kept = json.loads(page.evaluate("localStorage.getItem('duel.choices')"))
    wanted = {"theme": "system", "sound": "always", "vibrate": True, "twoTaps": False}
    assert kept.items() >= wanted.items()


def learn(hands: Hands) -> None:
    page = hands.page
    hands.press(page.get_by_role("link", name="Learn"))
    hands.button("Play the example")
    hands.button("Pause")
    hands.press(page.get_by_role("navigation").get_by_role("link", name="A chain of evens"))
    expect(page.locator(".tabs [aria-current]")).to_have_text("Divisor Duel: A chain of evens")
    expect(page.locator(".tabs [aria-current]")).to_be_in_viewport(ratio=0.9)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    hands.press(page.get_by_role("link", name="Play this game"))
    expect(page.locator("button.play")).to_contain_text("A chain of evens")


def choose_a_prime(hands: Hands) -> None:
    page = hands.page
    hands.press(page.locator("[data-game=descent]"))
    hands.press(page.locator("[name=size][value=custom]"))
    hands.write(page.locator("[name=number]"), "17")
    expect(page.get_by_text("17 is a prime: the first player cannot move.")).to_be_visible()
    hands.button("Play")
    expect(page.get_by_role("alert").filter(has_text="not a prime")).to_be_visible()
    hands.button("Close")


def set_up_a_game(hands: Hands) -> None:
    page = hands.page
    hands.press(page.locator("[data-game=chain]"))
    hands.press(page.locator("[name=opponent][value=computer]"))
    hands.slide_to_the_end(page.get_by_label("Strength"))
    expect(page.locator("[name=level]")).to_have_value("perfect")
    hands.choose(page.locator("[name=level]"), "1")
    expect(page.locator(".levels .word")).to_have_text("Beginner")
    hands.press(page.locator("[name=size][value=small]"))
    expect(page.locator("[name=size][value=small]")).to_be_checked()
    hands.press(page.locator("[name=first][value='1']"))
    hands.press(page.get_by_text("More options"))
    hands.write(page.locator("[name=you]"), "Ada")
    assert fits(page)
    hands.press(page.get_by_role("dialog").get_by_role("link", name="Rules"))
    page.locator(".rules").wait_for()
    page.go_back()
    hands.press(page.locator("[data-game=chain]"))
    expect(page.locator("[name=you]")).to_have_value("Ada")
    expect(page.locator("[name=size][value=small]")).to_be_checked()
    hands.button("Play")
    expect(page.locator(".tile")).to_have_count(19)
    assert page.evaluate("scrollY") == 0


def continue_it(hands: Hands) -> None:
    page = hands.page
    code = page.url.rsplit("/", 1)[1]
    go_home(hands)
    expect(page).to_have_title("Divisor Duel")
    expect(page.get_by_role("link", name="Follow the chain")).to_contain_text("Your turn")
    field = page.get_by_label("Have a code")
    hands.write(field, "?")
    hands.button("Join")
    expect(page.get_by_text("This is not a link or a code.")).to_be_visible()
    hands.write(field, code)
    hands.button("Join")
    expect(page.locator(".player.one")).to_contain_text("Ada")
    go_home(hands)
    hands.press(page.get_by_role("link", name="Follow the chain"))
    expect(page.locator(".player.one")).to_contain_text("Ada")


def lose_it_and_see_the_results(hands: Hands) -> None:
    page = hands.page
    menu(hands, "Give up")
    hands.button("Give up")
    expect(page.locator(".result .title")).to_have_text("The computer wins!")
    go_home(hands)
    hands.button("Your results")
    row = page.locator(".statistics tbody tr td")
    shown = ["Divisibility Duel: Follow the chain", "Level 1", "0", "1"]
    expect(row).to_have_text(shown)
    assert fits(page)
    with page.expect_download() as download:
        hands.button("Export")
    page.evaluate("localStorage.removeItem('duel.statistics')")
    with page.expect_file_chooser() as chooser:
        hands.press(page.get_by_label("Import"))
    chooser.value.set_files(download.value.path())
    expect(page.get_by_text("Imported.")).to_be_visible()
    expect(row).to_have_text(shown)
    hands.button("Close")


# --- across a link


@pytest.mark.thorough
@pytest.mark.parametrize(CELL, CELLS)
def test_a_friend_is_invited_and_a_game_is_played_and_reviewed(
    size: Size, way: str, scheme: str, new_page: NewPage
) -> None:
    hands = person(new_page, size, way, scheme)
    page = hands.page
    invite = invite_a_friend(hands)
    still = Still(page)
    friend = new_page(invite)
    friend.get_by_label("Your name").fill("Bob")
    friend.get_by_role("button", name="Join the game").click()
    expect(page.locator(".status")).to_contain_text("Your turn.")
    still.check()
    my_turn = tile(page, 4).evaluate(EDGE)
    hands.take(4)
    expect(page.locator(".table")).to_have_attribute("data-phase", "theirs")
    assert tile(page, 2).evaluate(EDGE) != my_turn
    still.check()
    take(friend, 2)
    answer_offers(hands, friend, still)
    hands.take(14)
    still.check()
    take(friend, 7)
    expect(page.locator(".result .title")).to_have_text("Bob wins!")
    expect(page.locator(".result .found")).to_contain_text("You made 1 mistake")
    assert in_view(page, ".result")
    still.check()
    share_the_result(hands)
    follow_the_review(hands, still)
    hands.button("Play again")
    friend.get_by_role("button", name="Accept").click()
    expect(page.locator(".tile.taken")).to_have_count(0)
    still.check()


EDGE = "tile => getComputedStyle(tile).borderTopWidth + getComputedStyle(tile).boxShadow"


def invite_a_friend(hands: Hands) -> str:
    page = hands.page
    hands.button("Play a friend")
    hands.choose(page.locator("form.setup [name=game]"), "chain")
    expect(page.get_by_role("dialog").get_by_role("heading")).to_have_text("Divisibility Duel")
    hands.press(page.locator("[name=size][value=small]"))
    expect(page.locator("[name=size][value=small]")).to_be_checked()
    assert fits(page)
    hands.button("Play")
    page.locator(".waiting").wait_for()
    hands.press(page.locator(".waiting").get_by_role("button", name="QR code").first)
    page.locator(".qr path").wait_for()
    assert in_view(page, ".qr")
    assert fits(page)
    hands.button("Close")
    hands.press(page.locator(".waiting").get_by_role("button", name="Copy").first)
    expect(page.get_by_text("Copied.")).to_be_visible()
    return page.locator(".linkrow input").first.input_value()


def answer_offers(hands: Hands, friend: Page, still: Still) -> None:
    """Meet an opponent who asks to undo, leaves and returns; then ask to undo."""
    page = hands.page
    friend.get_by_role("button", name="Ask to undo").click()
    expect(page.locator(".offer")).to_contain_text("Bob asks to undo a move.")
    assert in_view(page, ".offer")
    still.check()
    address = friend.url
    friend.goto("about:blank")
    expect(page.locator(".player.two")).to_contain_text("away")
    still.check()
    friend.goto(address)
    expect(page.locator(".player.two")).to_contain_text("online")
    hands.button("Decline")
    expect(page.locator(".offer")).to_be_hidden()
    still.check()
    hands.button("Ask to undo")
    expect(page.locator(".offer")).to_contain_text("You have asked to undo a move.")
    friend.get_by_role("button", name="Decline").click()
    expect(page.locator(".notice")).to_contain_text("Bob declined.")
    still.check()


def share_the_result(hands: Hands) -> None:
    page = hands.page
    hands.press(page.locator(".result").get_by_role("button", name="Share"))
    rows = page.get_by_role("dialog").locator(".linkrow")
    expect(rows.filter(has_text="after turn 4").locator("input")).to_have_value(
        re.compile("turn/4")
    )
    review = rows.filter(has_text="Link to the review")
    hands.press(review.get_by_role("button", name="Copy"))
    expect(review).to_contain_text("Copied.")
    assert fits(page)
    hands.button("Close")


def follow_the_review(hands: Hands, still: Still) -> None:
    page = hands.page
    hands.button("Find it")
    remark = page.locator(".remark")
    expect(remark).to_contain_text("Your mistake. Turn 3: you took 14.")
    for part in (".board", ".remark", ".tile.good", ".tile.bad"):
        assert in_view(page, part)
    still.check()
    for taken, name in ((3, "Next step"), (4, "Next step"), (3, "Back")):
        steps = page.locator(".review .steps")
        hands.press(steps.get_by_role("button", name=name, exact=True))
        expect(page.locator(".tile.taken")).to_have_count(taken)
        still.check()
    hands.press(page.locator(".timeline button").nth(1))
    expect(remark).to_contain_text("Turn 2: Bob took 2.")
    still.check()
    hands.button("Close review")


@pytest.mark.thorough
@pytest.mark.parametrize(CELL, CELLS)
def test_the_address_in_the_network_is_shared_with_the_systems_share_sheet(
    size: Size, way: str, scheme: str, new_page: NewPage
) -> None:
    hands = person(new_page, size, way, scheme)
    page = hands.page
    page.locator(".home").wait_for()
    page.evaluate("navigator.share = async (what) => { window.shared = what; }")
    tell_page(page, "network", "http://192.0.2.7:8721")
    start(hands, "chain", "link", to="20")
    expect(page.get_by_text("reach this computer at http://192.0.2.7:8721.")).to_be_visible()
    hands.press(page.get_by_role("button", name="Share …").first)
    page.wait_for_function("window.shared")
    link = page.locator(".linkrow input").first.input_value()
    assert link.startswith("http://192.0.2.7:8721/#/match/")
    assert page.evaluate("window.shared") == {"title": "Divisor Duel", "url": link}


# --- comforts


@pytest.mark.thorough
@pytest.mark.parametrize(CELL, CELLS)
def test_a_turn_sounds_vibrates_and_notifies_as_the_settings_say(
    size: Size, way: str, scheme: str, new_page: NewPage
) -> None:
    hands = person(new_page, size, way, scheme)
    page = hands.page
    page.add_init_script(COMFORTS)
    page.reload()
    change_settings(hands, "Vibrate", "Notify me")
    start(hands, "chain", "link", to="20")
    friend = new_page(page.locator(".linkrow input").first.input_value())
    friend.get_by_role("button", name="Join the game").click()
    expect(page.locator(".status")).to_contain_text("Your turn.")
    still = Still(page)
    hands.take(8)
    assert "OscillatorNode" in page.evaluate("window.made")
    page.evaluate("window.away = true; window.made.length = 0")
    take(friend, 4)
    expect(page.locator(".tile.taken")).to_have_count(2)
    assert {*page.evaluate("window.made")} == {"Notification", "OscillatorNode", "vibrate"}
    still.check()
    go_home(hands)
    change_settings(hands, "Vibrate", "Notify me", "Never")
    hands.press(page.get_by_role("link", name="Follow the chain"))
    expect(page.locator(".tile.taken")).to_have_count(2)
    page.evaluate("window.made.length = 0")
    hands.take(16)
    take(friend, 2)
    expect(page.locator(".tile.taken")).to_have_count(4)
    assert page.evaluate("window.made") == []


def change_settings(hands: Hands, *names: str) -> None:
    hands.button("Settings")
    for name in names:
        hands.press(hands.page.get_by_role("dialog").get_by_label(name))
    hands.button("Close")


@pytest.mark.thorough
@pytest.mark.parametrize(CELL, CELLS)
def test_numbers_move_as_their_game_says_unless_motion_is_reduced(
    size: Size, way: str, scheme: str, new_page: NewPage
) -> None:
    hands = person(new_page, size, way, scheme, reduced_motion="no-preference")
    page = hands.page
    page.evaluate(MOTION)
    assert moved(hands, "chain", 20, 8, 4) == [["path", 200, 0]]
    assert moved(hands, "divider", 9, 3) == [["6", 260, 0], ["9", 260, 40]]
    assert moved(hands, "antichain", 10, 4) == [["2", 260, 0], ["8", 260, 40]]
    page.emulate_media(reduced_motion="reduce")
    assert moved(hands, "antichain", 10, 4) == []


def moved(hands: Hands, game: str, largest: int, *numbers: int) -> object:
    """Play a game; return what was animated."""
    page = hands.page
    start(hands, game, "here", to=str(largest))
    still = Still(page)
    page.evaluate("window.moved = []")
    for number in numbers:
        hands.take(number)
    still.check()
    animated = page.evaluate("window.moved")
    go_home(hands)
    return animated


# --- the board


@pytest.mark.thorough
@pytest.mark.parametrize(CELL, CELLS)
def test_a_hundred_numbers_are_taken_looked_back_at_and_drawn(
    size: Size, way: str, scheme: str, new_page: NewPage
) -> None:
    hands = person(new_page, size, way, scheme)
    page = hands.page
    start(hands, "juniper", "here", to="100")
    still = Still(page)
    take_a_small_tile(hands, still, twice=size[0] <= 420 and way != "keyboard")
    read_the_rule(hands, still)
    take_from_the_graph(hands, way)
    still.check()
    look_back(hands, still)


def take_a_small_tile(hands: Hands, still: Still, twice: bool) -> None:
    page = hands.page
    hands.try_number(9)
    expect(page.get_by_role("alert")).to_contain_text("The first number must be even")
    still.check()
    hands.try_number(8)
    if twice:
        expect(page.locator(".notice")).to_have_text("Tap again to take 8.")
        expect(page.locator(".tile.picked .digits")).to_have_text("8")
        still.check()
        hands.try_number(8)
    expect(page.locator(".tile.taken .digits")).to_have_text("8")
    still.check()


def read_the_rule(hands: Hands, still: Still) -> None:
    page = hands.page
    if is_narrow(page):
        hands.button("Rule")
        expect(page.locator(".notice")).to_contain_text("Take a factor or multiple")
        still.check()
        hands.button("Rule")
        expect(page.locator(".notice")).to_be_empty()
    else:
        expect(page.locator(".brief")).to_contain_text("Take a factor or multiple")
        assert in_view(page, ".brief")


def take_from_the_graph(hands: Hands, way: str) -> None:
    """Take a number in the graph. On a keyboard, the board and its focus take its place."""
    page = hands.page
    if is_narrow(page):
        hands.button("Graph")
    node = page.locator(".node.legal", has_text=re.compile("^4$"))
    expect(node).to_be_visible()
    expect(page.locator(".graph .edge.near")).not_to_have_count(0)
    if way == "keyboard":
        page.keyboard.press("Escape")
        hands.take(4)
    else:
        if way == "mouse":
            page.locator(".node", has_text=re.compile("^30$")).hover()
            near = page.locator(".graph .edge.near").count()
            node.hover()
            expect(page.locator(".graph .edge.near")).not_to_have_count(near)
        hands.press(node)
    expect(tile(page, 4)).to_have_accessible_name(re.compile("^4, taken"))
    if is_narrow(page) and way != "keyboard":
        hands.press(page.locator(".panel.open > .close"))
    expect(page.locator(".panel.open")).to_have_count(0)


def look_back(hands: Hands, still: Still) -> None:
    page = hands.page
    if is_narrow(page):
        hands.button("Graph")
    hands.press(page.locator(".history").get_by_role("button", name="Back", exact=True))
    expect(page.locator(".tile.taken")).to_have_count(1)
    still.check()
    if is_narrow(page):
        hands.press(page.locator(".panel.open > .close"))
    assert in_view(page, ".banner")
    hands.button("Back to the game")
    expect(page.locator(".tile.taken")).to_have_count(2)
    still.check()


@pytest.mark.thorough
@pytest.mark.parametrize(CELL, CELLS)
def test_a_thousand_numbers_scroll_inside_their_own_area(
    size: Size, way: str, scheme: str, new_page: NewPage
) -> None:
    hands = person(new_page, size, way, scheme)
    page = hands.page
    start(hands, "juniper", "here", to="1000")
    assert len({*columns_of(page, 7, 17, 997)}) == 1
    hands.try_number(998)
    if page.locator(".tile.picked").count():
        hands.try_number(998)
    expect(page.locator(".tile.taken .digits")).to_have_text("998")
    expect(page.locator(".tile.taken")).to_be_in_viewport()
    hands.button("Hint")
    expect(page.locator(".advice p").first).not_to_have_class("quiet")
    assert in_view(page, ".advice")
    assert page.locator(".area").evaluate("area => area.scrollTop > 0")
    assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")
    assert fits(page)


def columns_of(page: Page, *numbers: int) -> list[int]:
    return [int(tile(page, number).evaluate("tile => tile.offsetLeft")) for number in numbers]


@pytest.mark.thorough
@pytest.mark.parametrize(CELL, CELLS)
def test_a_zoom_of_200_percent_cuts_nothing_off(
    size: Size, way: str, scheme: str, new_page: NewPage
) -> None:
    hands = person(new_page, (size[0] // 2, size[1] // 2), way, scheme)
    page = hands.page
    start(hands, "chain", "here", to="20")
    hands.take(8)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    for name in ("Hint", "Undo", "Graph", "More"):
        button = page.locator(".bar").get_by_role("button", name=name)
        button.scroll_into_view_if_needed()
        expect(button).to_be_in_viewport()
    hands.press(page.locator(".bar").get_by_role("button", name="Undo"))
    expect(page.locator(".tile.taken")).to_have_count(0)


@pytest.mark.thorough
@pytest.mark.parametrize(CELL, CELLS)
def test_a_slow_connection_two_rounds_and_a_dialog_that_is_left(
    size: Size, way: str, scheme: str, new_page: NewPage
) -> None:
    hands = person(new_page, size, way, scheme)
    page = hands.page
    held = HeldCommands()
    page.route_web_socket("**/live", held.hold)
    start(hands, "descent", "here", number="6", rounds="2")
    still = Still(page)
    hands.try_number(3)
    expect(page.locator(".tile.pending .digits")).to_have_text("3")
    expect(page.get_by_role("alert")).to_contain_text("The connection is slow.")
    still.check()
    held.release()
    expect(page.locator(".banner")).to_contain_text("Player 1 wins round 1.")
    expect(page.locator("h1")).to_contain_text("Round 1 of 2")
    assert marks_are_inside(page)
    still.check()
    hands.button("Next round")
    expect(page.locator("h1")).to_contain_text("Round 2 of 2")
    still.check()
    menu(hands, "Give up")
    expect(page.get_by_role("dialog")).to_be_visible()
    page.go_back()
    page.locator(".home").wait_for()
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page).to_have_title("Divisor Duel")
    assert page.evaluate("scrollY") == 0


class HeldCommands:
    """Keeps a page's commands from the server. A page that has just connected repeats its last."""

    def __init__(self) -> None:
        self._last: tuple[WebSocketRoute, str | bytes] | None = None
        self._is_holding = True

    def hold(self, socket: WebSocketRoute) -> None:
        """Stand between a page and the server."""
        server = socket.connect_to_server()

        def pass_on(said: str | bytes) -> None:
            if self._is_holding and json.loads(said)["type"] == "command":
                self._last = server, said
            else:
                server.send(said)

        socket.on_message(pass_on)

    def release(self) -> None:
        """Send the last command, and hold no others."""
        assert self._last is not None
        server, said = self._last
        self._is_holding = False
        server.send(said)


def marks_are_inside(page: Page) -> bool:
    return bool(
        page.locator(".tile.taken").evaluate(
            """tile => [...tile.children].every((part) => {
                const [inner, outer] = [part, tile].map((one) => one.getBoundingClientRect());
                return inner.top >= outer.top && inner.bottom <= outer.bottom;
            })"""
        )
    )


# --- the analysis


@pytest.mark.thorough
@pytest.mark.parametrize(CELL, CELLS)
def test_a_position_is_set_up_explored_shared_and_played(
    size: Size, way: str, scheme: str, new_page: NewPage
) -> None:
    hands = person(new_page, size, way, scheme)
    page = hands.page
    hands.press(page.get_by_role("link", name="Analyse"))
    judged(page)
    open_another_board(hands)
    still = Still(page)
    take_numbers_off(hands, still)
    hands.take(16)
    hands.button("Back")
    expect(page.locator(".tile.taken")).to_have_count(0)
    hands.take(2)
    judged(page)
    still.check()
    expect(page.locator(".tree li > [data-line]")).to_have_count(2)
    ask_why(hands, still)
    code = share_the_position(hands)
    assert code == "chain 2-20,even 3-7,9,11-20 2"
    paste(hands, "divider 2-9 5,7 -")
    expect(page.locator(".tile.legal")).to_have_count(2)
    assert fits(page)
    hands.button("Play from here")
    hands.press(page.locator("[name=side][value=other]"))
    hands.choose(page.get_by_role("dialog").locator("[name=level]"), "perfect")
    hands.button("Play")
    page.wait_for_url("**/#/match/*")
    expect(page.locator(".tile.taken")).to_have_count(1)
    assert legal(page) in ([5], [7])


def judged(page: Page) -> None:
    page.locator(".verdict:is(.wins, .loses)").wait_for()


def set_up(hands: Hands, part: str = "") -> None:
    """Open the sheet for a position, and a part of it."""
    page = hands.page
    if is_narrow(page):
        hands.button("Set up")
    details = page.locator(".positions details", has_text=part)
    if part and details.get_attribute("open") is None:
        hands.press(details.locator("summary"))


def open_another_board(hands: Hands) -> None:
    page = hands.page
    set_up(hands, "Another board")
    hands.choose(page.locator(".positions [name=game]"), "chain")
    hands.write(page.get_by_label("Largest number"), "20")
    hands.button("Show this board")
    expect(page.locator(".tile")).to_have_count(19)
    expect(page.locator(".panel.open")).to_have_count(0)
    judged(page)


def take_numbers_off(hands: Hands, still: Still) -> None:
    page = hands.page
    set_up(hands)
    hands.button("Remove numbers")
    for number in (8, 9, 10):
        hands.try_number(number)
        expect(tile(page, number)).to_have_accessible_name(f"{number}, gone")
        still.check()
    hands.try_number(9)
    expect(tile(page, 9)).not_to_have_accessible_name("9, gone")
    hands.button("Done")
    set_up(hands)
    hands.choose(page.locator("[name=last]"), "8")
    expect(page.locator(".tile.legal")).to_have_count(3)
    if is_narrow(page):
        hands.press(page.locator(".panel.open > .close"))
    judged(page)
    assert legal(page) == [2, 4, 16]
    still.check()


def ask_why(hands: Hands, still: Still) -> None:
    page = hands.page
    if is_narrow(page):
        hands.button("Why?")
    expect(page.locator(".advice .proof")).to_contain_text("Proven by")
    still.check()
    if is_narrow(page):
        hands.press(page.locator(".advice .close"))
        expect(page.locator(".advice .proof")).to_have_count(0)


def share_the_position(hands: Hands) -> str:
    page = hands.page
    hands.button("Share")
    rows = page.get_by_role("dialog").locator(".linkrow")
    hands.press(rows.first.get_by_role("button", name="Copy"))
    expect(rows.first).to_contain_text("Copied.")
    expect(rows.first.locator("input")).to_have_value(re.compile("#/analysis/"))
    code = rows.last.locator("input").input_value()
    assert fits(page)
    hands.button("Close")
    return code


def paste(hands: Hands, text: str) -> None:
    page = hands.page
    set_up(hands, "Paste a position")
    hands.write(page.get_by_label("Position code, link or saved game"), text)
    hands.button("Open")


# --- without the server


@pytest.mark.thorough
@pytest.mark.parametrize(CELL, CELLS)
def test_the_page_opens_without_the_server_in_every_way(
    size: Size, way: str, scheme: str, new_page: NewPage
) -> None:
    hands = person(new_page, size, way, scheme, service_workers="allow")
    page = hands.page
    page.evaluate("navigator.serviceWorker.ready.then(() => {})")
    page.wait_for_function("navigator.serviceWorker.controller?.state === 'activated'")
    page.context.set_offline(True)
    page.reload()
    expect(page.locator(".offline")).to_contain_text("games, hints and reviews need it")
    hands.press(page.get_by_role("link", name="Learn"))
    page.locator(".rules").wait_for()
    hands.press(page.get_by_role("link", name="Play this game"))
    hands.press(page.locator("button.play"))
    alert = page.get_by_role("alert").filter(has_text="The server is not responding.")
    expect(alert.first).to_be_visible()
