"""Home, dialogs, the end of a game, its review, and what the page remembers."""

import re

import pytest
from playwright.sync_api import FilePayload, expect

from divisorduel.web.page_files import FOLDER
from tests.conftest import thorough_except
from tests.web.browser import NewPage, browser, new_page
from tests.web.game_page import in_view, start_game, take
from tests.web.static.recorders import ALERTS
from tests.web.static.sizes import SIZES, viewport

__all__ = ["browser", "new_page"]

PHONE = {"width": 390, "height": 844}


# --- the end and the review


@pytest.mark.thorough
def test_the_review_shows_the_board_and_the_remark_together_on_a_phone(new_page: NewPage) -> None:
    page = new_page(viewport=viewport(SIZES[0]))
    start_game(page, "chain")
    take(page, 4, 2, 14, 7)
    page.get_by_role("button", name="Find it").click()
    expect(page.locator(".remark")).to_contain_text("14")
    for part in (".board", ".review", ".remark", ".tile.good", ".tile.bad"):
        assert in_view(page, part)
    page.get_by_role("button", name="Next step", exact=True).click()
    expect(page.locator(".tile.taken")).to_have_count(3)


@pytest.mark.thorough
def test_the_heading_names_the_round_on_the_board(new_page: NewPage) -> None:
    page = new_page()
    start_game(page, "descent", number="6", rounds="2")
    page.locator(".tile.legal").first.click()
    expect(page.get_by_role("button", name="Next round")).to_be_visible()
    expect(page.locator("h1")).to_contain_text("Round 1 of 2")
    expect(page.locator(".player.turn")).to_have_count(0)
    expect(page.locator(".player.won")).to_have_count(1)
    page.get_by_role("button", name="Next round").click()
    expect(page.locator("h1")).to_contain_text("Round 2 of 2")


# --- the page


@pytest.mark.thorough
def test_a_new_game_begins_at_the_top_of_the_page(new_page: NewPage) -> None:
    page = new_page(viewport=viewport(SIZES[0]))
    page.locator("[data-game=evens]").scroll_into_view_if_needed()
    start_game(page, "evens")
    assert page.evaluate("scrollY") == 0
    assert in_view(page, ".board")
    page.get_by_role("button", name="More").click()
    page.get_by_role("link", name="New game").click()
    page.locator(".home").wait_for()
    expect(page).to_have_title("Divisor Duel")
    assert page.evaluate("scrollY") == 0


@pytest.mark.thorough
def test_going_back_closes_a_dialog(new_page: NewPage) -> None:
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


@pytest.mark.thorough
def test_a_prime_is_not_accepted_as_a_starting_number(new_page: NewPage) -> None:
    page = new_page()
    page.locator("[data-game=descent]").click()
    page.locator("[name=size][value=custom]").check()
    page.locator("[name=number]").fill("17")
    expect(page.get_by_text("17 is a prime: the first player cannot move.")).to_be_visible()
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.get_by_role("alert").filter(has_text="not a prime")).to_be_visible()
    assert "match" not in page.url


def test_the_home_view_continues_games_and_opens_codes(new_page: NewPage) -> None:
    page = new_page()
    start_game(page, "chain", "computer", you="Ann")
    code = page.url.rsplit("/", 1)[1]
    page.get_by_role("link", name="Divisor Duel").click()
    game = page.get_by_role("link", name="Follow the chain")
    expect(game).to_contain_text("Your turn")
    page.get_by_label("Have a code").fill(code)
    page.get_by_role("button", name="Join").click()
    expect(page.locator(".player.one")).to_contain_text("Ann")


def test_every_file_of_the_page_can_be_read_in_one_sitting() -> None:
    texts = [file for file in FOLDER.rglob("*.*") if file.suffix != ".png"]
    lines = {file.name: file.read_text().count("\n") for file in texts}
    assert {name: count for name, count in lines.items() if count > 250} == {}


