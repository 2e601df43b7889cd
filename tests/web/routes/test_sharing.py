"""Sharing: links that work on other devices, QR codes, and links to a turn or a review."""

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from divisorduel.web.qr_code import qr_code
from tests.conftest import thorough_except
from tests.web.browser import NewPage, browser, new_page
from tests.web.clients import NO_LIMITS, Client, Server
from tests.web.conftest import Start
from tests.web.custom_server import custom_server
from tests.web.game_page import start_game, take, tell_page
from tests.web.test_qr_code import decoded

__all__ = ["browser", "new_page"]


# --- the calls


def test_a_server_for_this_machine_says_so_and_gives_no_address(web: Server) -> None:
    with Client(web.url) as client:
        assert client.get("/server") == {"reach": "machine", "addresses": []}


@pytest.mark.thorough
def test_a_server_for_the_network_gives_its_addresses_with_its_port(start: Start) -> None:
    server = start("--host", "0.0.0.0", *NO_LIMITS)
    with Client(f"http://127.0.0.1:{server.port}") as client:
        told = client.get("/server")
    assert told["reach"] == "network"
    assert all(re.fullmatch(rf"http://[\d.]+:{server.port}", one) for one in told["addresses"])
    assert not any("//127." in one for one in told["addresses"])


@pytest.mark.thorough
def test_a_server_behind_a_proxy_does_not_give_its_addresses(start: Start) -> None:
    server = start("--host", "0.0.0.0", "--proxy", "127.0.0.1", *NO_LIMITS)
    with Client(f"http://127.0.0.1:{server.port}") as client:
        assert client.get("/server") == {"reach": "proxy", "addresses": []}


def test_a_link_is_drawn_as_a_qr_code_and_not_logged(web: Server) -> None:
    link = f"{web.url}/#/match/k3v9h2m8qa/abcdefghijklmnopqrstuvwx"
    with Client(web.url) as client:
        assert client.post("/qr", link=link)["rows"] == qr_code(link)
        assert client.post("/qr", 422, link="x" * 301)["code"] == "invalid-request"
        client.post("/qr", 422, link="")
        client.post("/qr", 422, link="two words")
        client.post("/qr", 422, link="https://duel.example/ü")
        client.post("/qr", 422)
    assert "k3v9h2m8qa" not in web.log.read_text()


@pytest.mark.thorough
def test_one_address_draws_a_limited_number_of_qr_codes(tmp_path: Path) -> None:
    with custom_server(tmp_path, questions_a_minute=2) as server, Client(server.url) as client:
        client.post("/qr", link="x")
        client.post("/qr", link="x")
        assert client.post("/qr", 429, link="x")["code"] == "too-many-requests"


# --- the page


def drawn(page: Page) -> str:
    """Return what the QR code on a page says."""
    path = page.locator(".qr path")
    path.wait_for()
    size = int((page.locator(".qr").get_attribute("viewBox") or "").split()[2]) - 8
    rows = [["0"] * size for _ in range(size)]
    for x, y, width in re.findall(r"M(\d+) (\d+)h(\d+)v1h-\d+z", path.get_attribute("d") or ""):
        for at in range(int(x), int(x) + int(width)):
            rows[int(y)][at] = "1"
    return decoded(["".join(row) for row in rows])


def invitation(page: Page) -> str:
    return page.locator(".linkrow input").first.input_value()


@pytest.mark.thorough
def test_the_qr_code_of_an_invitation_lets_the_opponent_in(new_page: NewPage) -> None:
    page = new_page(viewport={"width": 390, "height": 844}, has_touch=True)
    start_game(page, "chain", "link")
    link = invitation(page)
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.url))
    page.get_by_role("button", name="QR code").first.tap()
    assert drawn(page) == link
    key = link.rsplit("/", 1)[1]
    assert sent
    assert not any(key in address for address in sent)  # so no proxy can log it
    box = page.locator(".qr").bounding_box()
    assert box is not None
    assert box["width"] >= 250
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 390
    other = new_page(link.split("/", 3)[3])
    expect(other.get_by_role("button", name="Join the game")).to_be_visible()


@pytest.mark.thorough
def test_a_page_opened_on_the_server_itself_shares_the_network_address(
    new_page: NewPage,
) -> None:
    page = new_page()
    tell_page(page, "network", "http://192.0.2.7:8721", "http://[2001:db8::7]:8721")
    start_game(page, "chain", "link")
    expect(page.get_by_text("reach this computer at http://192.0.2.7:8721.")).to_be_visible()
    assert invitation(page).startswith("http://192.0.2.7:8721/#/match/")
    page.get_by_role("button", name="QR code").first.click()
    assert drawn(page) == invitation(page)
    expect(page.get_by_text("--host")).to_have_count(0)


def test_a_page_says_how_to_let_others_in_if_the_server_is_for_this_machine(
    new_page: NewPage,
) -> None:
    page = new_page()
    start_game(page, "chain", "link")
    expect(page.get_by_text('start it with "duel serve --host 0.0.0.0"')).to_be_visible()


@pytest.mark.thorough
@pytest.mark.parametrize("reach", ["network", "proxy"])
def test_a_page_makes_the_best_of_a_server_that_knows_no_address(
    new_page: NewPage, web: Server, reach: str
) -> None:
    page = new_page()
    tell_page(page, reach)
    start_game(page, "chain", "link")
    offline = page.get_by_text("not on a network")
    expect(offline).to_have_count(1 if reach == "network" else 0)
    assert invitation(page).startswith(f"{web.url}/#/match/")


