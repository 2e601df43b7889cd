"""Positions and their analysis over HTTP, with the exhaustive search as the oracle."""

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from divisorduel import read_code, write_code
from divisorduel.coach.reasons import reason
from divisorduel.solve.budget import Budget
from divisorduel.solve.solver import EXHAUSTIVE
from divisorduel.words.advice import reason_text
from tests.conftest import ALL_KEYS, small_game
from tests.web.clients import COMPUTER, HERE, Client, Json, Match, Server, joined_match, my_turn
from tests.web.custom_server import custom_server


@pytest.fixture
def client(web: Server) -> Iterator[Client]:
    """Return a client without a key."""
    with Client(web.url) as client:
        yield client


# --- positions


@pytest.mark.parametrize("key", ALL_KEYS)
def test_a_position_after_some_moves_is_that_of_the_rules(client: Client, key: str) -> None:
    game, rng = small_game(key), Random(key)
    position, taken = game.start(), list[int]()
    while True:
        shown = client.post("/positions", code=write_code(game, game.start()), moves=taken)
        assert shown["code"] == write_code(game, position)
        assert shown["legal"] == [*game.moves(position)]
        assert shown["moves"] == len(shown["legal"])
        assert shown["playable"] == [*position.numbers]
        assert shown["last"] == position.last
        assert shown["game"]["key"] == key
        assert shown["board"] is None
        if game.is_over(position):
            break
        taken.append(game.random_move(position, rng))
        position = game.after(position, taken[-1])


def test_a_position_comes_with_its_board_on_request(client: Client) -> None:
    shown = client.post("/positions", code="antichain 2-12 5,7 -", board=True)
    assert shown["board"]["numbers"] == [*range(2, 13)]
    assert [5, 10] in shown["board"]["edges"]
    assert shown["board"]["code"] == "antichain 2-12 2-12 -"
    assert shown["parameters"] == {"from": 2, "to": 12, "step": 1, "opening": "any"}


def test_a_start_is_that_of_the_board_with_its_parameters(client: Client) -> None:
    board = {"from": 3, "to": 30, "step": 3, "opening": "even"}
    shown = client.post("/positions/start", game="chain", board=board)
    assert shown["code"] == "chain 3-30:3,even 3-30 -"
    assert shown["legal"] == [6, 12, 18, 24, 30]
    assert shown["parameters"] == board
    assert client.post("/positions/start", game="descent", board={"number": 60})["last"] == 60


def test_numbers_can_be_marked_one_by_one_only_where_a_last_number_matters(client: Client) -> None:
    def markable(key: str) -> bool:
        code = write_code(small_game(key), small_game(key).start())
        return bool(client.post("/positions", code=code)["markable"])

    assert {key for key in ALL_KEYS if markable(key)} == {"chain", "evens", "juniper"}


@pytest.mark.parametrize(
    ("body", "code", "sentence"),
    [
        ({"code": "chain 2-50 2-50"}, "bad-position-code", "A position code has four parts"),
        ({"code": "chain 2-50 2-60 -"}, "bad-position-code", "2-60 is not on the board"),
        ({"code": "chain 2-50 2-50 8"}, "bad-position-code", "8 cannot be the last number taken"),
        ({"code": "divider 2-9 2-9 4"}, "bad-position-code", "have no last number"),
        ({"code": "descent 720 - 7"}, "bad-position-code", "7 cannot be reached from 720."),
        ({"code": "chess 2-50 2-50 -"}, "bad-position-code", "Unknown game 'chess'"),
        ({"code": "chain 2-5000 2-5000 -"}, "bad-position-code", "at most 1,000 numbers"),
        ({"code": "chain 2-8 2-8 -", "moves": [8, 5]}, "illegal-move", "5 neither divides 8"),
        ({"code": "chain 2-8 2-8 -", "moves": [8, 4, 8]}, "illegal-move", "8 was taken on turn 1."),
        (
            {"code": "antichain 2-12 2-12 -", "moves": [4, 5, 8]},
            "illegal-move",
            "8 is a multiple of 4, which Player 1 took.",
        ),
    ],
)
def test_an_impossible_position_is_refused_with_the_reason(
    client: Client, body: Json, code: str, sentence: str
) -> None:
    refused = client.post("/positions", 422, **body)
    assert refused["code"] == code
    assert sentence in refused["reason"]


def test_a_huge_board_is_refused_before_its_numbers_are_read(client: Client) -> None:
    code = "chain 2-9999998:2 " + "2," * 3_000 + "2 -"
    assert "at most 1,000 numbers" in client.post("/positions", 422, code=code)["reason"]
    assert "at most 1,000 numbers" in client.post("/analysis", 422, code=code)["reason"]


def test_a_record_gives_the_lines_of_its_games(client: Client) -> None:
    record = (
        '[Game "chain"]\n[Board "2-8"]\n[Round "1"]\n[Rounds "2"]\n\n8 4 (2) 2 6 3 1-0\n\n'
        '[Game "chain"]\n[Board "2-8"]\n[Round "2"]\n[Rounds "2"]\n[First "2"]\n\n6 *\n'
    )
    found = client.post("/positions/record", record=record)
    assert found == {
        "code": "chain 2-8 2-8 -",
        "lines": [[8, 4, 2, 6, 3], [8, 2], [6]],
    }
    refused = client.post("/positions/record", 422, record='[Game "chain"]\n[Board "2-8"]\n\n8 5 *')
    assert refused["reason"].startswith("Line 4: the move on turn 2 is illegal: 5")