@pytest.mark.thorough
def test_a_link_opens_a_turn_and_a_review(new_page: NewPage) -> None:
    page = new_page()
    start_game(page, "chain")
    take(page, 4, 2, 14, 7)
    page.get_by_role("region", name="Result").get_by_role("button", name="Share").click()
    rows = page.get_by_role("dialog").locator(".linkrow")
    turn = rows.filter(has_text="after turn 4").locator("input").input_value()
    review = rows.filter(has_text="Link to the review").locator("input").input_value()
    other = new_page(turn.replace("/turn/4", "/turn/2").split("/", 3)[3])
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
    page.get_by_role("link", name="Divisor Duel").click()
    page.get_by_role("button", name="Your results").click()
    row = page.locator(".statistics tbody tr td")
    expect(row).to_have_text(["Divisor Duel: Down to a prime", "Perfect", "1", "0"])
    with page.expect_download() as download:
        page.get_by_role("button", name="Export").click()
    other = new_page()
    other.get_by_role("button", name="Your results").click()
    expect(other.locator(".statistics")).to_have_text("No results yet.")
    other.get_by_label("Import").set_input_files(download.value.path())
    expect(other.locator(".statistics tbody tr td")).to_have_text(
        ["Divisor Duel: Down to a prime", "Perfect", "1", "0"]
    )


@pytest.mark.thorough
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


@pytest.mark.thorough
def test_closed_advice_leaves_no_letters_and_can_be_asked_for_again(new_page: NewPage) -> None:
    page = new_page(viewport=PHONE, has_touch=True)
    start_game(page, "chain", opening="even")
    take(page, 12)
    advice = page.locator(".advice")
    hint = page.locator(".bar").get_by_role("button", name="Hint")
    hint.tap()
    for _ in range(2):
        advice.get_by_role("button", name="Another hint").tap()
    for _ in range(2):
        expect(advice).to_contain_text("Try ")
        advice.get_by_role("button", name="Why?").tap()
        expect(advice).to_contain_text("partners have the same letter")
        expect(page.locator(".tile.paired").first).to_be_visible()
        advice.get_by_role("button", name="Close").tap()
        expect(page.locator(".tile.paired")).to_have_count(0)
        hint.tap()


@pytest.mark.thorough
def test_escape_closes_advice(new_page: NewPage) -> None:
    page = new_page()
    start_game(page, "chain")
    page.keyboard.press("h")
    expect(page.locator(".advice p").first).not_to_have_class("quiet")
    page.keyboard.press("Escape")
    expect(page.locator(".advice")).to_be_empty()


@pytest.mark.thorough
def test_a_phone_shows_the_opponents_move_and_the_rule_after_one_tap(new_page: NewPage) -> None:
    page = new_page(viewport=PHONE, has_touch=True)
    start_game(page, "chain", "computer")
    page.locator(".tile.legal").first.tap()
    status = page.locator(".status")
    expect(status).to_have_text(re.compile(r"^Level 3 took \d+\. Your turn\.$"))
    rule = page.get_by_role("button", name="Rule", exact=True)
    rule.tap()
    expect(page.locator(".notice")).to_contain_text("Take a factor or multiple of the last number")
    assert in_view(page, ".notice p")
    rule.tap()
    expect(page.locator(".notice")).to_be_empty()


# --- words


@pytest.mark.thorough
def test_the_rules_of_a_match_describe_its_game_and_its_board(new_page: NewPage) -> None:
    page = new_page()
    start_game(page, "juniper", to="40")
    links = page.get_by_role("link", name="Rules")
    expect(links).to_have_count(2)
    for link in links.all():
        with page.context.expect_page() as opened:
            link.click()
        rules = opened.value
        expect(rules.locator("h1")).to_have_text("How to play Juniper Green")
        expect(rules.locator(".rules .short")).to_contain_text("your board: 1 to 40")
        expect(rules.locator(".rules section").first).not_to_contain_text("1 to 100")
        rules.get_by_role("link", name="Back to the game").click()
        expect(rules.locator(".table")).to_be_visible()
    page.get_by_role("link", name="Divisor Duel").click()
    page.locator(".home").wait_for()
    page.get_by_role("banner").get_by_role("link", name="Rules").click()
    expect(page.locator(".rules section").first).to_contain_text("from the pool 2 to 50")


