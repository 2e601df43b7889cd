"""``duel host`` and ``duel join``: matches of a real server, in plain text."""

import http.server
import re
import threading
from collections.abc import Callable, Iterator

import pytest

from divisorduel.store.online_links import OnlineLinks
from tests.client.proxy import Proxy
from tests.conftest import Duel
from tests.polling import wait_until
from tests.terminal.test_terminal import TerminalUser
from tests.web.clients import HERE, Server, joined_match, new_match

PROMPT = "Enter your chosen number: "
Terminals = Callable[..., TerminalUser]


@pytest.fixture
def terminal(duel: Duel) -> Iterator[Terminals]:
    """Open terminals, and close them after the test."""
    opened: list[TerminalUser] = []

    def open_one(*words: str) -> TerminalUser:
        opened.append(TerminalUser(duel, *words, columns=200))
        return opened[-1]

    yield open_one
    for user in opened:
        user.screen.close(force=True)


def link_to(url: str, match_id: str, key: object) -> str:
    return f"{url}/#/match/{match_id}/{key}"


def shown_link(user: TerminalUser, label: str) -> str:
    user.see(f"{label}: ")
    user.screen.expect(r"http://\S+\s")
    return str(user.screen.after).strip()


def test_a_server_that_does_not_answer_is_reported_and_typing_still_works(
    web: Server, terminal: Terminals
) -> None:
    with joined_match(web.url) as match, Proxy(web.port) as proxy:
        ann = terminal("join", link_to(proxy.url, match.one.id, match.one.key))
        ann.see(PROMPT)
        proxy.hold("questions")
        ann.type("8")
        ann.see("The server has not answered yet. Your command may still arrive.")
        ann.type("score")
        ann.see("Games won:")
        proxy.cut()
        ann.see("The connection is back.")
        ann.see("You selected 8.")
        ann.type("quit")
        assert ann.wait_for_exit() == 0


@pytest.mark.thorough
def test_a_match_between_two_terminals_survives_a_cut_connection_and_a_spectator_sees_it(
    web: Server, terminal: Terminals, duel: Duel
) -> None:
    with Proxy(web.port) as proxy:
        words = ("--server", proxy.url, "--name", "Ann")
        ann = terminal("host", "chain", "--to", "8", *words)
        for_bob = shown_link(ann, "Link for your opponent")
        for_eve = shown_link(ann, "Link for spectators")
        ann.see("Waiting for your opponent to join.")
        bob = terminal("join", for_bob.replace(proxy.url, web.url), "--name", "Bob")
        own = shown_link(bob, "Your own link, to come back (keep it secret)")
        assert own != for_bob.replace(proxy.url, web.url)
        bob.see("You are Bob, playing against Ann.")
        eve = terminal("join", for_eve.replace(proxy.url, web.url))
        eve.see("You are watching Ann against Bob.")
        ann.see("Bob has joined.")
        ann.see(PROMPT)
        ann.type("8")
        ann.see("You selected 8.")
        for other in (bob, eve):
            other.see("Ann selects 8.")
        bob.see(PROMPT)
        proxy.refuse()
        proxy.cut()
        ann.see("Connection lost. Reconnecting …")
        bob.type("4")
        bob.see("You selected 4.")
        proxy.accept()
        ann.see("The connection is back.")
        ann.see("Bob selects 4.")
        ann.see(PROMPT)
        proxy.hold("questions")
        ann.type("2")
        proxy.cut()
        ann.see("Connection lost. Your command will be sent as soon as the connection is back.")
        bob.see("Ann selects 2.")
        bob.see(PROMPT)
        bob.type("6")
        ann.see(PROMPT)
        ann.type("3")
        for user in (ann, bob, eve):
            user.see("Ann wins")
        eve.see("The game is over. Press Enter to leave")
        eve.type("")
        assert eve.wait_for_exit() == 0
        said = duel.run("join", for_eve, typed="").stdout
        assert "Ann wins" in said


