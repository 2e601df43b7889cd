"""The HTTP API: matches from the first call to the last."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from divisorduel import read_records
from tests.conftest import ALL_KEYS, thorough_except
from tests.polling import wait_until
from tests.web.clients import (
    HERE,
    Client,
    Json,
    Match,
    Server,
    joined_match,
    my_turn,
    new_match,
    solo,
)
from tests.web.conftest import Start
from tests.web.custom_server import custom_server

BOARDS: dict[str, Json] = {"descent": {"number": 720}, "evens": {"to": 20}}


@pytest.fixture
def match(server: Server) -> Iterator[Match]:
    """Start a match of chain 2-8 between Ann and Bob, on two devices."""
    with joined_match(server.url) as match:
        yield match


@pytest.mark.parametrize("first", thorough_except(["1", "2"], "1"))
@pytest.mark.parametrize("key", ALL_KEYS)
def test_every_game_can_be_played_to_its_end_against_a_computer(
    server: Server, key: str, first: str
) -> None:
    with solo(server.url, game=key, board=BOARDS.get(key, {"to": 12}), first=first) as match:
        while (seen := my_turn(match))["state"] == "playing":
            match.one.take(seen["legal"][0])
        assert seen["winner"] in (1, 2)
        assert (seen["legal"], seen["score"].count(1), seen["results"]) == ([], 1, [seen["winner"]])
        [record] = read_records(match.one.get(f"{match.one.at}/record"))
        assert list(record.moves) == seen["turns"]
        assert record.winner == seen["winner"]
        told = match.one.get(f"{match.one.at}/rounds/1")
        assert [turn["number"] for turn in told["turns"]] == seen["turns"]
        assert all(turn["number"] in turn["legal"] for turn in told["turns"])
        reviewed = match.watch.get(f"{match.watch.at}/rounds/1/review")
        assert [turn["move"] for turn in reviewed["turns"]] == seen["turns"]
        assert reviewed["result"] == ("1-0" if seen["winner"] == 1 else "0-1")
        mistakes = [str(turn["turn"]) for turn in reviewed["turns"] if turn["mistake"]]
        assert sorted(reviewed["told"]) == sorted(mistakes)


@pytest.mark.parametrize("kind", ["random", "greedy", "1", "10", "perfect"])
def test_every_kind_of_computer_plays(web: Server, kind: str) -> None:
    players = [{"who": "computer", "kind": kind}, HERE]
    with new_match(web.url, players=players) as match:
        assert match.keys["1"] is None
        for _ in wait_until("the computer has moved"):
            if match.two.see()["turns"]:
                break
        assert match.two.see()["kinds"] == [kind, "human"]


@pytest.mark.both_databases
def test_a_match_has_the_options_it_was_created_with(server: Server) -> None:
    wanted = {"first": "2", "then": "loser", "rounds": 3, "undo": False, "hints": False}
    with new_match(server.url, board={"from": 3, "to": 30, "opening": "even"}, **wanted) as match:
        seen = match.one.see()
        assert seen == match.first_view
        agreed = ("starter", "then", "rounds", "series", "undo", "hints", "listed", "state")
        assert [seen[name] for name in agreed] == [2, "loser", 3, 3, False, False, False, "waiting"]
        assert seen["game"]["board"] == "3-30,even"
        assert seen["names"] == ["Ann", "Player 2"]
        board = match.watch.get(f"{match.watch.at}/board")
        assert board["numbers"] == list(range(3, 31))
        assert [3, 6] in board["edges"]
        assert [4, 6] not in board["edges"]


def test_a_random_starter_can_be_either_player(server: Server) -> None:
    starters = set()
    for _ in range(20):
        with new_match(server.url, first="random") as match:
            starters.add(match.first_view["starter"])
    assert starters == {1, 2}


def test_undo_against_a_computer_takes_back_both_moves(web: Server) -> None:
    with solo(web.url, board={"to": 50}) as match:
        match.one.take(8)
        assert len(my_turn(match)["turns"]) == 2
        back = match.one.do("undo")
        assert [event["type"] for event in back["events"]] == ["move-undone", "move-undone"]
        assert (back["match"]["turns"], back["match"]["redoable"]) == ([], 2)
        assert match.one.do("redo")["match"]["turns"][0] == 8


@pytest.mark.both_databases
def test_an_undo_on_two_devices_is_offered_and_answered(match: Match) -> None:
    match.one.take(8)
    assert match.one.do("undo")["match"]["offer"] == {"kind": "undo", "by": 1}
    assert match.two.do("decline")["match"]["offer"] is None
    assert match.two.see()["turns"] == [8]
    match.one.do("undo")
    assert match.two.do("accept")["match"]["turns"] == []
    reason = "Redo works only when both players are on the same screen."
    assert match.one.do("redo", 409)["reason"] == reason


def test_a_rematch_on_two_devices_needs_both_players(match: Match) -> None:
    match.one.do("rematch", 409)
    match.one.do("forfeit")
    assert match.two.do("rematch")["match"]["offer"] == {"kind": "rematch", "by": 2}
    again = match.one.do("rematch")["match"]
    assert (again["round"], again["rounds"], again["starter"]) == (2, 2, 2)
    assert again["score"] == [0, 1]


def test_a_command_for_another_version_is_refused_with_the_current_version(match: Match) -> None:
    match.one.take(8)
    refused = match.two.take(4, 409, version=1)
    assert refused.pop("code")
    assert refused == {
        "reason": "The game has changed. Check the board and try again.",
        "version": 2,
        "asks": False,
    }


def test_a_wrong_number_is_explained_and_changes_nothing(match: Match) -> None:
    match.one.take(8)
    before = match.one.see()
    refused = match.two.take(6, 409)
    assert refused["reason"] == "6 neither divides 8 nor is a multiple of it."
    assert not refused["asks"]
    assert match.one.see() == before


def test_in_descent_a_wrong_number_forfeits_only_after_confirmation(server: Server) -> None:
    with joined_match(server.url, game="descent", board={"number": 72}) as match:
        assert match.one.see()["game"]["wrong_number"] == "forfeit"
        refused = match.one.take(7, 409)
        assert refused["asks"] is True
        assert match.one.see()["state"] == "playing"
        assert match.two.take(7, 409)["asks"] is False
        done = match.one.take(7, sure=True)
        assert done["match"]["winner"] == 2
        assert done["match"]["forfeit"]["wrong_number"] == 7
        assert done["match"]["forfeit"]["reason"] == refused["reason"]


def test_the_rule_books_are_explained_with_an_example(web: Server) -> None:
    with Client(web.url) as client:
        books = client.get("/games")
    assert [book["key"] for book in books] == list(ALL_KEYS)
    for book in books:
        assert book["rules"]
        assert book["tips"]
        assert book["example"]["round"]["turns"]
        assert book["example"]["board"]["numbers"]
        assert book["parameters"]


@pytest.mark.parametrize("every", [1, 2])
def test_a_record_that_repeats_a_long_start_in_every_round_counts_as_a_question(
    tmp_path: Path, every: int
) -> None:
    numbers = ",".join(map(str, range(1_001, 2_001, every)))
    wanted = {"game": "antichain", "start": f"antichain 1001-2000 {numbers} -", "board": {}}
    with (
        custom_server(tmp_path, questions_a_minute=1) as server,
        new_match(server.url, **wanted, players=[HERE, {"who": "here"}], rounds=20) as match,
    ):
        for _ in range(10):
            match.one.do("forfeit")
        record = f"{match.one.at}/record"
        assert len(read_records(match.one.get(record))) == 11
        if every == 1:  # the board says it all
            match.one.get(record)
        else:
            assert match.one.get(record, 429)["code"] == "too-many-requests"


@pytest.mark.thorough
def test_a_game_can_be_claimed_from_a_player_who_stays_away(start: Start, database: str) -> None:
    server = start("--claim-after", "0.5", database=database)
    with joined_match(server.url) as match, match.one.listen() as ann:
        with match.two.listen():
            while ann.presence["present"] != [True, True]:
                ann.hear("presence")
            refused = ann.do("claim")["reason"]
            assert refused == (
                "Bob has not been away long enough. "
                "You can claim the win once they have been away for 0.5 seconds."
            )
        while ann.presence["present"] != [True, False]:
            ann.hear("presence")
        for _ in wait_until("the game can be claimed"):
            if ann.do("claim")["type"] == "done":
                break
        assert ann.match["winner"] == 1
        assert ann.match["forfeit"] == {
            "by": 2,
            "wrong_number": None,
            "away": True,
            "fault": "",
            "reason": "Bob left the game.",
        }


@pytest.mark.thorough
def test_an_idle_match_expires(start: Start, database: str) -> None:
    second = 1 / 24 / 60 / 60
    server = start("--expire-after", f"{second:.9f}", database=database)
    with new_match(server.url, players=[HERE, {"who": "here"}]) as match:
        with match.one.listen() as ann:
            while ann.match["state"] != "expired":
                assert ann.hear("step")["events"] == [{"type": "closed", "why": "expired"}]
        reason = "This game was closed because no one played for a long time."
        assert match.one.take(8, 409)["reason"] == reason
