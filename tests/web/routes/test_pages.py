"""The page, in a real browser."""

import json
import re
from itertools import product

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, WebSocketRoute, expect

from divisorduel.web.page_files import FOLDER
from tests.bots.test_compliance import EXAMPLES
from tests.conftest import ALL_KEYS, thorough_except
from tests.web.browser import NewPage, browser, new_page
from tests.web.clients import NO_LIMITS, Client, Guest, Server
from tests.web.conftest import Start
from tests.web.game_page import BOARDS, legal, start_game, turns

__all__ = ["browser", "new_page"]


@pytest.mark.parametrize("game", thorough_except(ALL_KEYS, "chain", "descent"))
def test_every_game_is_played_to_its_end_by_mouse(game: str, new_page: NewPage) -> None:
    page = new_page()
    start_game(page, game)
    while numbers := legal(page):
        taken = turns(page)
        page.locator(f".tile[aria-label^='{numbers[len(numbers) // 2]},']").click()
        expect(page.locator(".moves li button")).to_have_count(taken + 1)
    expect(page.locator(".status")).to_contain_text("wins!")
    expect(page.get_by_role("button", name="Play again")).to_be_visible()


@pytest.mark.parametrize("game", thorough_except(ALL_KEYS, "antichain"))
def test_every_game_is_played_to_its_end_by_the_keyboard_alone(
    game: str, new_page: NewPage
) -> None:
    page = new_page()
    page.locator(f"[data-game={game}]").focus()
    page.keyboard.press("Enter")
    page.locator("form.setup").wait_for()
    if game in BOARDS:
        page.locator("[name=size][value=custom]").focus()
        page.keyboard.press("Space")
    for name, value in BOARDS.get(game, {}).items():
        page.locator(f"[name={name}]").focus()
        page.keyboard.press("ControlOrMeta+a")
        page.keyboard.type(str(value))
    page.locator("[name=opponent][value=here]").focus()
    page.keyboard.press("Space")
    page.locator("[name=friend]").focus()
    page.keyboard.press("Enter")
    page.locator(".board").wait_for()
    while numbers := legal(page):
        taken = turns(page)
        page.keyboard.type(str(numbers[-1]))
        page.keyboard.press("Enter")
        expect(page.locator(".moves li button")).to_have_count(taken + 1)
    expect(page.locator(".status")).to_contain_text("wins!")
    page.keyboard.press("n")
    expect(page.locator(".status")).not_to_contain_text("wins!")


@pytest.mark.thorough
def test_the_arrow_keys_move_from_number_to_number(new_page: NewPage) -> None:
    page = new_page()
    start_game(page, "antichain")
    page.keyboard.type("2")
    for key, number in (
        ("ArrowRight", 3), ("ArrowLeft", 2), ("ArrowDown", 12), ("ArrowLeft", 11), ("ArrowUp", 11),
        ("Home", 2), ("End", 12),
    ):  # fmt: skip
        page.keyboard.press(key)
        expect(page.locator(":focus .digits")).to_have_text(str(number))
    page.keyboard.press("Space")
    expect(page.locator(".moves li button")).to_have_text([re.compile("1. Player 1: 12")])


def test_the_computer_answers_and_a_move_is_taken_back(new_page: NewPage) -> None:
    page = new_page()
    start_game(page, "antichain", "computer", level="perfect")
    page.locator(".tile[aria-label^='7,']").click()
    expect(page.locator(".moves li button")).to_have_count(2)
    page.keyboard.press("u")
    expect(page.locator(".moves li button")).to_have_count(0)
    page.keyboard.press("r")
    expect(page.locator(".moves li button")).to_have_count(2)


