"""Every tool answers through the SDK's own client, in memory and over standard input and output."""

import json
import sys
from collections.abc import Mapping
from time import process_time
from typing import Any

import anyio
import pytest
from mcp.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client

from divisorduel import game, read_code, solve
from divisorduel.bots import assistant
from divisorduel.bots.mcp import GAMES, server
from tests.conftest import ALL_KEYS, DUEL

START = "divider 2-9 2-9 -"
LARGE = 897612484786617600
"""It has 103,680 divisors."""


def call(tool: str, **arguments: Any) -> Any:
    """Call a tool in memory; return its answer, or the text of a refusal."""

    async def run() -> Any:
        async with Client(server()) as client:
            return await client.call_tool(tool, arguments)

    result = anyio.run(run)
    return result.content[0].text if result.is_error else result.structured_content


def is_small(answer: Mapping[str, Any] | str) -> bool:
    return len(json.dumps(answer)) < 50_000


def test_the_server_lists_its_tools_and_describes_their_arguments() -> None:
    async def run() -> Any:
        async with Client(server()) as client:
            return (await client.list_tools()).tools

    tools = {tool.name: tool for tool in anyio.run(run)}
    names = "new_game legal_moves play hint why solve review puzzle"
    assert [*tools] == names.split()
    for tool in tools.values():
        assert tool.description
        described = tool.input_schema["properties"].values()
        assert all(argument["description"] for argument in described)


def test_the_games_are_a_resource() -> None:
    async def run() -> Any:
        async with Client(server()) as client:
            return (await client.read_resource(GAMES)).contents[0]

    listed = json.loads(anyio.run(run).text)
    assert [one["game"] for one in listed] == list(ALL_KEYS)


@pytest.mark.parametrize("key", ALL_KEYS)
def test_a_game_begins_with_its_rules_and_its_moves(key: str) -> None:
    board = {"number": 720} if key == "descent" else {}
    answer = call("new_game", game=key, board=board)
    played, position = read_code(answer["position"])
    assert (played, position) == (game(key, **board), played.start())
    assert answer["legal_moves"] == list(played.moves(position))[:200]
    assert answer["rules"]


def test_the_moves_of_a_position_are_listed() -> None:
    answer = call("legal_moves", position="chain 2-20 2-7,9-20 8")
    assert answer["legal_moves"] == [2, 4, 16]
    assert (answer["number_of_legal_moves"], answer["over"]) == (3, False)
    assert call("legal_moves", position="divider 2-9 - -")["over"]


def test_the_board_can_be_chosen() -> None:
    answer = call("new_game", game="chain", board={"from": 3, "to": "12", "opening": "even"})
    assert answer["position"] == "chain 3-12,even 3-12 -"
    assert answer["legal_moves"] == [4, 6, 8, 10, 12]


def test_a_game_can_be_played_to_its_end_against_a_player() -> None:
    answer = call("new_game", game="divider")
    taken = []
    while not answer["over"]:
        winning = call("solve", position=answer["position"])["winning_moves"]
        taken.append(winning[0])
        answer = call("play", position=answer["position"], number=winning[0], opponent="perfect")
        taken += [answer["answer"]] * (answer["answer"] is not None)
    assert taken[0] == 4
    assert len(taken) % 2 == 1
    found = call("review", position=START, moves=taken)
    assert found["summary"].startswith("Player 1 made no mistakes")


def test_an_illegal_move_is_answered_with_its_reason() -> None:
    told = call("play", position="chain 2-50 2-7,9-50 8", number=9)
    assert "9 neither divides 8 nor is a multiple of it" in told


def test_hints_give_away_more_and_more() -> None:
    told = [call("hint", position=START, step=step)["hint"] for step in (1, 2, 3)]
    assert told == ["You can win this.", "1 of your 8 moves wins.", "Take 4."]
    assert "less than or equal to 3" in call("hint", position=START, step=4)


def test_a_reason_names_the_plan() -> None:
    answer = call("why", position=START)
    assert answer["move"] == 4
    assert answer["reason"].startswith("Take 4.")


