"""How the other player joins: by a link, or from the list."""

from collections.abc import Iterator

import pytest

from attack.campaigns.races.joins import join_together
from tests.web.clients import LINK, Client, Json, Match, Server, joined_match, new_match


@pytest.fixture
def match(server: Server) -> Iterator[Match]:
    """Start a match of chain 2-8 between Ann and Bob, on two devices."""
    with joined_match(server.url) as match:
        yield match


def test_a_match_begins_when_a_player_joins_by_the_link(server: Server) -> None:
    with new_match(server.url) as match:
        assert match.one.take(8, 409)["reason"] == "The game begins when both players have joined."
        joined = match.join("Bob")
        assert joined["seat"] == 2
        assert joined["match"]["names"] == ["Ann", "Bob"]
        match.one.take(8)
        match.two.take(4)


@pytest.mark.both_databases
def test_joining_gives_a_new_key_and_makes_the_key_of_the_link_invalid(
    server: Server,
) -> None:
    with new_match(server.url) as match:
        assert match.join()["key"] not in (match.invited.key, match.keys["1"])
        match.invited.get(match.invited.at, 403)
        match.invited.post(f"{match.invited.at}/join", 403, name="Eve")
        match.invited.do("forfeit", 403, version=1)
        assert match.two.get(match.two.at)["seats"] == [2]


def test_joining_again_gets_the_same_answer_and_keeps_the_seat(server: Server) -> None:
    with new_match(server.url) as match:
        joined = match.join()
        again = match.two.post(f"{match.two.at}/join", name="Eve", key="e" * 22)
        assert again == joined
        match.one.take(8)


def test_a_player_may_choose_the_key_in_case_the_answer_is_lost(
    server: Server,
) -> None:
    own = "Bobs-own_key-0123456789"
    with new_match(server.url) as match, new_match(server.url) as other:
        assert match.join(key=own)["key"] == own
        assert match.two.post(f"{match.two.at}/join", name="Bob")["seat"] == 2
        assert other.join(key=own)["key"] == own  # in another match it is a different key
        match.one.take(8)
        assert match.two.take(4)["match"]["turns"] == [8, 4]
        assert other.two.see()["turns"] == []


@pytest.mark.parametrize("key", ["", "x" * 21, "x" * 65, "x" * 21 + " ", "x" * 21 + "\n", "ä" * 22])
def test_a_key_that_is_too_short_or_cannot_be_sent_is_refused(server: Server, key: str) -> None:
    with new_match(server.url) as match:
        match.invited.post(f"{match.invited.at}/join", 422, name="Bob", key=key)
        assert match.one.see()["state"] == "waiting"


@pytest.mark.parametrize(
    ("held", "status", "code"),
    [("watch", 403, "spectator"), ("1", 409, "key-in-use"), ("2", 409, "key-in-use")],
    ids=["spectator", "host", "link"],
)
@pytest.mark.parametrize("listed", [True, False], ids=["listed", "by link"])
def test_a_key_that_already_opens_the_match_takes_no_seat(
    server: Server, held: str, status: int, code: str, listed: bool
) -> None:
    with new_match(server.url, listed=listed) as match, Client(server.url) as visitor:
        before = match.watch.get(match.watch.at)
        guest = visitor if listed else match.invited
        refused = guest.post(f"/matches/{match.id}/join", status, name="Eve", key=match.keys[held])
        assert refused["code"] == code
        after = match.watch.get(match.watch.at)
        assert after["seats"] == []
        assert after["match"] == before["match"]
        assert match.one.get(match.one.at)["seats"] == [1]
        match.join()
        match.one.take(8)
        match.two.take(4)


@pytest.mark.parametrize("listed", [True, False], ids=["listed", "by link"])
def test_a_spectator_takes_no_seat(server: Server, listed: bool) -> None:
    with new_match(server.url, listed=listed) as match:
        refused = match.watch.post(f"{match.watch.at}/join", 403, name="Eve")
        assert refused == {"code": "spectator", "reason": "Spectators cannot play."}
        assert match.watch.see()["state"] == "waiting"
        assert match.watch.get(match.watch.at)["seats"] == []
        assert match.join()["match"]["names"] == ["Ann", "Bob"]


