"""Everything around a match, by mouse, touch and keyboard at every size: one walk for each part.

``test_journey.py`` walks through the match itself.
"""

import json
import re

import pytest
from playwright.sync_api import Page, expect

from tests.web.browser import NewPage, browser, new_page
from tests.web.game_page import in_view, legal, take, tell_page, tile
from tests.web.static.held_commands import HeldCommands
from tests.web.static.page_users import CELLS, User, new_user
from tests.web.static.recorders import ALERTS, MOTION
from tests.web.static.sizes import Size, is_narrow
from tests.web.static.still_board import StillBoard
from tests.web.static.walk_steps import fits, go_home, judged, menu, paste, set_up, start

__all__ = ["browser", "new_page"]

CELL = "size", "way", "scheme"


# --- home


@pytest.mark.thorough
@pytest.mark.parametrize(CELL, CELLS)
def test_home_leads_to_games_rules_settings_and_results(
    size: Size, way: str, scheme: str, new_page: NewPage
) -> None:
    user = new_user(new_page, size, way, scheme)
    user.page.locator(".home").wait_for()
    assert in_view(user.page, "button.play")
    see_the_games(user)
    choose_settings(user, scheme)
    learn(user)
    choose_a_prime(user)
    set_up_a_game(user)
    continue_it(user)
    lose_it_and_see_the_results(user)
    play_with_the_last_settings(user)


def see_the_games(user: User) -> None:
    games = user.page.locator(".games button")
    expect(games).to_have_count(6)
    for game in games.all():
        expect(game.locator("strong")).not_to_be_empty()
        expect(game.locator(".rule")).to_have_text(re.compile("^(Take|Replace) .*[.]$"))
        expect(game.locator(".mini")).to_be_visible()


def choose_settings(user: User, scheme: str) -> None:
    page = user.page
    user.button("Settings")
    dialog = page.get_by_role("dialog")
    user.press(dialog.get_by_label("High contrast"))
    back = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert back == ("rgb(255, 255, 255)" if scheme == "light" else "rgb(0, 0, 0)")
    for name, colour in (("Light", "rgb(246, 244, 239)"), ("Dark", "rgb(20, 22, 26)")):
        user.press(dialog.get_by_label(name))
        expect(page.locator("body")).to_have_css("background-color", colour)
    for name in ("System", "Always", "Vibrate", "On a phone"):
        user.press(dialog.get_by_label(name))
    assert fits(page)
    user.button("Keyboard shortcuts")
    expect(dialog).to_have_count(2)
    assert fits(page)
    user.button("Close")
    expect(dialog).to_have_count(1)
    user.button("Close")
    expect(dialog).to_have_count(0)
    kept = json.loads(page.evaluate("localStorage.getItem('duel.choices')"))
    wanted = {"theme": "system", "sound": "always", "vibrate": True, "twoTaps": False}
    assert kept.items() >= wanted.items()


def learn(user: User) -> None:
    page = user.page
    user.press(page.get_by_role("link", name="Learn"))
    user.button("Play the example")
    user.button("Pause")
    user.press(page.get_by_role("navigation").get_by_role("link", name="A chain of evens"))
    expect(page.locator(".tabs [aria-current]")).to_have_text("Divisor Duel: A chain of evens")
    expect(page.locator(".tabs [aria-current]")).to_be_in_viewport(ratio=0.9)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    user.press(page.get_by_role("link", name="Play this game"))
    expect(page.locator("button.play")).to_contain_text("A chain of evens")


def choose_a_prime(user: User) -> None:
    page = user.page
    user.press(page.locator("[data-game=descent]"))
    user.press(page.locator("[name=size][value=custom]"))
    user.write(page.locator("[name=number]"), "17")
    expect(page.get_by_text("17 is a prime: the first player cannot move.")).to_be_visible()
    user.button("Play")
    expect(page.get_by_role("alert").filter(has_text="not a prime")).to_be_visible()
    user.button("Close")


