"""A match on a real server, in full screen, key by key."""

import asyncio
from collections.abc import Awaitable, Callable
from random import Random

import pytest

from divisorduel.client.http_api import create_match, enter
from divisorduel.client.match_client import MatchClient, NoticeReceived
from divisorduel.client.match_link import MatchLink
from divisorduel.client.server_messages import Presence
from divisorduel.terminal import remote_words
from divisorduel.terminal.fullscreen.dialogs import Confirm
from divisorduel.terminal.fullscreen.duel_app import DuelApp
from divisorduel.terminal.fullscreen.remote_screen import RemoteScreen
from divisorduel.terminal.fullscreen.review_screen import ReviewScreen
from divisorduel.terminal.fullscreen.text_screen import TextScreen
from divisorduel.terminal.remote_game import link_lines
from tests.client.proxy import Proxy
from tests.conftest import thorough_except
from tests.terminal.fullscreen.user import User, use
from tests.web.clients import HERE, LINK, Guest, Server, joined_match


class RemoteUser(User):
    """A person who plays through a link."""

    @property
    def screen(self) -> RemoteScreen:
        """The screen of the match, on top or below a window."""
        return next(s for s in self.app.screen_stack if isinstance(s, RemoteScreen))

    async def see(self, text: str, where: str = "message") -> None:
        """Wait until a part of the screen says something."""
        try:
            await self.until(lambda: self.is_on(RemoteScreen) and text in self.text(where))
        except TimeoutError:
            raise AssertionError(f"{text!r} is not in {self.text(where)!r}") from None

    async def take_across(self, number: int) -> None:
        """Take a number, and wait until the server has answered."""
        await self.press(*str(number), "enter")
        await self.until(lambda: not self.screen._is_sending)


Scenario = Callable[[RemoteUser], Awaitable[None]]


async def _no_pause(_: float) -> None:
    await asyncio.sleep(0.01)


def play(link: str, scenario: Scenario, links: tuple[str, ...] = ()) -> DuelApp:
    """Let a person use a link in full screen; return the app."""
    client = MatchClient(enter(link), rng=Random(1), sleep=_no_pause)
    app = DuelApp(lambda _: RemoteScreen(client, links))

    async def with_remote(user: User) -> None:
        await scenario(RemoteUser(user.app, user.pilot))

    use(app, with_remote)
    return app


def link_to(url: str, guest: Guest) -> str:
    return str(MatchLink(url, guest.id, str(guest.key)))


@pytest.mark.thorough
def test_moves_in_both_directions_appear_when_they_happen(web: Server) -> None:
    async def scenario(user: RemoteUser) -> None:
        await user.see("Ann, it's your turn")
        assert "Ann (you)" in user.text("players")
        assert "Bob" in user.text("players")
        await user.press("8", "enter")
        await user.see("Ann took 8. Bob's turn.")
        await user.take_across(4)
        await user.see("It is not your turn.")
        match.two.take(4)
        await user.see("Bob took 4. Ann, it's your turn")
        assert user.screen.match.current.moves == (8, 4)
        await user.take_across(7)
        await user.see("7 neither divides 4 nor is a multiple of it.")
        await user.press("h")
        await user.until(lambda: user.screen.advice != "")
        hint = user.screen.advice
        await user.press("w")
        await user.until(lambda: user.screen.advice != hint)
        if not user.is_on(RemoteScreen):  # the reason is too long for its panel
            await user.press("escape")
        await user.press("[")
        await user.see("After turn 1 of 2.")
        await user.press("]")
        await user.see("Ann, it's your turn")
        for key in ("g", "question_mark"):
            await user.press(key)
            assert user.is_on(TextScreen)
            await user.press("escape")
        await user.press("1", "6", "backspace")
        await user.see("Number: 1▏")
        await user.press("escape", "q")

    with joined_match(web.url) as match:
        app = play(link_to(web.url, match.one), scenario)
    assert app.return_value == 0
    assert app.farewell.startswith("To come back: duel join 'http://")