@pytest.mark.thorough
def test_undo_and_rematch_need_the_opponents_consent(web: Server, terminal: Terminals) -> None:
    with joined_match(web.url) as match:
        ann = terminal("join", link_to(web.url, match.id, match.keys["1"]))
        ann.see(PROMPT)
        ann.type("8")
        ann.see("Bob's turn.")
        ann.type("4")
        ann.see("It is not your turn.")
        ann.type("undo")
        ann.see("You have asked to undo a move. Waiting for an answer.")
        match.two.do("decline")
        ann.see("Bob declined.")
        match.two.take(4)
        ann.see(PROMPT)
        match.two.do("undo")
        ann.see('Bob asks to undo a move. Type "accept" or "decline".')
        ann.type("accept")
        ann.see("4 was taken back.")
        ann.see("Bob's turn.")
        match.two.take(2)
        ann.see(PROMPT)
        ann.type("forfeit")
        ann.see("Give up this game? (yes or no): ")
        ann.type("no")
        ann.see(PROMPT)
        ann.type("forfeit")
        ann.type("yes")
        ann.see("Play again? (yes, no or review): ")
        match.two.do("rematch")
        ann.see('Bob asks to play again. Type "accept" or "decline".')
        ann.type("yes")
        ann.see("Bob's turn.")


def test_why_names_a_move_only_after_the_last_hint(web: Server, terminal: Terminals) -> None:
    with joined_match(web.url, board={"to": 8, "opening": "even"}) as match:
        ann = terminal("join", link_to(web.url, match.id, match.keys["1"]))
        ann.see(PROMPT)
        ann.type("why")
        ann.see("Ask for hints until one names the move")
        for said in ("You can win this.", "of your 4 moves win.", 'Type "why" to see the reason.'):
            ann.see(PROMPT)
            ann.type("hint")
            ann.see(said)
        ann.see(PROMPT)
        ann.type("why")
        ann.see("you take the other one")


def test_ctrl_c_ends_the_thinking_and_not_the_match(web: Server, terminal: Terminals) -> None:
    with joined_match(web.url, game="antichain", board={"to": 200}) as match:
        ann = terminal("join", link_to(web.url, match.id, match.keys["1"]))
        ann.see("Enter your selection: ")
        ann.type("hint")
        ann.see("Thinking … Ctrl-C stops it.")
        ann.screen.sendintr()
        ann.see("Stopped.")
        ann.see("Enter your selection: ")
        ann.type("200")
        ann.see("Opponent's Selections: [200]")


def test_a_match_that_is_over_can_be_reviewed(web: Server, terminal: Terminals) -> None:
    with joined_match(web.url) as match:
        ann = terminal("join", link_to(web.url, match.id, match.keys["1"]))
        ann.see(PROMPT)
        ann.type("7")
        ann.see("Play again? (yes, no or review): ")
        ann.type("review")
        ann.see("Turn 1: Ann took 7.")
        ann.see("Play again? (yes, no or review): ")


def test_a_wrong_number_that_loses_is_confirmed(web: Server, terminal: Terminals) -> None:
    with joined_match(web.url, game="descent", board={"number": 16}) as match:
        ann = terminal("join", link_to(web.url, match.id, match.keys["1"]))
        ann.see("Select a proper divisor of 16: ")
        ann.type("7")
        ann.see("7 does not divide 16.")
        ann.see("A wrong number loses the game. Take it anyway? (yes or no): ")
        assert match.two.see()["winner"] is None
        ann.type("y")
        for _ in wait_until("Bob has won"):
            if match.two.see()["winner"] == 2:
                break


def test_a_spectator_cannot_play_and_can_come_back(web: Server, terminal: Terminals) -> None:
    with joined_match(web.url) as match:
        link = link_to(web.url, match.id, match.keys["watch"])
        eve = terminal("join", link)
        eve.see("Ann's turn.")
        eve.type("8")
        eve.see("You are watching. Spectators cannot play.")
        eve.type("moves")
        eve.see("2, 3, 4, 5, 6, 7, 8")
        eve.type("help")
        assert "forfeit" not in eve.see("leave; the game stays on the server")
        eve.type("quit")
        assert eve.wait_for_exit() == 0
        assert f"To come back: duel join '{link}'" in eve.rest