def set_up_a_game(user: User) -> None:
    page = user.page
    user.press(page.locator("[data-game=chain]"))
    user.press(page.locator("[name=opponent][value=computer]"))
    user.slide_to_the_end(page.get_by_label("Strength"))
    expect(page.locator("[name=level]")).to_have_value("perfect")
    user.choose(page.locator("[name=level]"), "1")
    expect(page.locator(".levels .word")).to_have_text("Beginner")
    for name, largest in (("classic", "50"), ("large", "100"), ("small", "20")):
        user.press(page.locator(f"[name=size][value={name}]"))
        expect(page.locator(f"[name=size][value={name}]")).to_be_checked()
        expect(page.locator("[name=to]")).to_have_value(largest)
    user.press(page.locator("[name=first][value='1']"))
    user.press(page.get_by_text("More options"))
    user.write(page.locator("[name=you]"), "Ada")
    assert fits(page)
    user.press(page.get_by_role("dialog").get_by_role("link", name="Rules"))
    page.locator(".rules").wait_for()
    page.go_back()
    user.press(page.locator("[data-game=chain]"))
    expect(page.locator("[name=you]")).to_have_value("Ada")
    expect(page.locator("[name=size][value=small]")).to_be_checked()
    user.button("Play")
    expect(page.locator(".tile")).to_have_count(19)
    assert page.evaluate("scrollY") == 0


def continue_it(user: User) -> None:
    page = user.page
    code = page.url.rsplit("/", 1)[1]
    go_home(user)
    expect(page).to_have_title("Divisor Duel")
    expect(page.get_by_role("link", name="Follow the chain")).to_contain_text("Your turn")
    field = page.get_by_label("Have a code")
    user.write(field, "?")
    user.button("Join")
    expect(page.get_by_text("This is not a link or a position code.")).to_be_visible()
    user.write(field, code)
    user.button("Join")
    expect(page.locator(".player.one")).to_contain_text("Ada")
    go_home(user)
    user.press(page.get_by_role("link", name="Follow the chain"))
    expect(page.locator(".player.one")).to_contain_text("Ada")


def lose_it_and_see_the_results(user: User) -> None:
    page = user.page
    menu(user, "Give up")
    user.button("Give up")
    expect(page.locator(".result .title")).to_have_text("The computer wins!")
    go_home(user)
    expect(page.get_by_role("link", name="Follow the chain")).to_contain_text("Level 1 won")
    user.button("Your results")
    row = page.locator(".statistics tbody tr td")
    shown = ["Divisibility Duel: Follow the chain", "Level 1", "0", "1"]
    expect(row).to_have_text(shown)
    assert fits(page)
    with page.expect_download() as download:
        user.button("Export")
    page.evaluate("localStorage.removeItem('duel.statistics')")
    with page.expect_file_chooser() as chooser:
        user.press(page.get_by_label("Import"))
    chooser.value.set_files(download.value.path())
    expect(page.get_by_text("Imported.")).to_be_visible()
    expect(row).to_have_text(shown)
    user.button("Close")


def play_with_the_last_settings(user: User) -> None:
    """Play again with one press; leave the game from a page that was scrolled."""
    page = user.page
    expect(page.locator("button.play")).to_contain_text("Follow the chain · Level 1")
    page.locator(".foot").scroll_into_view_if_needed()
    user.press(page.locator("button.play"))
    expect(page.locator(".tile")).to_have_count(19)
    expect(page.locator(".player.one")).to_contain_text("Ada")
    expect(page.locator(".player.two")).to_contain_text("Level 1")
    assert page.evaluate("scrollY") == 0
    if is_narrow(page):
        user.button("More")
    user.press(page.locator(".menu").get_by_role("link", name="New game"))
    page.locator(".home").wait_for()
    assert page.evaluate("scrollY") == 0


# --- through a link