@pytest.mark.thorough
def test_a_command_need_not_wait_for_the_answer_to_the_previous_one(
    new_page: NewPage,
) -> None:
    page = new_page()

    def drop_done_messages(socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()
        server.on_message(
            lambda said: None if json.loads(said)["type"] == "done" else socket.send(said)
        )

    page.route_web_socket("**/live", drop_done_messages)
    start_game(page, "chain")
    page.locator(".tile[aria-label^='8,']").click()
    expect(page.locator(".moves li button")).to_have_count(1)
    page.keyboard.press("u")
    expect(page.locator(".moves li button")).to_have_count(0)
    page.keyboard.press("r")
    expect(page.locator(".moves li button")).to_have_count(1)


@pytest.mark.thorough
def test_clicking_a_wrong_tile_shows_the_reason(new_page: NewPage) -> None:
    page = new_page()
    start_game(page, "chain")
    page.locator(".tile[aria-label^='8,']").click()
    expect(page.locator(".moves li button")).to_have_count(1)
    page.locator(".tile[aria-label^='9,']").click(force=True)
    expect(page.get_by_role("alert")).to_have_text("9 neither divides 8 nor is a multiple of it.")
    assert turns(page) == 1


@pytest.mark.thorough
def test_descent_asks_before_a_wrong_number_forfeits(new_page: NewPage) -> None:
    page = new_page()
    start_game(page, "descent", number="24")
    page.locator(".tile[aria-label^='8,']").click()
    expect(page.locator(".current")).to_contain_text("8")
    page.locator(".tile[aria-label^='3,']").click(force=True)
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("3 does not divide 8.")
    page.get_by_role("button", name="No, go back").click()
    assert turns(page) == 1
    page.keyboard.type("5")
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Take it and lose").click()
    expect(page.locator(".status")).to_contain_text("5 does not divide 8.")
    expect(page.locator(".status")).to_contain_text("Player 1 wins!")


@pytest.mark.thorough
def test_numbers_are_typed_while_there_are_too_many_divisors_to_show(new_page: NewPage) -> None:
    page = new_page()
    start_game(page, "descent", number="963761198400000")
    assert legal(page) == []

    def take(number: int) -> None:
        page.get_by_label("Type a number").fill(str(number))
        page.get_by_role("button", name="Take", exact=True).click()
        expect(page.locator(".moves li button")).to_have_text([re.compile(f": {number}$")])

    take(360360)
    expect(page.locator(".tile.legal")).to_have_count(190)
    page.get_by_role("button", name="Undo").click()
    expect(page.locator(".tile")).to_have_count(0)
    take(50625)
    expect(page.locator(".tile.legal")).to_have_count(23)


def test_each_hint_reveals_more_and_the_reason_is_drawn(new_page: NewPage) -> None:
    page = new_page()
    start_game(page, "chain", opening="even")
    page.locator(".tile[aria-label^='12,']").click()
    expect(page.locator(".moves li button")).to_have_count(1)
    for said in ("You will lose", "None of your 4 moves wins.", "Try "):
        page.keyboard.press("h")
        expect(page.locator(".advice")).to_contain_text(said)
    expect(page.locator(".tile.best")).to_have_count(1)
    page.keyboard.press("w")
    expect(page.locator(".advice")).to_contain_text("Every number you can take has a partner")
    expect(page.locator(".graph .pair").first).to_be_attached()
    expect(page.locator(".tile[aria-label*='partner']").first).to_be_visible()
    page.keyboard.press("g")
    expect(page.locator(".graph")).to_have_count(0)


def test_why_reveals_a_move_only_after_the_third_hint(new_page: NewPage) -> None:
    page = new_page()
    start_game(page, "divider")
    page.keyboard.press("w")
    expect(page.locator(".advice")).to_contain_text("You can win. Look for a move")
    expect(page.locator(".tile.best")).to_have_count(0)
    for said in ("You can win this.", "1 of your 8 moves wins.", "Take 4."):
        page.keyboard.press("h")
        expect(page.locator(".advice")).to_contain_text(said)
    page.keyboard.press("w")
    expect(page.locator(".advice")).to_contain_text("Take 4. That leaves 3 parts")


@pytest.mark.thorough
def test_the_page_steps_through_the_moves(new_page: NewPage) -> None:
    page = new_page()
    start_game(page, "divider")
    for number in (5, 2, 3):
        page.locator(f".tile[aria-label^='{number},']").click()
        expect(page.locator(f".tile[aria-label^='{number}, taken']")).to_be_visible()
    expect(page.locator(".tile.gone")).to_have_count(4)
    page.keyboard.press("[")
    expect(page.locator(".banner")).to_contain_text("after turn 2 of 3")
    expect(page.locator(".tile.gone")).to_have_count(3)
    expect(page.locator(".tile[aria-label^='3, can be taken']")).to_be_visible()
    page.get_by_role("button", name="First", exact=True).click()
    expect(page.locator(".banner")).to_contain_text("before the first move")
    page.keyboard.press("Escape")
    expect(page.locator(".banner")).to_be_hidden()
    expect(page.locator(".tile.taken")).to_have_count(3)


@pytest.mark.thorough
def test_a_tile_clicked_while_looking_back_is_not_taken(new_page: NewPage) -> None:
    page = new_page()
    start_game(page, "divider")
    page.locator(".tile[aria-label^='5,']").click()
    expect(page.locator(".moves li button")).to_have_count(1)
    page.keyboard.press("[")
    expect(page.locator(".banner")).to_be_visible()
    page.locator(".tile[aria-label^='2,']").click(force=True)
    expect(page.get_by_role("alert")).to_have_text(
        "You were looking at an earlier move. This is the current position."
    )
    expect(page.locator(".banner")).to_be_hidden()
    assert turns(page) == 1


@pytest.mark.thorough
def test_a_finished_game_is_reviewed_with_its_mistakes_on_a_timeline(new_page: NewPage) -> None:
    page = new_page()
    start_game(page, "chain")
    for number in (4, 2, 14, 7):
        page.locator(f".tile[aria-label^='{number},']").click()
        expect(page.locator(f".tile[aria-label^='{number}, taken']")).to_be_visible()
    result = page.get_by_role("region", name="Result")
    expect(result).to_contain_text("1 mistake")
    result.get_by_role("button", name="Find it").click()
    review = page.locator(".review")
    expect(review).to_contain_text("Turn 3: Player 1 took 14.")
    expect(page.locator(".tile.good")).not_to_have_count(0)
    expect(page.locator(".tile[aria-label^='14,']")).to_have_class(re.compile(r"\bbad\b"))
    expect(page.locator(".tile.taken")).to_have_count(2)  # the position before the mistake
    page.keyboard.press("ArrowRight")
    expect(page.locator(".tile.taken")).to_have_count(3)
    page.keyboard.press("ArrowRight")
    expect(review).to_contain_text("14 loses to 7.")
    expect(page.locator(".tile.taken")).to_have_count(4)
    review.get_by_role("button", name="Turn 1").click()
    expect(page.locator(".tile.taken")).to_have_count(0)
    page.keyboard.press("Escape")
    expect(page.locator(".tile.taken")).to_have_count(4)


@pytest.mark.thorough
def test_rounds_are_played_with_a_score_and_a_rematch(new_page: NewPage) -> None:
    page = new_page()
    start_game(page, "descent", number="6", rounds="2", you="Ann", friend="Bob")
    page.locator(".tile.legal").first.click()
    expect(page.locator(".banner")).to_contain_text(
        "Bob has no move left. Ann wins round 1. The score is 1 to 0."
    )
    expect(page.get_by_role("button", name="Next round")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator(".status")).to_contain_text("Bob's turn.")
    page.locator(".tile.legal").first.click()
    expect(page.locator(".status")).to_contain_text("The match is a draw, 1 to 1.")
    expect(page.locator(".score")).to_have_text(["1 win", "1 win"])
    page.get_by_role("button", name="Play again").click()
    expect(page.locator("h1")).to_contain_text("Round 3 of 4")
    page.get_by_label("Round").select_option("1")
    expect(page.locator(".banner")).to_contain_text("before the first move")
    page.get_by_role("button", name="Review").click()
    expect(page.locator(".review")).to_contain_text("Ann made no mistakes")


@pytest.mark.thorough
def test_a_record_is_downloaded_and_dropped_on_the_page_to_continue(new_page: NewPage) -> None:
    page = new_page()
    start_game(page, "evens", you="Ann", friend="Bob")
    page.locator(".tile[aria-label^='12,']").click()
    expect(page.locator(".moves li button")).to_have_count(1)
    with page.expect_download() as download:
        page.get_by_role("button", name="Download").click()
    text = download.value.path().read_text()
    assert '[Player1 "Ann"]' in text
    assert "1. 12 *" in text

    other = new_page()
    other.locator(".home").wait_for()
    other.evaluate(
        """text => {
            const data = new DataTransfer();
            data.items.add(new File([text], "game.duel"));
            dispatchEvent(new DragEvent("drop", { dataTransfer: data, cancelable: true }));
        }""",
        text,
    )
    expect(other.locator(".moves li button")).to_have_text([re.compile("1. Ann: 12")])
    expect(other.locator(".status")).to_contain_text("Bob")

    third = new_page()
    third.locator("input[type=file]").set_input_files(
        {
            "name": "x.duel",
            "mimeType": "text/plain",
            "buffer": b'[Game "chess"]\n[Board "8"]\n\n1. 4 *\n',
        }
    )
    expect(third.get_by_label("Continue a saved").get_by_role("alert")).to_contain_text("chess")


# --- players on two devices


def start_online(new_page: NewPage, **fields: str) -> tuple[Page, Page, Page]:
    """Return the pages of two players and a spectator, who use the links."""
    one = new_page()
    start_game(one, "chain", "link", you="Ann", **fields)
    invite, watch = (one.locator(".linkrow input").nth(at).input_value() for at in (0, 1))
    expect(one.get_by_text("Waiting for your opponent").first).to_be_visible()
    two = new_page(invite.split("/", 3)[3])
    two.get_by_label("Your name").fill("Bob")
    two.get_by_role("button", name="Join the game").click()
    watcher = new_page(watch.split("/", 3)[3])
    for page in (one, two, watcher):
        expect(page.locator(".player.two .name")).to_have_text("Bob")
        expect(page.locator(".player.one .name")).to_have_text("Ann")
    return one, two, watcher


def test_two_browsers_play_through_a_link_while_a_third_watches(new_page: NewPage) -> None:
    one, two, watcher = start_online(new_page)
    assert "/match/" in two.url
    assert len(two.url.rsplit("/", 1)[1]) == 10  # the key is no longer in the address
    pages = {"Ann": one, "Bob": two}
    expect(one.locator(".status")).to_have_text("Your turn. The first number must be even.")
    expect(two.locator(".status")).to_have_text("Ann's turn.")
    expect(one.locator(".watchers")).to_have_text("1 spectator")
    expect(one.locator(".player.two")).to_contain_text("online")
    moves = 0
    while numbers := legal(watcher):
        mover = one if moves % 2 == 0 else two
        mover.locator(f".tile[aria-label^='{numbers[0]},']").click()
        moves += 1
        for page in (one, two, watcher):
            expect(page.locator(".moves li button")).to_have_count(moves)
    winner = "Bob" if moves % 2 == 0 else "Ann"
    expect(pages.pop(winner).locator(".status")).to_contain_text("You win!")
    [loser] = pages.values()
    expect(loser.locator(".status")).to_contain_text(f"{winner} wins!")
    expect(watcher.locator(".status")).to_contain_text("You are watching.")
    expect(watcher.get_by_role("button", name="Play again")).to_be_hidden()
    one.get_by_role("button", name="Play again").click()
    expect(two.locator(".offer")).to_contain_text("Ann wants to play again.")
    two.get_by_role("button", name="Accept").click()
    for page in (one, two, watcher):
        expect(page.locator(".moves li button")).to_have_count(0)
        expect(page.locator(".score").first).to_be_visible()


@pytest.mark.thorough
def test_a_spectator_cannot_play(new_page: NewPage) -> None:
    one, _, watcher = start_online(new_page)
    watcher.locator(".tile[aria-label^='8,']").click(force=True)
    expect(watcher.get_by_role("alert")).to_have_text("You are watching.")
    assert turns(one) == 0
    expect(watcher.get_by_role("button", name="Give up")).to_be_hidden()


@pytest.mark.thorough
def test_undo_is_offered_declined_withdrawn_and_accepted(new_page: NewPage) -> None:
    one, two, watcher = start_online(new_page)
    one.locator(".tile[aria-label^='8,']").click()
    expect(two.locator(".status")).to_have_text("Ann took 8. Your turn.")
    one.get_by_role("button", name="Ask to undo").click()
    expect(two.locator(".offer")).to_contain_text("Ann asks to undo a move.")
    two.get_by_role("button", name="Decline", exact=True).click()
    expect(two.locator(".offer")).to_be_hidden()
    expect(one.locator(".offer")).to_be_hidden()
    assert turns(one) == 1
    one.get_by_role("button", name="Ask to undo").click()
    one.get_by_role("button", name="Cancel request").click()
    expect(two.locator(".notice")).to_have_text("Ann cancelled the request.")
    one.get_by_role("button", name="Ask to undo").click()
    two.get_by_role("button", name="Accept").click()
    for page in (one, two, watcher):
        expect(page.locator(".moves li button")).to_have_count(0)


@pytest.mark.thorough
def test_a_lost_connection_is_restored_during_the_game(new_page: NewPage) -> None:
    one, two, _ = start_online(new_page)
    one.locator(".tile[aria-label^='8,']").click()
    expect(two.locator(".status")).to_have_text("Ann took 8. Your turn.")
    one.context.set_offline(True)
    one.evaluate("() => 0")
    two.locator(".tile[aria-label^='4,']").click()
    expect(two.locator(".moves li button")).to_have_count(2)
    one.context.set_offline(False)
    expect(one.locator(".moves li button")).to_have_count(2)
    one.locator(".tile[aria-label^='16,']").click()
    for page in (one, two):
        expect(page.locator(".moves li button")).to_have_count(3)
    two.reload()
    expect(two.locator(".moves li button")).to_have_count(3)
    expect(two.locator(".status")).to_have_text("Ann took 16. Your turn.")


@pytest.mark.thorough
def test_a_move_made_while_the_server_is_down_is_sent_once_it_is_back(
    new_page: NewPage, start: Start
) -> None:
    server = start(*NO_LIMITS)
    page = new_page(server.url)
    start_game(page, "chain")
    page.locator(".tile[aria-label^='8,']").click()
    expect(page.locator(".moves li button")).to_have_count(1)
    server.kill()
    expect(page.get_by_role("alert")).to_contain_text("Connection lost.")
    page.locator(".tile[aria-label^='4,']").click()
    server.restart()
    expect(page.locator(".moves li button")).to_have_count(2, timeout=15_000)
    expect(page.get_by_role("alert")).to_have_text("")
    page.locator(".tile[aria-label^='16,']").click()
    expect(page.locator(".moves li button")).to_have_count(3)


@pytest.mark.thorough
def test_the_page_shows_that_the_opponent_is_away_and_when_to_claim_the_game(
    new_page: NewPage,
) -> None:
    one, two, _ = start_online(new_page)
    two.close()
    expect(one.locator(".player.two")).to_contain_text("away")
    expect(one.locator(".offer")).to_contain_text("You can claim the win in")
    expect(one.get_by_role("button", name="Claim the win")).to_be_hidden()


@pytest.mark.thorough
def test_an_open_game_is_found_in_the_list_and_joined(new_page: NewPage) -> None:
    one = new_page()
    start_game(one, "chain", "link", you="Ann Open", listed="yes")
    two = new_page()
    two.get_by_role("button", name="Play against Ann Open").click()
    expect(two.locator(".player.one .name")).to_have_text("Ann Open")
    expect(one.locator(".status")).to_contain_text("Your turn.")


@pytest.mark.thorough
def test_a_game_that_no_one_joined_is_called_off(new_page: NewPage) -> None:
    page = new_page()
    start_game(page, "chain", "link")
    page.get_by_role("button", name="Call off the game").click()
    expect(page.locator(".status")).to_contain_text("This game was called off.")


@pytest.mark.thorough
def test_giving_up_asks_first(new_page: NewPage) -> None:
    page = new_page()
    start_game(page, "chain")
    page.get_by_role("button", name="Give up").click()
    page.get_by_role("button", name="No, go back").click()
    expect(page.locator(".status")).to_contain_text("Player 1's turn.")
    page.get_by_role("button", name="Give up").click()
    page.get_by_role("dialog").get_by_role("button", name="Give up").click()
    expect(page.locator(".status")).to_contain_text("Player 2 wins!")


def test_an_invalid_link_says_so_and_a_new_game_can_be_started(new_page: NewPage) -> None:
    page = new_page("#/match/aaaaaaaaaa/wrong")
    expect(page.get_by_role("alert")).to_contain_text("This link no longer works.")
    page.get_by_role("link", name="New game").click()
    expect(page.locator(".home")).to_be_visible()


@pytest.mark.thorough
def test_an_invitation_can_be_opened_without_joining(new_page: NewPage) -> None:
    one = new_page()
    start_game(one, "chain", "link")
    invite = one.locator(".linkrow input").first.input_value()
    two = new_page(invite.split("/", 3)[3])
    two.locator("form.joining").wait_for()
    two.get_by_role("link", name="Divisor Duel").click()
    expect(two.locator(".home")).to_be_visible()


@pytest.mark.thorough
@pytest.mark.parametrize("which", [0, 1])
def test_opening_your_own_links_does_not_cost_you_your_seat(which: int, new_page: NewPage) -> None:
    page = new_page()
    start_game(page, "chain", "link", you="Ann")
    link = page.locator(".linkrow input").nth(which).input_value()
    other = page.context.new_page()
    other.goto(link)
    other.locator(".joining, .table").wait_for()
    page.reload()
    expect(page.locator(".player.one")).to_contain_text("you")
    expect(page.get_by_role("button", name="Call off the game")).to_be_visible()


@pytest.mark.thorough
def test_a_used_link_lets_no_one_else_in(new_page: NewPage) -> None:
    one = new_page()
    start_game(one, "chain", "link")
    invite = one.locator(".linkrow input").first.input_value().split("/", 3)[3]
    two = new_page(invite)
    two.get_by_role("button", name="Join the game").click()
    expect(two.locator(".player.two")).to_contain_text("you")
    three = new_page(invite)
    alert = three.get_by_role("alert")
    expect(alert).to_contain_text("someone else has already joined")
    expect(alert).to_contain_text("ask the player who created it for a spectator link")
    two.reload()
    expect(two.locator(".player.two")).to_contain_text("you")


@pytest.mark.thorough
def test_hints_are_available_again_after_a_game_without_them(
    new_page: NewPage, web: Server
) -> None:
    page = new_page()
    start_game(page, "chain", "link")
    page.goto(f"{web.url}/#/")
    start_game(page, "chain", "computer")
    expect(page.get_by_role("button", name="Hint")).to_be_visible()


def test_every_text_that_the_page_uses_exists_and_none_is_unused(new_page: NewPage) -> None:
    page = new_page()
    page.locator(".home").wait_for()
    known = page.evaluate(
        """async () => {
            const { words } = await import("/static/words/words.js");
            const paths = (part, path) => typeof part === "object" && !Array.isArray(part)
                ? Object.entries(part).flatMap(([key, value]) => paths(value, `${path}.${key}`))
                : [path];
            return paths(words, "words");
        }"""
    )
    scripts = "".join(script.read_text() for script in FOLDER.rglob("*.js"))
    used = set(re.findall(r"\bwords(?:\.\w+)+", scripts)) - {"words.js"}

    def touch(one: str, other: str) -> bool:
        return f"{one}.".startswith(f"{other}.") or f"{other}.".startswith(f"{one}.")

    assert [path for path in known if not any(touch(path, word) for word in used)] == []
    assert [word for word in sorted(used) if not any(touch(word, path) for path in known)] == []


# --- accessibility


@pytest.mark.thorough
def test_a_screen_reader_reads_the_turn_the_move_and_the_choices(new_page: NewPage) -> None:
    page = new_page()
    start_game(page, "chain")
    page.locator(".tile[aria-label^='8,']").click()
    expect(page.locator("[aria-live].unseen")).to_have_text(
        "Player 1 took 8. Player 2's turn. You may take 2, 4 or 16."
    )
    last = ".tile[aria-label='8, taken by Player 1 on turn 1, the last number taken']"
    expect(page.locator(last)).to_be_visible()
    expect(page.locator(".tile[aria-label='9, cannot be taken now']")).to_be_visible()


def test_the_shortcuts_are_listed_under_the_question_mark(new_page: NewPage) -> None:
    page = new_page()
    page.locator(".home").wait_for()
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_contain_text("type a number to go to it")
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)