SHARE = """how => {
    window.shared = [];
    navigator.share = async (what) => {
        window.shared.push(what);
        if (how !== "sent") throw new DOMException("", how);
    };
    navigator.clipboard.writeText = async (text) => { window.shared.push(text); };
}"""


@pytest.mark.parametrize(
    "how", thorough_except(["sent", "AbortError", "NotAllowedError"], "NotAllowedError")
)
def test_the_share_sheet_of_the_system_gets_the_link_or_it_is_copied(
    new_page: NewPage, how: str
) -> None:
    page = new_page()
    page.locator(".home").wait_for()
    page.evaluate(SHARE, how)
    start_game(page, "chain", "link")
    link = invitation(page)
    page.get_by_role("button", name="Share …").first.click()
    page.wait_for_function("window.shared.length > 0")
    shared = {"title": "Divisor Duel", "url": link}
    copied = how == "NotAllowedError"
    expect(page.locator(".linkrow [role=status]").first).to_have_text("Copied." if copied else "")
    assert page.evaluate("window.shared") == [shared, *([link] if copied else [])]


@pytest.mark.thorough
def test_the_address_bar_names_the_turn_on_screen_and_opens_it_again(new_page: NewPage) -> None:
    page = new_page()
    start_game(page, "chain")
    take(page, 4, 2, 14, 7)
    at = page.url
    page.get_by_role("region", name="Result").get_by_role("button", name="Close").click()
    page.keyboard.press("[")
    expect(page).to_have_url(f"{at}/turn/3")
    page.reload()
    expect(page.locator(".banner")).to_contain_text("after turn 3 of 4")
    page.get_by_role("button", name="First", exact=True).click()
    expect(page).to_have_url(f"{at}/turn/0")
    page.keyboard.press("Escape")
    expect(page).to_have_url(at)
    page.get_by_role("button", name="Review").first.click()
    expect(page).to_have_url(f"{at}/review")
    page.reload()
    expect(page.locator(".remark")).to_contain_text("Turn 3: Player 1 took 14.")
    page.keyboard.press("Escape")
    expect(page).to_have_url(at)


@pytest.mark.thorough
def test_links_open_a_turn_and_a_review_of_any_round_for_a_spectator(new_page: NewPage) -> None:
    page = new_page()
    start_game(page, "chain", rounds="2")
    take(page, 4, 2, 14, 7)
    page.get_by_role("button", name="Next round").click()
    take(page, 8, 4)
    page.get_by_role("button", name="Share", exact=True).first.click()
    row = page.get_by_role("dialog").locator(".linkrow").filter(has_text="after turn 2")
    turn = row.locator("input").input_value()
    assert turn.endswith("/round/2/turn/2")
    other = new_page(turn.split("/", 3)[3])
    expect(other.locator("h1")).to_contain_text("Round 2 of 2")
    other.get_by_role("button", name="Share", exact=True).first.click()
    expect(other.locator(".linkrow label > span")).to_have_text(["Send this link to spectators"])
    base = turn.removesuffix("/round/2/turn/2").split("/", 3)[3]
    key = base.rsplit("/", 1)[1]
    for page in (new_page(f"{base}/turn/3"), new_page(f"{base}/round/1/turn/3")):
        expect(page.locator(".banner")).to_contain_text("after turn 3 of 4")
        expect(page.locator("h1")).to_contain_text("Round 1 of 2")
        assert key not in page.url
        assert page.url.endswith("/turn/3")
    third = new_page(f"{base}/review")
    expect(third.locator(".remark")).to_contain_text("Turn 3: Player 1 took 14.")


@pytest.mark.thorough
def test_an_address_without_a_key_says_how_to_get_a_link(new_page: NewPage) -> None:
    page = new_page("#/match/k3v9h2m8qa/turn/3")
    expect(page.get_by_role("alert")).to_have_text(
        "This browser cannot open this game. Ask the player who created the game for a link. "
        "It is under Share."
    )


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("rest", "key", "place"),
    [
        ("", "", {"round": 1}),
        ("KEY", "KEY", {"round": 1}),
        ("turn/4", "", {"round": 1, "turn": 4}),
        ("KEY/turn/0", "KEY", {"round": 1, "turn": 0}),
        ("KEY/round/3/turn/4", "KEY", {"round": 3, "turn": 4}),
        ("round/3/review", "", {"round": 3, "review": True}),
        ("KEY/review", "KEY", {"round": 1, "review": True}),
    ],
)
def test_an_address_is_read_as_it_is_written(
    new_page: NewPage, rest: str, key: str, place: dict[str, object]
) -> None:
    page = new_page()
    page.locator(".home").wait_for()
    read, written = page.evaluate(
        """async (rest) => {
            const { readPlace, matchAddress } = await import("/static/model/match_address.js");
            const read = readPlace(rest.split("/").filter(Boolean));
            return [read, matchAddress("ID", read.place, read.key)];
        }""",
        rest,
    )
    assert json.dumps(read, sort_keys=True) == json.dumps(
        {"key": key, "place": place}, sort_keys=True
    )
    assert written == "/".join(filter(None, ["#/match/ID", rest]))