@pytest.mark.thorough
@pytest.mark.parametrize(CELL, CELLS)
def test_a_friend_is_invited_and_a_game_is_played_and_reviewed(
    size: Size, way: str, scheme: str, new_page: NewPage
) -> None:
    user = new_user(new_page, size, way, scheme)
    page = user.page
    invite = invite_a_friend(user)
    still = StillBoard(page)
    friend = new_page(invite)
    friend.get_by_label("Your name").fill("Bob")
    friend.get_by_role("button", name="Join the game").click()
    expect(page.locator(".status")).to_contain_text("Your turn.")
    still.check()
    my_turn = tile(page, 4).evaluate(EDGE)
    user.take(4)
    expect(page.locator(".table")).to_have_attribute("data-phase", "theirs")
    assert tile(page, 2).evaluate(EDGE) != my_turn
    still.check()
    take(friend, 2)
    answer_offers(user, friend, still)
    user.take(14)
    still.check()
    take(friend, 7)
    expect(page.locator(".result .title")).to_have_text("Bob wins!")
    expect(page.locator(".result .by")).to_have_text("You have no move left.")
    expect(friend.locator(".result .title")).to_have_text("You win!")
    expect(page.locator(".result .found")).to_contain_text("You made 1 mistake")
    expect(page.locator(".result .sparkline")).to_be_visible()
    assert in_view(page, ".result")
    still.check()
    for link, part, text in share_the_result(user):
        spectator = new_user(new_page, size, way, scheme, link)
        expect(spectator.page.locator(part)).to_contain_text(text)
        assert in_view(spectator.page, ".board")
    follow_the_review(user, still)
    analyse_the_game(user)
    user.button("Play again")
    friend.get_by_role("button", name="Accept").click()
    expect(page.locator(".tile.taken")).to_have_count(0)
    still.check()


EDGE = "tile => getComputedStyle(tile).borderTopWidth + getComputedStyle(tile).boxShadow"


def invite_a_friend(user: User) -> str:
    page = user.page
    user.button("Play a friend")
    user.choose(page.locator("form.setup [name=game]"), "chain")
    expect(page.get_by_role("dialog").get_by_role("heading")).to_have_text("Divisibility Duel")
    expect(page.locator("dialog")).to_have_count(1)  # the sheet of the other game is gone
    user.press(page.locator("[name=size][value=small]"))
    expect(page.locator("[name=size][value=small]")).to_be_checked()
    assert fits(page)
    user.button("Play")
    page.locator(".waiting").wait_for()
    user.press(page.locator(".waiting").get_by_role("button", name="QR code").first)
    page.locator(".qr path").wait_for()
    assert in_view(page, ".qr")
    assert fits(page)
    user.button("Close")
    user.press(page.locator(".waiting").get_by_role("button", name="Copy").first)
    expect(page.get_by_text("Copied.")).to_be_visible()
    return page.locator(".linkrow input").first.input_value()


def answer_offers(user: User, friend: Page, still: StillBoard) -> None:
    """Meet an opponent who asks to undo, leaves and returns; then ask to undo."""
    page = user.page
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
    user.button("Decline")
    expect(page.locator(".offer")).to_be_hidden()
    still.check()
    user.button("Ask to undo")
    expect(page.locator(".offer")).to_contain_text("You have asked to undo a move.")
    friend.get_by_role("button", name="Decline").click()
    expect(page.locator(".notice")).to_contain_text("Bob declined.")
    still.check()


def share_the_result(user: User) -> list[tuple[str, str, str]]:
    """Return links, each with the part of the page and the text that it opens."""
    page = user.page
    user.press(page.locator(".result").get_by_role("button", name="Share"))
    rows = page.get_by_role("dialog").locator(".linkrow")
    turn = rows.filter(has_text="after turn 4").locator("input")
    expect(turn).to_have_value(re.compile("turn/4$"))
    review = rows.filter(has_text="Link to the review")
    user.press(review.get_by_role("button", name="Copy"))
    expect(review).to_contain_text("Copied.")
    assert fits(page)
    found = [
        (turn.input_value().replace("turn/4", "turn/2"), ".banner", "after turn 2 of 4"),
        (review.locator("input").input_value(), ".remark", "Turn 3: Player 1 took 14."),
    ]
    user.button("Close")
    return found