@pytest.mark.thorough
def test_ctrl_c_leaves_and_says_how_to_come_back(web: Server, terminal: Terminals) -> None:
    with new_match(web.url) as match:
        bob = terminal("join", link_to(web.url, match.id, match.keys["2"]), "--name", "Bob")
        bob.see("Ann's turn.")
        assert bob.interrupt() == 130
        [back] = re.findall(r"To come back: duel join '(\S+)'", bob.rest)
        assert "Traceback" not in bob.rest
        again = terminal("join", back)
        again.see("You are Bob, playing against Ann.")


def test_piped_moves_wait_for_their_turn(web: Server, duel: Duel) -> None:
    with joined_match(web.url, board={"to": 6}, first="2") as match:
        done: list[str] = []

        def play() -> None:
            link = link_to(web.url, match.id, match.keys["1"])
            done.append(duel.run("join", link, typed="4\nhint\n3\n").stdout)

        playing = threading.Thread(target=play)
        playing.start()
        match.two.take(2)
        for _ in wait_until("Ann has answered"):
            if match.two.see()["turns"] == [2, 4]:
                break
        playing.join(60)
    assert done[0].count("You selected") == 1
    assert "Ann wins" in done[0]


def test_input_that_ends_too_early_is_reported(web: Server, duel: Duel) -> None:
    with joined_match(web.url) as match:
        link = link_to(web.url, match.id, match.keys["1"])
        done = duel.run("join", link, typed="7\n9\n")
        assert match.two.see()["turns"] == [7]
    assert done.returncode in (0, 3)


@pytest.mark.parametrize(
    ("link", "said"),
    [
        ("hello", "'hello' is not a link to a game. A link looks like https://"),
        ("http://127.0.0.1:9/#/match/abcdefghij", "This link has no key: the page removes it"),
        ("http://127.0.0.1:9/#/match/abcdefghij/KEY", "http://127.0.0.1:9 cannot be reached."),
        ("ftp://x/#/match/abcdefghij/KEY", "is not the address of a server"),
        ("http://me:pw@x/#/match/abcdefghij/KEY", "is not the address of a server"),
    ],
)
def test_a_link_that_cannot_be_used_is_reported(duel: Duel, link: str, said: str) -> None:
    done = duel.run("join", link)
    assert done.returncode == 1
    assert said in done.stderr
    assert "Traceback" not in done.stderr


def test_an_invalid_key_and_a_host_without_a_server_are_reported(web: Server, duel: Duel) -> None:
    with joined_match(web.url) as match:
        done = duel.run("join", link_to(web.url, match.id, match.invited.key))
        assert "This link is not valid: the seat may be taken, the game deleted, or " in done.stderr
        assert "To return to your own game: duel join" in done.stderr
    done = duel.run("host", "chain")
    assert (done.returncode, "No server is set. Use --server URL" in done.stderr) == (2, True)
    done = duel.run("host", "chain", "--to", "99999", "--server", web.url)
    assert "The page shows boards of at most 1,000 numbers" in done.stderr


class _OtherServer(http.server.BaseHTTPRequestHandler):
    """A web server that is not ours."""

    def do_GET(self) -> None:
        if "abcdefghij" in self.path:
            content = b"<h1>Hello</h1>"
            self.send_response(200)
            self.send_header("content-length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)
        elif "endless" in self.path:
            self.send_response(200)
            self.end_headers()
            with_what = b" " * 100_000
            try:
                while True:
                    self.wfile.write(with_what)
            except OSError:
                return
        else:
            self.send_response(302)
            self.send_header("location", "https://elsewhere.example")
            self.end_headers()

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002  # as in the library
        return


@pytest.mark.parametrize(
    ("match", "said"),
    [
        ("abcdefghij", "is not a Divisor Duel server, or it runs a different version"),
        ("endless000", "is not a Divisor Duel server, or it runs a different version"),
        ("redirected", "redirects to https://elsewhere.example. Use that address."),
    ],
)
def test_a_server_that_is_not_ours_is_refused(match: str, said: str) -> None:
    from divisorduel.client.client_error import ClientError
    from divisorduel.client.http_api import enter

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), _OtherServer) as other:
        threading.Thread(target=other.serve_forever, daemon=True).start()
        with pytest.raises(ClientError, match=re.escape(said)):
            enter(f"http://127.0.0.1:{other.server_port}/#/match/{match}/KEY")
        other.shutdown()