@pytest.mark.thorough
def test_the_docs_show_every_call_and_every_message(new_page: NewPage, web: Server) -> None:
    page = new_page("docs")
    page.locator("article").first.wait_for()
    with Client(web.url) as client:
        http, live = (client.http.get(f"/{kind}.json").json() for kind in ("openapi", "asyncapi"))
    for path in http["paths"]:
        expect(page.locator("h3 code", has_text=path).first).to_be_visible()
    for name, message in live["components"]["messages"].items():
        shown = page.locator("li", has_text=message["summary"])
        expect(shown.locator("code", has_text=re.compile(f"^{name}$"))).to_be_visible()
        expect(shown.locator("a")).to_have_attribute("href", re.compile(r"#\w+Message$"))
    for name in (*http["components"]["schemas"], *live["components"]["schemas"]):
        expect(page.locator(f"article#{name}")).to_have_count(1)


def test_the_form_offers_what_the_server_lists(new_page: NewPage, web: Server) -> None:
    page = new_page()
    page.locator("[data-game=chain]").click()
    with Client(web.url) as client:
        options = client.get("/options")
    options["opponents"] = [who for who in options["players"] if who != "bot"]
    names = {"level": "computers", "opponent": "opponents", "first": "first", "then": "then"}
    for name, listed in names.items():
        values = page.locator(f"select[name={name}] option, input[name={name}]").evaluate_all(
            "all => all.map(o => o.value)"
        )
        assert sorted(values) == sorted(options[listed])


