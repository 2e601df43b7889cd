"""The costliest requests that each call allows, made from its description."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from random import Random
from typing import Any

from attack.campaigns.cost.costly_matches import FRIEND, CostlyMatch, largest_boards
from attack.description import Json, Operation, Values
from divisorduel.rules.game import Game
from divisorduel.web.board_limits import MOST_NUMBERS
from divisorduel.web.invitation import chosen_game
from divisorduel.web.schemas.requests import LONGEST_RECORD
from tests.web.clients import HERE

IS_OVER = {
    "/api/matches/{id}/rounds/{number}/review": True,
    "/api/matches/{id}/why": False,
    "/api/matches/{id}/hint": False,
    "/api/matches/{id}/commands": False,
}
"""Calls that make sense only if the match is over, or only if it is not."""
LARGE_PRIME = 999_999_999_999_989
PERFECT: Json = {"who": "computer", "kind": "perfect"}


@dataclass(frozen=True)
class Request:
    """A request, and the match that it is about."""

    method: str
    path: str
    key: str = ""
    body: Any = None
    match: CostlyMatch | None = None

    @property
    def data(self) -> bytes:
        """The request as it is sent."""
        content = b"" if self.body is None else json.dumps(self.body).encode()
        lines = [
            f"{self.method} {self.path} HTTP/1.1",
            "Host: localhost",
            "Connection: close",
            f"Content-Length: {len(content)}",
            "Content-Type: application/json",
            *([f"Authorization: Bearer {self.key}"] if self.key else []),
        ]
        return "\r\n".join(lines).encode() + b"\r\n\r\n" + content


def costliest(
    operation: Operation, document: Json, matches: list[CostlyMatch], rng: Random
) -> list[Request]:
    """Return requests of one call that cost the server as much as its description allows."""
    if operation.label in BODIES:
        return [
            Request(operation.method, operation.path, body=body)
            for body in BODIES[operation.label]()
        ]
    values = Values(document, rng, largest=True)
    if "id" not in operation.parameters:
        body = None if operation.body is None else values.of(operation.body)
        return [Request(operation.method, operation.path, body=body)]
    return [
        Request(
            operation.method,
            operation.at(**_parameters(operation, values, match, number)),
            key=match.key,
            body=None if operation.body is None else _body(values.of(operation.body), match),
            match=match,
        )
        for match in matches
        if operation.path not in IS_OVER or IS_OVER[operation.path] == match.is_over
        for number in sorted({1, match.rounds})
        if number == 1 or "number" in operation.parameters
    ]


def costliest_commands(matches: list[CostlyMatch]) -> list[Request]:
    """Return one request for each match in which moves can be undone."""
    return [Request("GET", "", match.key, match=match) for match in matches if match.version > 100]


def _parameters(operation: Operation, values: Values, match: CostlyMatch, number: int) -> Json:
    known = {"id": match.id, "number": number}
    return {name: known.get(name, values.of(p)) for name, p in operation.parameters.items()}


def _body(made: Any, match: CostlyMatch) -> Any:
    """Put what only a player knows into the largest body."""
    made.pop("key", None)
    known = {"version": match.version, "command": {"type": "undo"}}
    return {name: known.get(name, value) for name, value in made.items()}


def _new_matches() -> Iterator[Json]:
    """Yield matches on the largest boards, and one that the server must refuse."""
    lost = {"game": "descent", "board": {"number": LARGE_PRIME}}  # every round ends at once
    yield {**lost, "players": [HERE, FRIEND], "rounds": 1_000}
    for key, board in largest_boards():
        players = [HERE, PERFECT]
        yield {"game": key, "board": board, "players": players, "first": "2", "rounds": 1_000}


def _records() -> Iterator[Json]:
    """Yield records that are as long as they may be."""
    head = '[Game "antichain"]\n[Board "{}-{}"]\n\n'
    texts = [
        head.format(2, 1_000_000) + " ".join(map(str, range(500_001, 528_000))),
        head.format(1_001, 2_000) + " ".join(map(str, range(1_001, 2_000))),
        head.format(1_001, 2_000) + "1001 " + "(1001 " * 99 + "{x}" + ")" * 99,
        head.format(1_001, 2_000) + "1001 " + "(1. 1002 2. 1003 3. 1004) " * 7_000,
        head.format(1_001, 2_000) + "1001 " + "{x} " * 49_000,
        head.format(2, 10_000_000) + "9999999 ",
    ]
    yield from ({"record": f"{text[: LONGEST_RECORD - 3]} *\n"} for text in texts)
    rounds = "".join(
        f'[Game "chain"]\n[Board "2-8"]\n[Round "{at}"]\n[Rounds "1000"]\n'
        f'[First "{2 - at % 2}"]\n\n8 4 2 6 3 {"0-1" if at % 2 else "1-0"}\n\n'
        for at in range(1, 1_001)
    )
    yield {"record": rounds}


def _largest_games() -> Iterator[Game]:
    for key, board in largest_boards():
        yield chosen_game(key, dict[str, int | str](board))


def _positions() -> Iterator[Json]:
    """Yield the longest lines on the largest boards, written with every number on its own."""
    for game in _largest_games():
        at, moves = game.start(), list[int]()
        while not game.is_over(at) and len(moves) < MOST_NUMBERS:
            moves.append(max(islice(game.moves(at), MOST_NUMBERS)))
            at = game.after(at, moves[-1])
        yield {"code": _spelt_out(game), "moves": moves, "board": True}


def _spelt_out(game: Game) -> str:
    numbers = ",".join(map(str, game.start().numbers)) or "-"
    return f"{game.book.key} {game.board} {numbers} {game.start().last or '-'}"


def _starts() -> Iterator[Json]:
    yield from ({"game": key, "board": board} for key, board in largest_boards())


def _analyses() -> Iterator[Json]:
    yield from ({"code": _spelt_out(game)} for game in _largest_games())


BODIES = {
    "POST /api/matches": _new_matches,
    "POST /api/records": _records,
    "POST /api/positions": _positions,
    "POST /api/positions/start": _starts,
    "POST /api/positions/record": _records,
    "POST /api/analysis": _analyses,
}
"""Calls whose costliest bodies cannot be made from a description."""