def test_a_server_that_does_not_answer_is_reported_and_keys_still_work(
    web: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(remote_words, "SLOW_AFTER", 0.1)

    async def scenario(user: RemoteUser) -> None:
        await user.see("Ann, it's your turn")
        proxy.hold("questions")
        await user.press("8", "enter")
        await user.see("The server has not answered yet. Your command may still arrive.")
        await user.press("question_mark")
        assert user.is_on(TextScreen)
        await user.press("escape")
        proxy.cut()
        await user.see("Ann took 8. Bob's turn.")
        await user.press("q")

    with joined_match(web.url) as match, Proxy(web.port) as proxy:
        play(link_to(proxy.url, match.one), scenario)


@pytest.mark.thorough
def test_a_host_sees_the_links_until_the_opponent_joins(web: Server) -> None:
    links = create_match(web.url, game="chain", board={"to": 8}, players=[HERE, LINK])
    assert links.two is not None

    async def scenario(user: RemoteUser) -> None:
        await user.until(lambda: user.is_on(TextScreen))
        assert any(str(links.two) in line for line in user.lines())
        await asyncio.to_thread(enter, str(links.two), "Bob")
        await user.see("Bob has joined. Ann, it's your turn")
        await user.press("l")
        assert user.is_on(TextScreen)
        assert any(str(links.one) in line for line in user.lines())

    play(str(links.one), scenario, link_lines(links))


@pytest.mark.thorough
def test_a_host_calls_off_a_match_that_no_one_joined(web: Server) -> None:
    links = create_match(web.url, game="chain", board={"to": 8}, players=[HERE, LINK])

    async def scenario(user: RemoteUser) -> None:
        await user.see("Waiting for your opponent to join.")
        assert "Take" not in user.footer()
        await user.press("x")
        await user.press("y")
        await user.see("This game was called off.")

    assert play(str(links.one), scenario).farewell == ""


@pytest.mark.thorough
def test_the_keys_say_what_they_do_now(web: Server) -> None:
    async def scenario(user: RemoteUser) -> None:
        await user.see("it's your turn")
        client = user.screen.client
        for away, is_offered in ((20.0, False), (120.0, True)):
            client.presence = Presence((True, False), (None, away), 0, claim_after=120)
            assert ("c" in user.screen.active_bindings) is is_offered
        await user.press("c")
        await user.see("You can claim the win once they have been away for")
        await user.take_across(8)
        await user.press("u")
        await user.see("d cancels the request.")
        assert user.screen.active_bindings["d"].binding.description == "Cancel request"
        await user.press("d")
        await user.until(lambda: client.match.offer is None)
        match.two.take(4)
        await user.see("Bob took 4.")
        match.two.do("undo")
        await user.see("d declines.")
        assert user.screen.active_bindings["d"].binding.description == "Decline"

    with joined_match(web.url) as match:
        play(link_to(web.url, match.one), scenario)


@pytest.mark.thorough
def test_offers_are_answered_with_a_key(web: Server) -> None:
    async def scenario(user: RemoteUser) -> None:
        await user.see("it's your turn")
        await user.take_across(8)
        match.two.take(4)
        await user.see("Bob took 4.")
        match.two.do("undo")
        await user.see("Bob asks to undo a move. y accepts, d declines.")
        await user.press("d")
        await user.until(lambda: match.two.see()["offer"] is None)
        match.two.do("undo")
        await user.see("Bob asks to undo a move.")
        await user.press("y")
        await user.see("4 was taken back. Bob's turn.")
        match.two.take(2)
        await user.press("u")
        await user.see(
            "You have asked to undo a move. Waiting for an answer. d cancels the request."
        )
        await user.press("d")
        await user.until(lambda: user.screen.client.match.offer is None)
        await user.press("f")
        assert user.is_on(Confirm)
        await user.press("y")
        await user.see("Bob wins")
        await user.until(lambda: user.screen.review is not None)
        await user.press("v")
        assert user.is_on(ReviewScreen)
        await user.press("escape", "n")
        await user.see("You have asked to play again.")
        match.two.do("accept")
        await user.see("Round 2 of 2 begins.")

    with joined_match(web.url) as match:
        play(link_to(web.url, match.one), scenario)


def test_a_spectator_sees_everything_and_cannot_play(web: Server) -> None:
    async def scenario(user: RemoteUser) -> None:
        await user.see("Ann's turn.")
        assert "watching" in user.text("title")
        assert user.footer().isdisjoint({"Take", "Give up", "Hint", "Undo"})
        user.screen.choose(8)
        await user.see("You are watching. Spectators cannot play.")
        match.one.take(8)
        await user.see("Ann took 8. Bob's turn.")
        user.screen._tell(NoticeReceived("A server\x1b[2J sends anything."))
        await user.see("A server?[2J sends anything.")

    with joined_match(web.url) as match:
        play(link_to(web.url, match.watch), scenario)


@pytest.mark.parametrize("held", thorough_except(["questions", "answers"], "answers"))
@pytest.mark.thorough
def test_a_lost_connection_is_shown_and_no_move_is_lost_or_duplicated(
    web: Server, held: str
) -> None:
    async def scenario(user: RemoteUser) -> None:
        await user.see("it's your turn")
        proxy.hold(held)
        await user.press("8", "enter")
        if held == "answers":
            await user.until(lambda: match.two.see()["turns"] == [8])
        proxy.refuse()
        proxy.cut()
        await user.see(
            "Connection lost. Your command will be sent as soon as the connection is back."
        )
        assert "not connected" in user.text("title")
        proxy.accept()
        await user.see("Ann took 8. Bob's turn.")
        assert "not connected" not in user.text("title")

    with joined_match(web.url) as match, Proxy(web.port) as proxy:
        play(link_to(proxy.url, match.one), scenario)
        assert match.two.see()["turns"] == [8]
        assert match.two.see()["version"] == 2  # joined, 8


@pytest.mark.thorough
def test_a_wrong_number_that_loses_is_taken_only_after_confirmation(web: Server) -> None:
    async def scenario(user: RemoteUser) -> None:
        await user.see("it's your turn")
        await user.take_across(7)
        await user.until(lambda: user.is_on(Confirm))
        await user.press("y")
        await user.see("7 does not divide 16.")
        assert match.two.see()["winner"] == 2

    with joined_match(web.url, game="descent", board={"number": 16}) as match:
        play(link_to(web.url, match.one), scenario)