def test_players_with_the_same_name_are_told_apart(server: Server) -> None:
    with new_match(server.url) as match:
        assert match.join("Ann")["match"]["names"] == ["Ann", "Ann 2"]


@pytest.mark.parametrize(
    ("players", "names"),
    [
        ([{"who": "here", "name": "Player 2"}, LINK], ["Player 2", "Player 2 B"]),
        ([LINK, {"who": "here", "name": "Player 1"}], ["Player 1 A", "Player 1"]),
        (
            [{"who": "here", "name": "Level 5"}, {"who": "computer", "kind": "5"}],
            ["Level 5", "Level 5 B"],
        ),
    ],
    ids=str,
)
def test_a_player_may_have_the_default_name_of_the_other(
    server: Server, players: list[Json], names: list[str]
) -> None:
    with new_match(server.url, players=players) as match:
        assert match.first_view["names"] == names


def test_a_player_who_joins_with_the_name_of_the_host_gets_another_name(server: Server) -> None:
    players = [{"who": "here", "name": "Player 2"}, LINK]
    with new_match(server.url, players=players) as match:
        assert match.join("Player 2")["match"]["names"] == ["Player 2", "Player 2 B"]


@pytest.mark.parametrize("name", ["Zoë", "\U0001f469\u200d\U0001f467", "李", "O'Neill <b>"])
def test_any_printable_text_can_be_a_name(server: Server, name: str) -> None:
    with new_match(server.url) as match:
        assert match.join(name)["match"]["names"] == ["Ann", name]
        assert f'[Player2 "{name}"]' in match.one.get(f"{match.one.at}/record")


def test_a_name_that_cannot_be_shown_is_refused(server: Server) -> None:
    with new_match(server.url) as match:
        for name in (" Bob", "B\nb", "", "x" * 41, "\x00", "\u202e", "\u200d"):
            match.two.post(f"{match.two.at}/join", 422, name=name)
        assert match.one.see()["state"] == "waiting"


@pytest.mark.both_databases
def test_a_listed_match_is_in_the_list_until_it_is_joined(server: Server) -> None:
    with Client(server.url) as stranger, new_match(server.url, listed=True) as match:
        [found] = [one for one in stranger.get("/matches") if one["id"] == match.id]
        assert (found["host"], found["starts"], found["rounds"]) == ("Ann", "host", 1)
        assert found["game"]["board"] == "2-8"
        joined = stranger.post(f"/matches/{match.id}/join", name="Bob")
        assert joined["match"]["state"] == "playing"
        assert match.id not in [one["id"] for one in stranger.get("/matches")]
        late = stranger.post(f"/matches/{match.id}/join", 409, name="Eve")
        assert late["reason"] == "Someone else took the seat first."


def test_an_unlisted_match_can_be_neither_found_nor_joined_without_a_key(
    server: Server,
) -> None:
    with Client(server.url) as stranger, new_match(server.url) as match:
        assert match.id not in [one["id"] for one in stranger.get("/matches")]
        stranger.post(f"/matches/{match.id}/join", 401)
        stranger.post("/matches/aaaaaaaaaa/join", 401)


@pytest.mark.both_databases
@pytest.mark.parametrize("way", ["the list", "the link"])
def test_exactly_one_of_many_simultaneous_joins_gets_the_seat(server: Server, way: str) -> None:
    for _ in range(3):
        join_together([server.url], way)


def test_a_match_can_be_called_off_only_before_a_player_joins(server: Server, match: Match) -> None:
    assert (
        match.one.do("call-off", 409)["reason"]
        == "Both players have joined, so the game can no longer be called off."
    )
    with new_match(server.url, listed=True) as alone:
        assert alone.one.do("call-off")["match"]["state"] == "off"
        refused = alone.two.post(f"{alone.two.at}/join", 409, name="Bob")
        assert refused["reason"] == "This game was called off."
        assert alone.id not in [one["id"] for one in alone.one.get("/matches")]