def follow_the_review(user: User, still: StillBoard) -> None:
    page = user.page
    user.button("Find it")
    remark = page.locator(".remark")
    expect(remark).to_contain_text("Your mistake. Turn 3: you took 14.")
    for part in (".board", ".remark", ".tile.good", ".tile.bad"):
        assert in_view(page, part)
    still.check()
    for taken, name in ((3, "Next step"), (4, "Next step"), (3, "Back")):
        steps = page.locator(".review .steps")
        user.press(steps.get_by_role("button", name=name, exact=True))
        expect(page.locator(".tile.taken")).to_have_count(taken)
        still.check()
    for taken, key in ((4, "ArrowRight"), (3, "ArrowLeft"), (2, "ArrowLeft")):
        page.keyboard.press(key)
        expect(page.locator(".tile.taken")).to_have_count(taken)
        still.check()
    expect(page.locator(".timeline button")).to_have_text(["1", "2", "3!", "4"])
    user.press(page.locator(".timeline button").nth(1))
    expect(remark).to_contain_text("Turn 2: Bob took 2.")
    still.check()


def analyse_the_game(user: User) -> None:
    """Go to the analysis from the review, and return."""
    page = user.page
    user.press(page.locator(".review").get_by_role("link", name="Analyse this position"))
    judged(page)
    expect(page.locator(".tree [aria-current]")).to_have_attribute("data-line", "4")
    page.go_back()
    page.locator(".review .remark").wait_for()
    user.button("Close review")


@pytest.mark.thorough
@pytest.mark.parametrize(CELL, CELLS)
def test_the_network_address_is_shared_through_the_systems_share_sheet(
    size: Size, way: str, scheme: str, new_page: NewPage
) -> None:
    user = new_user(new_page, size, way, scheme)
    page = user.page
    page.locator(".home").wait_for()
    page.evaluate("navigator.share = async (what) => { window.shared = what; }")
    tell_page(page, "network", "http://192.0.2.7:8721")
    start(user, "chain", "link", to="20")
    expect(page.get_by_text("reach this computer at http://192.0.2.7:8721.")).to_be_visible()
    user.press(page.get_by_role("button", name="Share …").first)
    page.wait_for_function("window.shared")
    link = page.locator(".linkrow input").first.input_value()
    assert link.startswith("http://192.0.2.7:8721/#/match/")
    assert page.evaluate("window.shared") == {"title": "Divisor Duel", "url": link}


# --- sounds, vibration, notifications and animations


@pytest.mark.thorough
@pytest.mark.parametrize(CELL, CELLS)
def test_a_turn_plays_a_sound_vibrates_and_notifies_as_the_settings_say(
    size: Size, way: str, scheme: str, new_page: NewPage
) -> None:
    user = new_user(new_page, size, way, scheme)
    page = user.page
    page.add_init_script(ALERTS)
    page.reload()
    change_settings(user, "Vibrate", "Notify me")
    start(user, "chain", "link", to="20")
    friend = new_page(page.locator(".linkrow input").first.input_value())
    friend.get_by_role("button", name="Join the game").click()
    expect(page.locator(".status")).to_contain_text("Your turn.")
    still = StillBoard(page)
    user.take(8)
    assert "OscillatorNode" in page.evaluate("window.made")
    page.evaluate("window.away = true; window.made.length = 0")
    take(friend, 4)
    expect(page.locator(".tile.taken")).to_have_count(2)
    assert {*page.evaluate("window.made")} == {"Notification", "OscillatorNode", "vibrate"}
    still.check()
    go_home(user)
    change_settings(user, "Vibrate", "Notify me", "Never")
    user.press(page.get_by_role("link", name="Follow the chain"))
    expect(page.locator(".tile.taken")).to_have_count(2)
    page.evaluate("window.made.length = 0")
    user.take(16)
    take(friend, 2)
    expect(page.locator(".tile.taken")).to_have_count(4)
    assert page.evaluate("window.made") == []


def change_settings(user: User, *names: str) -> None:
    user.button("Settings")
    for name in names:
        user.press(user.page.get_by_role("dialog").get_by_label(name))
    user.button("Close")