@pytest.mark.parametrize("game", thorough_except(ALL_KEYS, "evens"))
def test_the_rules_show_an_example_that_plays_itself(game: str, new_page: NewPage) -> None:
    page = new_page(f"#/rules/{game}", reduced_motion="no-preference")
    expect(page.locator(".example .tile.taken").first).to_be_visible()
    page.get_by_role("button", name="Pause").click()
    shown = page.locator(".said").inner_text()
    assert shown.startswith("Turn 1: Player 1 takes")


def test_with_reduced_motion_nothing_moves_by_itself(new_page: NewPage) -> None:
    page = new_page("#/rules/chain")
    expect(page.get_by_role("button", name="Play the example")).to_be_visible()
    assert page.locator(".example .tile.taken").count() == 0
    start = page.locator(".tile").first.evaluate(
        "tile => getComputedStyle(tile).transitionDuration"
    )
    assert start == "0s"


@pytest.mark.parametrize("width", thorough_except([320, 768, 1280, 2560], 320))
def test_nothing_is_cut_off_on_any_screen(width: int, new_page: NewPage) -> None:
    page = new_page(viewport={"width": width, "height": 800})
    fits = "() => document.documentElement.scrollWidth <= document.documentElement.clientWidth"
    page.locator(".home").wait_for()
    assert page.evaluate(fits)
    start_game(page, "juniper", to="100")
    page.keyboard.press("g")
    assert page.evaluate(fits)
    smallest = page.locator(".tile").first.bounding_box()
    assert smallest is not None
    assert smallest["width"] >= 24  # a finger can hit it (WCAG 2.5.8)
    page.goto(page.url.split("#")[0] + "#/rules/juniper")
    page.locator(".example").wait_for()
    assert page.evaluate(fits)