def test_why_does_not_name_the_number_before_the_third_hint(new_page: NewPage) -> None:
    page = new_page()
    start_game(page, "chain")
    page.keyboard.press("w")
    expect(page.locator(".advice p").first).to_contain_text("You can win")
    assert page.locator(".tile.best").count() == 0
    early = page.locator(".advice p").first.inner_text()
    for _ in range(3):
        page.keyboard.press("h")
        expect(page.locator(".advice p").first).not_to_have_class("quiet")
    best = page.locator(".tile.best .digits").inner_text()
    assert f" {best}" not in early


@pytest.mark.thorough
def test_the_end_of_an_online_game_addresses_each_player_as_you(new_page: NewPage) -> None:
    one = new_page()
    start_game(one, "descent", "link", you="Ann", number="6", rounds="2")
    two = new_page(one.locator(".linkrow input").first.input_value().split("/", 3)[3])
    two.get_by_label("Your name").fill("Bob")
    two.get_by_role("button", name="Join the game").click()
    two.locator(".table").wait_for()
    one.locator(".tile.legal").first.click()
    expect(one.locator(".banner")).to_contain_text("Bob has no move left. You win round 1.")
    expect(two.locator(".banner")).to_contain_text("You have no move left. Ann wins round 1.")
    for page in (one, two):
        page.get_by_role("button", name="Next round").click()
    two.locator(".tile.legal").first.click()
    for page in (one, two):
        expect(page.locator(".result .title")).to_have_text("The match is a draw, 1 to 1.")


# --- sounds, vibration and notifications


@pytest.mark.parametrize(
    ("opponent", "sounds"),
    thorough_except([("here", False), ("link", True)], ("here", False)),
)
@pytest.mark.thorough
def test_sounds_are_off_on_a_shared_screen_and_on_in_an_online_match(
    opponent: str, sounds: bool, new_page: NewPage
) -> None:
    page = new_page()
    page.add_init_script(ALERTS)
    page.reload()
    start_game(page, "chain", opponent, you="Ann")
    if opponent == "link":
        invite = page.locator(".linkrow input").first.input_value()
        new_page(invite.split("/", 3)[3]).get_by_role("button", name="Join the game").click()
        expect(page.locator(".status")).to_contain_text("Your turn.")
    take(page, 8)
    assert ("OscillatorNode" in page.evaluate("window.made")) == sounds


@pytest.mark.thorough
def test_your_turn_vibrates_and_notifies_if_you_wish(new_page: NewPage) -> None:
    one = new_page()
    one.add_init_script(ALERTS)
    one.reload()
    one.get_by_role("button", name="Settings").click()
    for wish in ("Vibrate", "Notify me", "Never"):
        one.get_by_label(wish).check()
    one.get_by_role("button", name="Close").click()
    start_game(one, "chain", "link", you="Ann")
    two = new_page(one.locator(".linkrow input").first.input_value().split("/", 3)[3])
    two.get_by_role("button", name="Join the game").click()
    take(one, 8)
    one.evaluate("window.away = true; window.made.length = 0")
    take(two, 4)
    expect(one.locator(".tile.taken")).to_have_count(2)
    assert sorted(one.evaluate("window.made")) == ["Notification", "vibrate"]


@pytest.mark.thorough
def test_a_file_without_results_is_not_imported(new_page: NewPage) -> None:
    page = new_page()
    page.get_by_role("button", name="Your results").click()
    for text in ("{}", "[1, 2]", '{"results": {"a": {"b": {"won": -1, "lost": 0}}}}', "no"):
        file = FilePayload(name="r.json", mimeType="application/json", buffer=text.encode())
        page.get_by_label("Import").set_input_files(file)
        expect(page.get_by_role("dialog").last).to_contain_text("This file has no results.")
    assert page.evaluate("localStorage.getItem('duel.statistics')") is None