@pytest.mark.thorough
@pytest.mark.parametrize(CELL, CELLS)
def test_numbers_move_as_their_game_says_unless_motion_is_reduced(
    size: Size, way: str, scheme: str, new_page: NewPage
) -> None:
    user = new_user(new_page, size, way, scheme, reduced_motion="no-preference")
    page = user.page
    live = page.locator(".games .mini").first.inner_html()
    expect(page.locator(".games .mini").first).not_to_have_js_property("innerHTML", live)
    page.evaluate(MOTION)
    assert moved(user, "chain", 20, 8, 4) == [["path", 200, 0]]
    assert moved(user, "chain", 20, 8, wrong=19) == [["19", 180, 0]]
    assert moved(user, "divider", 9, 3) == [["6", 260, 0], ["9", 260, 40]]
    assert moved(user, "antichain", 10, 4) == [["2", 260, 0], ["8", 260, 40]]
    page.emulate_media(reduced_motion="reduce")
    assert moved(user, "antichain", 10, 4) == []
    assert moved(user, "chain", 20, 8, wrong=19) == []


def moved(user: User, game: str, largest: int, *numbers: int, wrong: int = 0) -> object:
    """Play a game, and try a wrong number at the end; return what was animated."""
    page = user.page
    start(user, game, "here", to=str(largest))
    still = StillBoard(page)
    page.evaluate("window.moved = []")
    for number in numbers:
        user.take(number)
    if wrong:
        user.try_number(wrong)
        expect(page.get_by_role("alert")).to_contain_text(f"{wrong} neither divides")
    still.check()
    animated = page.evaluate("window.moved")
    go_home(user)
    return animated


# --- the board


@pytest.mark.thorough
@pytest.mark.parametrize(CELL, CELLS)
def test_a_game_on_a_hundred_numbers_is_played_drawn_and_stepped_through(
    size: Size, way: str, scheme: str, new_page: NewPage
) -> None:
    user = new_user(new_page, size, way, scheme)
    page = user.page
    start(user, "juniper", "here", to="100")
    still = StillBoard(page)
    take_a_small_tile(user, still, twice=size[0] <= 420 and way != "keyboard")
    read_the_rule(user, still)
    take_from_the_graph(user, way)
    still.check()
    look_back(user, still)
    change_settings(user, "On a phone")
    user.take(16)  # at once
    still.check()


def take_a_small_tile(user: User, still: StillBoard, twice: bool) -> None:
    page = user.page
    user.try_number(9)
    expect(page.get_by_role("alert")).to_contain_text("The first number must be even")
    still.check()
    user.try_number(8)
    if twice:
        expect(page.locator(".notice")).to_have_text("Tap again to take 8.")
        expect(page.locator(".tile.picked .digits")).to_have_text("8")
        still.check()
        user.try_number(8)
    expect(page.locator(".tile.taken .digits")).to_have_text("8")
    still.check()


def read_the_rule(user: User, still: StillBoard) -> None:
    page = user.page
    if is_narrow(page):
        user.button("Rule")
        expect(page.locator(".notice")).to_contain_text("Take a factor or multiple")
        still.check()
        user.button("Rule")
        expect(page.locator(".notice")).to_be_empty()
    else:
        expect(page.locator(".brief")).to_contain_text("Take a factor or multiple")
        assert in_view(page, ".brief")


def take_from_the_graph(user: User, way: str) -> None:
    """Take a number in the graph. On a keyboard, the board and its focus take its place."""
    page = user.page
    if is_narrow(page):
        user.button("Graph")
    node = page.locator(".node.legal", has_text=re.compile("^4$"))
    expect(node).to_be_visible()
    expect(page.locator(".graph .edge.near")).not_to_have_count(0)
    if way == "keyboard":
        page.keyboard.press("Escape")
        user.take(4)
    else:
        if way == "mouse":
            page.locator(".node", has_text=re.compile("^30$")).hover()
            near = page.locator(".graph .edge.near").count()
            node.hover()
            expect(page.locator(".graph .edge.near")).not_to_have_count(near)
        user.press(node)
    expect(tile(page, 4)).to_have_accessible_name(re.compile("^4, taken"))
    if is_narrow(page) and way != "keyboard":
        user.press(page.locator(".panel.open > .close"))
    expect(page.locator(".panel.open")).to_have_count(0)


