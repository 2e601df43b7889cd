"""Matches that cannot be created are refused with a reason."""

import pytest

from tests.web.clients import COMPUTER, HERE, LINK, Client, Json, Server


@pytest.mark.parametrize(
    ("wanted", "sentence"),
    [
        ({"game": "chess"}, "Unknown game 'chess'"),
        (
            {"board": {"to": 1}},
            "The board 2 to 1 is empty. The largest number must not be below the smallest.",
        ),
        ({"board": {"to": "many"}}, "to must be a number, not 'many'."),
        ({"board": {"opening": 7}}, "opening must be a word, not 7."),
        ({"board": {"width": 7}}, "chain has no parameter 'width'"),
        ({"board": {"to": 5000}}, "boards of at most 1,000 numbers"),
        ({"board": {"to": 10**15 - 1}}, "The largest number on a board may be at most 10,000,000."),
        ({"game": "descent", "board": {}}, "descent needs a number."),
        ({"players": [COMPUTER, COMPUTER]}, "At least one player must be a person."),
        ({"players": [HERE, HERE]}, "Both players are called Ann"),
        ({"players": [HERE, COMPUTER], "listed": True}, "Only a game with a free seat"),
        ({"players": [{"who": "here", "name": " "}, LINK]}, "is not a name"),
    ],
)
def test_an_impossible_match_is_refused_with_a_reason(
    web: Server, wanted: Json, sentence: str
) -> None:
    body = {"game": "chain", "board": {"to": 8}, "players": [HERE, LINK], **wanted}
    with Client(web.url) as client:
        assert sentence in client.post("/matches", 422, **body)["reason"]


@pytest.mark.parametrize(
    "wanted",
    [
        {"rounds": 0},
        {"rounds": 1001},
        {"rounds": "3"},
        {"undo": "yes"},
        {"first": 1},
        {"then": "nobody"},
        {"players": [HERE]},
        {"players": [HERE, LINK, LINK]},
        {"players": [HERE, {"who": "computer", "kind": "11"}]},
        {"players": [HERE, {"who": "ghost"}]},
        {"board": {"to": 10**15}},
        {"board": {"to": -8}},
        {"board": {"to": True}},
        {"board": [8]},
        {"surprise": 1},
    ],
    ids=str,
)
def test_an_invalid_request_is_refused(web: Server, wanted: Json) -> None:
    body = {"game": "chain", "board": {"to": 8}, "players": [HERE, LINK], **wanted}
    with Client(web.url) as client:
        client.post("/matches", 422, **body)