VIEWS = (
    "home",
    "match",
    "advice",
    "result",
    "review",
    "setup",
    "settings",
    "statistics",
    "waiting",
    "joining",
    "rules",
    "keys",
    "asking",
    "docs",
)


@pytest.mark.parametrize(
    ("view", "scheme"),
    thorough_except(product(VIEWS, ["light", "dark"]), ("home", "light")),
)
def test_axe_finds_no_violation(view: str, scheme: str, new_page: NewPage, web: Server) -> None:
    page = new_page(color_scheme=scheme)
    page.locator(".home").wait_for()
    if view == "docs":
        page.goto(f"{web.url}/docs")
        page.locator("article").first.wait_for()
    elif view == "rules":
        page.goto(f"{web.url}/#/rules/antichain")
        page.locator(".example").wait_for()
    elif view == "keys":
        page.keyboard.press("?")
    elif view == "setup":
        page.locator("[data-game=descent]").click()
    elif view == "settings":
        page.get_by_role("button", name="Settings").click()
    elif view == "statistics":
        page.get_by_role("button", name="Your results").click()
        page.locator(".statistics").wait_for()
    elif view in ("waiting", "joining"):
        start_game(page, "chain", "link")
        if view == "joining":
            invite = page.locator(".linkrow input").first.input_value()
            page = new_page(invite.split("/", 3)[3], color_scheme=scheme)
            page.locator("form.joining").wait_for()
    elif view != "home":
        start_game(page, "chain")
        for number in (4, 2, 14):
            page.locator(f".tile[aria-label^='{number},']").click()
            expect(page.locator(f".tile[aria-label^='{number}, taken']")).to_be_visible()
        if view == "advice":
            page.keyboard.press("w")
            page.locator(".graph").wait_for()
        elif view == "asking":
            page.get_by_role("button", name="Give up").click()
        elif view == "review":
            page.locator(".tile[aria-label^='7,']").click()
            page.get_by_role("button", name="Find it").click()
            page.locator(".timeline").wait_for()
        elif view == "result":
            page.locator(".tile[aria-label^='7,']").click()
            page.locator(".result .sparkline").wait_for()
    page.mouse.move(0, 0)
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()


