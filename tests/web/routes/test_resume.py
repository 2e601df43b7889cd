"""Matches continued from a record."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from divisorduel.client.server_messages import SentMatch, parse
from divisorduel.play.events import Forfeited
from tests.web.clients import Client, Match, Server, joined_match, my_turn

GAME = '[Game "chain"]\n[Board "2-8"]\n\n*\n'


@pytest.fixture
def match(server: Server) -> Iterator[Match]:
    """Start a match of chain 2-8 between Ann and Bob, on two devices."""
    with joined_match(server.url) as match:
        yield match


@pytest.mark.both_databases
def test_a_recorded_match_continues_where_it_was(server: Server, match: Match) -> None:
    match.one.take(8)
    match.two.take(4)
    record = match.one.get(f"{match.one.at}/record")
    with Client(server.url) as client:
        resumed = Match(server.url, client.post("/records", 201, record=record))
    with resumed:
        seen = resumed.one.see()
        assert (seen["turns"], seen["names"], seen["state"]) == ([8, 4], ["Ann", "Bob"], "playing")
        assert resumed.keys["1"] == resumed.keys["2"]
        assert resumed.one.take(2)["match"]["turns"] == [8, 4, 2]


def test_a_computer_continues_a_recorded_match(web: Server) -> None:
    record = '[Game "chain"]\n[Board "2-50"]\n[Kind2 "3"]\n\n8 *\n'
    with (
        Client(web.url) as client,
        Match(web.url, client.post("/records", 201, record=record)) as m,
    ):
        assert len(my_turn(m)["turns"]) == 2


@pytest.mark.parametrize(("number", "sent"), [(2**53, 2**53), (10**20, str(10**20))])
def test_a_wrong_number_that_browsers_would_round_is_sent_as_a_string(
    web: Server, number: int, sent: int | str
) -> None:
    tags = f'[Result "1-0"]\n[Termination "wrong number {number}"]'
    record = f'[Game "descent"]\n[Board "20"]\n{tags}\n\n10 1-0\n'
    with Client(web.url) as client:
        match = client.post("/records", 201, record=record)["match"]
    assert match["forfeit"]["wrong_number"] == sent
    assert match["forfeit"]["reason"] == f"{number} does not divide 10."
    assert parse(SentMatch, match).forfeit == Forfeited(2, wrong_number=number)


def test_a_match_from_a_given_start_shows_only_the_numbers_of_that_start(web: Server) -> None:
    record = '[Game "antichain"]\n[Board "2-12"]\n[Start "antichain 2-12 5,7-8,10-12 -"]\n\n7 *\n'
    with (
        Client(web.url) as client,
        Match(web.url, client.post("/records", 201, record=record)) as match,
    ):
        board = match.one.get(f"{match.one.at}/board")
        assert board["numbers"] == [5, 7, 8, 10, 11, 12]
        assert board["edges"] == [[5, 10]]
        assert match.one.see()["turns"] == [7]


@pytest.mark.parametrize(
    ("record", "sentence"),
    [
        ('[Game "chain"]\n[Board "2-8"]\n\n8 5 *\n', "Line 4: the move on turn 2 is illegal: 5"),
        ('[Game "chain"]\n[Board "2-8"]\n\n8 4 1-0\n', "Line 4:"),
        ('[Game "chain"]\n\n8 *\n', "Line 1: the tag Board is missing."),
        ('[Game "chain"]\n[Board "2-8"]\n[Kind1 "wizard"]\n\n*\n', "Line 3: Kind1 must be one of"),
        ('[Game "chain"]\n[Board "2-8"]\n[Player1 "\x00"]\n\n*\n', "Line 3:"),
        ('[Game "chain"]\n[Board "2-9000"]\n\n8 *\n', "boards of at most 1,000 numbers"),
        ('[Game "descent"]\n[Board "' + "9" * 30 + '"]\n\n*\n', "at most 15 digits"),
        ('[Game "chain"]\n[Board "2-8"]\n[Kind1 "3"]\n[Kind2 "3"]\n\n*\n', "Two computers"),
        (GAME * 1001, "Line 4004: there are more than 1000 games here."),
        ("nonsense", "Line 1:"),
    ],
)
def test_a_broken_record_is_refused_with_the_line(web: Server, record: str, sentence: str) -> None:
    with Client(web.url) as client:
        assert sentence in client.post("/records", 422, record=record)["reason"]


def test_a_hostile_record_is_refused_and_delays_no_one(web: Server) -> None:
    # Every move is legal, but each takes a while on a board of a million numbers.
    moves = " ".join(map(str, range(500_001, 527_001)))
    record = f'[Game "antichain"]\n[Board "2-1000000"]\n\n{moves} *\n'
    assert 185_000 < len(record) < 200_000
    with Client(web.url) as hostile, Client(web.url) as client, ThreadPoolExecutor(1) as threads:
        posted = threads.submit(hostile.post, "/records", 422, record=record)
        answered = 0
        while not posted.done():
            client.get("/games")
            answered += 1
        assert answered > 2
        assert "The page shows boards of at most 1,000 numbers" in posted.result()["reason"]