# --- analysis


@pytest.mark.parametrize("key", ALL_KEYS)
def test_every_move_is_judged_as_by_exhaustive_search(client: Client, key: str) -> None:
    game, rng = small_game(key), Random(key)
    position = game.start()
    while True:
        found = client.post("/analysis", code=write_code(game, position))
        nimbers = EXHAUSTIVE.option_nimbers(game, position, Budget())
        wins = {move: nimber == 0 for move, nimber in nimbers.items()}
        assert {one["move"]: one["wins"] for one in found["options"]} == wins
        assert all(one["nimber"] in (None, nimbers[one["move"]]) for one in found["options"])
        assert found["winner"] == (1 if any(wins.values()) else 2)
        assert found["proven"]
        assert found["code"] == write_code(game, position)
        assert found["reason"]["text"] == reason_text(reason(game, position))
        if game.is_over(position):
            assert found["text"] == "No move is left: the player to move loses."
            break
        position = game.after(position, game.random_move(position, rng))


def test_a_set_up_position_is_judged_as_it_is(client: Client) -> None:
    code = "juniper 1-100 1-7,9-50,97 8"
    game, position = read_code(code)
    found = client.post("/analysis", code=code)
    assert [one["move"] for one in found["options"]] == [*game.moves(position)]
    assert found["text"].startswith("The player to move ")
    assert found["text"].endswith("Proven by maximum matching.")


@pytest.mark.thorough
def test_a_board_too_large_to_solve_is_reported_and_no_move_is_marked(tmp_path: Path) -> None:
    with custom_server(tmp_path, thinking=0.2) as server, Client(server.url) as client:
        found = client.post("/analysis", code="antichain 2-300 2-300 -")
    assert (found["winner"], found["proven"], found["nimber"]) == (None, False, None)
    assert {one["wins"] for one in found["options"]} == {None}
    assert found["text"].startswith("This position is too large to solve in the time allowed")
    assert found["reason"]["code"] == "unproven"


@pytest.mark.thorough
def test_an_analysis_counts_as_a_question_and_a_position_as_a_command(tmp_path: Path) -> None:
    with (
        custom_server(tmp_path, questions_a_minute=2, commands_a_minute=1) as server,
        Client(server.url) as client,
    ):
        for _ in range(2):
            client.post("/analysis", code="chain 2-8 2-8 -")
        assert client.post("/analysis", 429, code="chain 2-8 2-8 -")["code"] == "too-many-requests"
        for _ in range(10):
            client.post("/positions", code="chain 2-8 2-8 -")
        assert client.post("/positions", 429, code="chain 2-8 2-8 -")["code"] == "too-many-requests"


# --- play from here


@pytest.mark.both_databases
@pytest.mark.parametrize("first", ["1", "2"])
def test_a_match_starts_from_a_position_with_the_right_player_to_move(
    server: Server, first: str
) -> None:
    players = [HERE, COMPUTER]
    with Client(server.url) as client:
        created = client.post(
            "/matches",
            201,
            game="chain",
            start="chain 2-20 2-7,9-20 8",
            players=players,
            first=first,
        )
    with Match(server.url, created) as match:
        assert match.first_view["starter"] == int(first)
        seen = my_turn(match)
        if first == "1":
            assert (seen["turns"], seen["last"], seen["legal"]) == ([], 8, [2, 4, 16])
        else:
            assert len(seen["turns"]) == 1
            assert seen["turns"][0] in (2, 4, 16)
        board = match.one.get(f"{match.one.at}/board")
        assert board["code"] == "chain 2-20 2-7,9-20 8"
        assert '[Start "chain 2-20 2-7,9-20 8"]' in match.one.get(f"{match.one.at}/record")


@pytest.mark.parametrize(
    ("wanted", "sentence"),
    [
        ({"game": "evens", "start": "chain 2-20 2-20 -"}, "start is a position of chain, not of"),
        ({"game": "chain", "start": "chain 2-20 2-20 -", "board": {"to": 8}}, "drop board."),
        ({"game": "divider", "start": "divider 2-9 - -"}, "No move is left in this position."),
        ({"game": "chain", "start": "chain 2-20"}, "A position code has four parts"),
        (
            {"game": "descent", "board": {"number": 7}, "rounds": 2},
            "Every round on this board ends",
        ),
    ],
)
def test_a_start_that_allows_no_match_is_refused(
    client: Client, wanted: Json, sentence: str
) -> None:
    body = {"players": [HERE, COMPUTER], **wanted}
    assert sentence in client.post("/matches", 422, **body)["reason"]


def test_the_board_of_a_match_has_the_code_of_its_start(web: Server) -> None:
    with joined_match(web.url) as match:
        match.one.take(8)
        assert match.one.get(f"{match.one.at}/board")["code"] == "chain 2-8 2-8 -"