# --- loading


def test_the_first_load_is_small_and_comes_only_from_this_server(
    new_page: NewPage, web: Server
) -> None:
    page = new_page("docs")
    sizes: list[int] = []
    addresses: list[str] = []
    session = page.context.new_cdp_session(page)
    session.send("Network.enable")
    session.on("Network.loadingFinished", lambda done: sizes.append(done["encodedDataLength"]))
    page.on("request", lambda request: addresses.append(request.url))
    page.goto(f"{web.url}/")
    page.locator(".home").wait_for()
    assert 5_000 < sum(sizes) < 150_000
    assert {address for address in addresses if not address.startswith(web.url)} == set()


@pytest.mark.thorough
def test_the_page_and_the_api_share_a_match(new_page: NewPage, web: Server) -> None:
    page = new_page()
    start_game(page, "chain")
    page.locator(".tile[aria-label^='8,']").click()
    expect(page.locator(".moves li button")).to_have_count(1)
    [kept] = page.evaluate("() => JSON.parse(localStorage.getItem('duel.games'))")
    with Guest(web.url, kept["id"], kept["key"]) as guest:
        assert guest.see()["turns"] == [8]
        guest.take(16)
    expect(page.locator(".moves li button")).to_have_count(2)
    with Client(web.url) as stranger:
        stranger.get(f"/matches/{kept['id']}", 401)


@pytest.mark.thorough
def test_an_engine_on_the_server_is_offered_and_plays(new_page: NewPage, start: Start) -> None:
    server = start("--bot", f"Largest=sh {EXAMPLES / 'largest.sh'}")
    page = new_page(f"{server.url}/")
    start_game(page, "chain", "computer", level="bot:Largest")
    page.locator(".tile[aria-label^='6,']").click()
    expect(page.locator(".moves li button")).to_have_text(
        [
            re.compile("1. Player 1: 6"),
            re.compile("2. Largest: 18"),
        ]
    )