def test_host_prints_the_links_and_exits_if_asked_to(web: Server, duel: Duel) -> None:
    words = ("--server", web.url, "--name", "Ann", "--rounds", "3", "--no-hints", "--no-join")
    done = duel.run("host", "chain", "--to", "20", "--opening", "even", *words)
    assert done.returncode == 0
    lines = done.stdout.splitlines()
    assert [line.partition(": ")[0] for line in lines] == [
        "Link for your opponent",
        "Link for spectators",
        "Your own link, to come back (keep it secret)",
    ]
    *_, match_id, key = lines[0].split("/")
    from tests.web.clients import Guest

    with Guest(web.url, match_id, key) as guest:
        seen = guest.see()
    assert (seen["rounds"], seen["hints"], seen["names"][0]) == (3, False, HERE["name"])
    assert seen["game"]["note"]


def test_a_player_whose_terminal_was_closed_comes_back_without_a_link(
    web: Server, terminal: Terminals, duel: Duel
) -> None:
    assert "You have no unfinished games on a server." in duel.run("join").stderr
    with new_match(web.url, board={"to": 6}) as match:
        link = link_to(web.url, match.id, match.keys["2"])
        bob = terminal("join", link, "--name", "Bob")
        bob.see("Ann's turn.")
        bob.screen.close(force=True)
        assert "chain 2-6, Ann against Bob, turn 1" in duel.run("join", "--list").stdout
        again = terminal("join")
        again.see("You are Bob, playing against Ann.")
        match.one.take(4)
        again.see(PROMPT)
        again.type("quit")
        assert again.wait_for_exit() == 0
        assert "chain 2-6, Ann against Bob, turn 2" in duel.run("join", "--list").stdout
        again = terminal("join")
        again.see(PROMPT)
        again.type("forfeit")
        again.type("yes")
        again.see("Play again?")
        again.type("no")
        assert again.wait_for_exit() == 0
    assert duel.run("join", "--list").stdout == "You have no unfinished games on a server.\n"


@pytest.mark.thorough
def test_a_host_is_told_that_the_first_move_can_end_the_game(
    web: Server, terminal: Terminals
) -> None:
    ann = terminal("host", "chain", "--server", web.url, "--name", "Ann")
    ann.see("On this board the player who starts can win with the first move.")
    ann.see("must be even.")
    even = terminal("host", "chain", "--opening", "even", "--server", web.url)
    assert "For a longer game" not in even.see("Waiting for your opponent to join.")


@pytest.mark.thorough
def test_of_several_online_games_the_player_chooses_one(
    web: Server, terminal: Terminals, duel: Duel
) -> None:
    for game in ("chain", "antichain"):
        duel.run("host", game, "--server", web.url, "--name", "Ann", "--no-join")
    ann = terminal("join")
    ann.see("antichain 2-50")
    ann.see("chain 2-50")
    ann.see("Which one?")
    ann.type("2")
    ann.see("You are Ann")


def test_a_link_that_the_server_no_longer_knows_is_forgotten(web: Server, duel: Duel) -> None:
    gone = link_to(web.url, "abcdefghij", "KEY")
    OnlineLinks(duel.home / "divisorduel" / "online").remember(gone, "chain 2-50")
    assert "the game deleted" in duel.run("join").stderr
    assert "You have no unfinished games on a server." in duel.run("join").stderr