def test_a_verdict_is_that_of_the_solver() -> None:
    answer = call("solve", position=START)
    assert answer["winner"] == "player to move"
    assert (answer["winning_moves"], answer["nimber"], answer["proven"]) == ([4], 5, True)
    assert call("solve", position="divider 2-9 5,7 -")["winner"] == "opponent"


def test_a_review_names_the_mistakes() -> None:
    found = call("review", position=START, moves=[5, "4"])
    assert [turn["judgement"] for turn in found["turns"]] == ["mistake", "mistake"]
    assert "4 would have won" in found["turns"][0]["text"]
    assert "6 or 8 would have won" in found["turns"][1]["text"]
    assert "the move on turn 2 is illegal" in call("review", position=START, moves=[2, 4])


def test_a_puzzle_has_one_winning_move_and_does_not_name_it() -> None:
    posed = call("puzzle", game="antichain", board={"to": 30}, seed=3)
    assert len(solve(*read_code(posed["position"])).winning_moves) == 1
    assert posed == call("puzzle", game="antichain", board={"to": 30}, seed=3)
    assert not {"solution", "winning_moves"} & posed.keys()
    assert "has no puzzles" in call("puzzle", game="descent", board={"number": 720})


@pytest.mark.parametrize(
    ("tool", "arguments", "reason"),
    [
        ("new_game", {"game": "chess"}, "Unknown game 'chess'"),
        ("new_game", {"game": "chain", "board": {"too": 9}}, "has no parameter 'too'"),
        ("new_game", {"game": "chain", "board": {"to": 10_000_000}}, "Choose a smaller board"),
        ("new_game", {"game": "descent"}, "descent needs a number"),
        ("new_game", {"game": "descent", "board": {"number": "9" * 300}}, "at most 50 digits"),
        ("solve", {"position": f"descent {10**4000} - {10**4000}"}, "at most 50 digits"),
        ("legal_moves", {"position": "chain 2-9999999 2-9999999 -"}, "Choose a smaller board"),
        ("legal_moves", {"position": "2," * 1_000_000}, "at most 20,000 characters"),
        ("legal_moves", {"position": ""}, "four parts"),
        ("play", {"position": START, "number": "9" * 100_000}, "A number that large"),
        ("play", {"position": START, "number": "nine"}, "not valid"),
        ("play", {"position": START, "number": 4, "opponent": "human"}, "Unknown player"),
        ("review", {"position": START, "moves": [2] * 5_000}, "at most 1,000 moves"),
    ],
)
def test_what_cannot_be_done_is_refused_with_the_reason(
    tool: str, arguments: dict[str, Any], reason: str
) -> None:
    told = call(tool, **arguments)
    assert isinstance(told, str)
    assert reason in told
    assert is_small(told)


