"""A match between ``duel join`` and the page in a real browser."""

import pytest
from playwright.sync_api import expect

from tests.cli.test_join import PROMPT, Terminals, shown_link, terminal
from tests.client.proxy import Proxy
from tests.web.browser import NewPage, browser, new_page
from tests.web.clients import Server

__all__ = ["browser", "new_page", "terminal"]


@pytest.mark.thorough
def test_a_terminal_plays_the_page_with_a_spectator_and_one_connection_cut(
    web: Server, terminal: Terminals, new_page: NewPage
) -> None:
    with Proxy(web.port) as proxy:
        ann = terminal("host", "chain", "--to", "8", "--server", proxy.url, "--name", "Ann")
        for_bob = shown_link(ann, "Link for your opponent").replace(proxy.url, web.url)
        for_eve = shown_link(ann, "Link for spectators").replace(proxy.url, web.url)
        eve = terminal("join", for_eve)
        eve.see("You are watching Ann against Player 2.")

        page = new_page(for_bob)
        page.get_by_label("Your name").fill("Bob")
        page.get_by_role("button", name="Join the game").click()
        page.locator(".board").wait_for()

        def take(number: int) -> None:
            page.locator(f".tile[aria-label^='{number},']").click()

        status = page.locator(".status")
        ann.see("Bob has joined.")
        ann.see(PROMPT)
        ann.type("8")
        expect(status).to_contain_text("Your turn")
        take(4)
        ann.see("Bob selects 4.")
        ann.see(PROMPT)

        # The terminal's connection is cut after it has sent a move that the server never gets.
        proxy.hold("questions")
        ann.type("2")
        proxy.refuse()
        proxy.cut()
        ann.see("Connection lost. Your command will be sent as soon as the connection is back.")
        expect(page.locator(".moves li button")).to_have_count(2)
        proxy.accept()
        ann.see("The connection is back.")
        expect(page.locator(".moves li button")).to_have_count(3)

        page.get_by_role("button", name="Ask to undo").click()
        ann.see('Bob asks to undo a move. Type "accept" or "decline".')
        ann.type("decline")
        expect(page.locator(".offer")).to_be_hidden()
        take(6)
        ann.see("Bob selects 6.")
        ann.see(PROMPT)
        ann.type("3")
        expect(status).to_contain_text("Ann wins!")
        ann.see("Ann wins")

        page.get_by_role("button", name="Play again").click()
        ann.see('Bob asks to play again. Type "accept" or "decline".')
        ann.type("accept")
        expect(status).to_contain_text("Your turn")
        ann.see("Bob's turn.")

        for number in (8, 4, 2, 6, 3):
            eve.see(f"selects {number}.")
        eve.see("Ann wins")