def look_back(user: User, still: StillBoard) -> None:
    page = user.page
    if is_narrow(page):
        user.button("Graph")
    user.press(page.locator(".history").get_by_role("button", name="Back", exact=True))
    expect(page.locator(".tile.taken")).to_have_count(1)
    still.check()
    if is_narrow(page):
        user.press(page.locator(".panel.open > .close"))
    assert in_view(page, ".banner")
    user.button("Back to the game")
    expect(page.locator(".tile.taken")).to_have_count(2)
    still.check()


@pytest.mark.thorough
@pytest.mark.parametrize(CELL, CELLS)
def test_a_thousand_numbers_scroll_inside_their_own_area(
    size: Size, way: str, scheme: str, new_page: NewPage
) -> None:
    user = new_user(new_page, size, way, scheme)
    page = user.page
    start(user, "juniper", "here", to="1000")
    assert len({*columns_of(page, 7, 17, 997)}) == 1
    user.try_number(998)
    if page.locator(".tile.picked").count():
        user.try_number(998)
    expect(page.locator(".tile.taken .digits")).to_have_text("998")
    expect(page.locator(".tile.taken")).to_be_in_viewport()
    user.button("Hint")
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
    user = new_user(new_page, (size[0] // 2, size[1] // 2), way, scheme)
    page = user.page
    start(user, "chain", "here", to="20")
    user.take(8)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    for name in ("Hint", "Undo", "Graph", "More"):
        button = page.locator(".bar").get_by_role("button", name=name)
        button.scroll_into_view_if_needed()
        expect(button).to_be_in_viewport()
    user.press(page.locator(".bar").get_by_role("button", name="Undo"))
    expect(page.locator(".tile.taken")).to_have_count(0)


@pytest.mark.thorough
@pytest.mark.parametrize(CELL, CELLS)
def test_a_match_survives_a_slow_connection_a_second_round_and_a_dialog_that_is_left(
    size: Size, way: str, scheme: str, new_page: NewPage
) -> None:
    user = new_user(new_page, size, way, scheme)
    page = user.page
    held = HeldCommands()
    page.route_web_socket("**/live", held.hold)
    start(user, "descent", "here", number="6", rounds="2")
    still = StillBoard(page)
    before = tile(page, 3).evaluate(LOOK)
    user.try_number(3)
    expect(page.locator(".tile.pending .digits")).to_have_text("3")
    assert tile(page, 3).evaluate(LOOK) != before
    expect(page.get_by_role("alert")).to_contain_text("The connection is slow.")
    still.check()
    held.release()
    expect(page.locator(".banner")).to_contain_text("Player 1 wins round 1.")
    expect(page.locator("h1")).to_contain_text("Round 1 of 2")
    assert marks_are_inside(page)
    still.check()
    user.button("Next round")
    expect(page.locator("h1")).to_contain_text("Round 2 of 2")
    still.check()
    menu(user, "Give up")
    expect(page.get_by_role("dialog")).to_be_visible()
    page.go_back()
    page.locator(".home").wait_for()
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page).to_have_title("Divisor Duel")
    assert page.evaluate("scrollY") == 0
    user.press(page.get_by_role("link", name="Down to a prime"))
    expect(page.locator(".table")).to_have_attribute("data-phase", "mine")
    user.take(2)
    expect(page.locator(".result .title")).to_have_text("The match is a draw, 1 to 1.")
    expect(page.locator(".result .by")).to_contain_text("Player 2 wins!")
    user.press(page.locator(".result").get_by_role("link", name="Analyse"))
    judged(page)
    expect(page.locator(".tree [aria-current]")).to_have_attribute("data-line", "2")


LOOK = """tile => {
    const { border, background } = getComputedStyle(tile);
    return [border, background];
}"""


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
    user = new_user(new_page, size, way, scheme)
    page = user.page
    user.press(page.get_by_role("link", name="Analyse"))
    judged(page)
    open_another_board(user)
    still = StillBoard(page)
    remove_numbers(user, still)
    user.take(16)
    user.button("Back")
    expect(page.locator(".tile.taken")).to_have_count(0)
    user.take(2)
    judged(page)
    still.check()
    expect(page.locator(".tree li > [data-line]")).to_have_count(2)
    ask_why(user, still)
    code = share_the_position(user)
    assert code == "chain 2-20,even 3-7,9,11-20 2"
    other = new_user(new_page, size, way, scheme, page.url)
    judged(other.page)
    assert legal(other.page) == legal(page)
    paste(user, '[Game "chain"]\n[Board "2-8"]\n\n8 4 (2 6) 2 *\n')
    expect(page.locator(".tree [aria-current]")).to_have_attribute("data-line", "8-4-2")
    paste(user, "divider 2-9 5,7 -")
    expect(page.locator(".tile.legal")).to_have_count(2)
    assert fits(page)
    user.button("Play from here")
    user.press(page.locator("[name=side][value=other]"))
    user.choose(page.get_by_role("dialog").locator("[name=level]"), "perfect")
    user.button("Play")
    page.wait_for_url("**/#/match/*")
    expect(page.locator(".tile.taken")).to_have_count(1)
    assert legal(page) in ([5], [7])


def open_another_board(user: User) -> None:
    page = user.page
    set_up(user, "Another board")
    user.choose(page.locator(".positions [name=game]"), "chain")
    user.write(page.get_by_label("Largest number"), "20")
    user.button("Show this board")
    expect(page.locator(".tile")).to_have_count(19)
    expect(page.locator(".panel.open")).to_have_count(0)
    judged(page)


def remove_numbers(user: User, still: StillBoard) -> None:
    page = user.page
    set_up(user)
    user.button("Remove numbers")
    for number in (8, 9, 10):
        user.try_number(number)
        expect(tile(page, number)).to_have_accessible_name(f"{number}, gone")
        still.check()
    user.try_number(9)
    expect(tile(page, 9)).not_to_have_accessible_name("9, gone")
    user.button("Done")
    set_up(user)
    user.choose(page.locator("[name=last]"), "8")
    expect(page.locator(".tile.legal")).to_have_count(3)
    if is_narrow(page):
        user.press(page.locator(".panel.open > .close"))
    judged(page)
    assert legal(page) == [2, 4, 16]
    still.check()


def ask_why(user: User, still: StillBoard) -> None:
    page = user.page
    if is_narrow(page):
        user.button("Why?")
    expect(page.locator(".advice .proof")).to_contain_text("Proven by")
    still.check()
    if is_narrow(page):
        user.press(page.locator(".advice .close"))
        expect(page.locator(".advice .proof")).to_have_count(0)


def share_the_position(user: User) -> str:
    page = user.page
    user.button("Share")
    rows = page.get_by_role("dialog").locator(".linkrow")
    user.press(rows.first.get_by_role("button", name="Copy"))
    expect(rows.first).to_contain_text("Copied.")
    expect(rows.first.locator("input")).to_have_value(re.compile("#/analysis/"))
    code = rows.last.locator("input").input_value()
    assert fits(page)
    user.button("Close")
    return code


# --- without the server


@pytest.mark.thorough
@pytest.mark.parametrize(CELL, CELLS)
def test_the_page_opens_without_the_server_in_every_way(
    size: Size, way: str, scheme: str, new_page: NewPage
) -> None:
    user = new_user(new_page, size, way, scheme, service_workers="allow")
    page = user.page
    page.evaluate("navigator.serviceWorker.ready.then(() => {})")
    page.wait_for_function("navigator.serviceWorker.controller?.state === 'activated'")
    manifest = page.context.new_cdp_session(page).send("Page.getAppManifest")
    assert manifest["errors"] == []
    assert json.loads(manifest["data"])["display"] == "standalone"
    page.context.set_offline(True)
    page.reload()
    expect(page.locator(".offline")).to_contain_text("games, hints and reviews need it")
    user.press(page.get_by_role("link", name="Learn"))
    page.locator(".rules").wait_for()
    user.press(page.get_by_role("link", name="Play this game"))
    user.press(page.locator("button.play"))
    alert = page.get_by_role("alert").filter(has_text="The server is not responding.")
    expect(alert.first).to_be_visible()