def test_large_numbers_are_strings_and_lists_are_cut() -> None:
    answer = call("new_game", game="descent", board={"number": str(LARGE)})
    assert answer["number_of_legal_moves"] == 103_678
    assert len(answer["legal_moves"]) == 200
    assert is_small(answer)
    after = call("play", position=answer["position"], number=str(LARGE // 2))
    assert after["position"] == f"descent {LARGE} - {LARGE // 2}"
    played = call("play", position=answer["position"], number=2**4, opponent="random")
    assert isinstance(played["answer"], int)
    assert call("solve", position=f"descent {2**60} - {2**60}")["winning_moves"] == [2]
    assert call("why", position=f"descent {LARGE} - {LARGE}")["move"] == 2


def test_a_board_that_is_too_hard_is_answered_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(assistant, "SECONDS", 0.05)
    code = "antichain 2-1000 2-1000 -"
    for tool in ("hint", "why"):
        assert call(tool, position=code)["code"] == "unproven"
    found = call("solve", position=code)
    assert (found["winner"], found["proven"]) == (None, False)


def test_a_hard_puzzle_or_game_is_answered_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(assistant, "SECONDS", 0.05)
    assert "No puzzle was found" in call("puzzle", game="antichain", board={"to": 1_000})
    code = "antichain 2-1000 2-1000 -"
    assert call("play", position=code, number=500, opponent="perfect")["answer"] is not None
    assert "could not be judged" in call("review", position=code, moves=[500])["summary"]


def test_the_command_serves_every_tool_over_standard_input_and_output() -> None:
    calls: dict[str, dict[str, Any]] = {
        "new_game": {"game": "divider"},
        "legal_moves": {"position": START},
        "play": {"position": START, "number": 4},
        "hint": {"position": START, "step": 3},
        "why": {"position": START},
        "solve": {"position": START},
        "review": {"position": START, "moves": [5, 4]},
        "puzzle": {"game": "antichain", "board": {"to": 30}, "seed": 3},
    }

    async def run() -> tuple[list[str], dict[str, Any]]:
        parameters = StdioServerParameters(command=sys.executable, args=[DUEL, "mcp"])
        async with Client(stdio_client(parameters)) as client:
            names = [tool.name for tool in (await client.list_tools()).tools]
            answers = {tool: await client.call_tool(tool, calls[tool]) for tool in calls}
            return names, {tool: answer.structured_content for tool, answer in answers.items()}

    names, answers = anyio.run(run)
    assert names == [*calls]
    assert answers["new_game"]["position"] == START
    assert answers["play"]["position"] == "divider 2-9 2-3,5-7,9 -"
    assert answers == {tool: call(tool, **arguments) for tool, arguments in calls.items()}


CHAIN = "chain 2-1000 2-1000 -"
ANTICHAIN = "antichain 2-1000 2-1000 -"
SPARSE = "antichain 100-100000:100 100-100000 -"
DESCENT = f"descent {LARGE} - {LARGE}"
PRIMES = 10**24 + 7, 3 * 10**24 + 7
SEMIPRIME = f"descent {PRIMES[0] * PRIMES[1]} - {PRIMES[0] * PRIMES[1]}"
MOVES = {CHAIN: 500, ANTICHAIN: 500, SPARSE: 500, DESCENT: LARGE // 2, SEMIPRIME: PRIMES[0]}
HUGE: list[tuple[str, dict[str, Any]]] = [
    *((tool, {"position": code}) for code in MOVES for tool in ("hint", "why", "solve")),
    *(("legal_moves", {"position": code}) for code in MOVES),
    *(("review", {"position": code, "moves": [str(MOVES[code])]}) for code in MOVES),
    *(
        ("play", {"position": code, "number": str(move), "opponent": "perfect"})
        for code, move in MOVES.items()
    ),
    ("review", {"position": DESCENT, "moves": [str(LARGE // 2**at) for at in range(1, 9)]}),
    ("new_game", {"game": "chain", "board": {"to": 1000}}),
    ("new_game", {"game": "antichain", "board": {"from": 100, "to": 100_000, "step": 100}}),
    ("new_game", {"game": "descent", "board": {"number": str(PRIMES[0] * PRIMES[1])}}),
    ("puzzle", {"game": "chain", "board": {"to": 1000}}),
]


@pytest.mark.thorough
@pytest.mark.parametrize(("tool", "arguments"), HUGE)
def test_huge_boards_and_numbers_are_answered_in_bounded_time_and_size(
    monkeypatch: pytest.MonkeyPatch, tool: str, arguments: dict[str, Any]
) -> None:
    monkeypatch.setattr(assistant, "SECONDS", 1.0)
    began = process_time()
    answer = call(tool, **arguments)
    assert process_time() - began < 10
    assert not isinstance(answer, str), answer
    assert is_small(answer)


def test_the_longest_review_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(assistant, "SECONDS", 0.05)
    moves = [*range(1000, 500, -1)]
    found = call("review", position=ANTICHAIN, moves=moves)
    assert len(found["turns"]) == len(moves)
    assert len(json.dumps(found)) < 200 * len(moves)
