"""A body with many mistakes is refused after the first few: listing them all takes too long."""

from typing import Any

import pytest
from pydantic import TypeAdapter, ValidationError

from divisorduel.web.schemas.messages import CommandMessage
from divisorduel.web.schemas.requests import NewMatch, PositionRequest, RequestBody

MANY: dict[str, Any] = {str(number): [] for number in range(3_000)}
PLAYERS = [{"who": "here"}, {"who": "computer"}]


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        (NewMatch, MANY),
        (NewMatch, {"game": "chain", "board": MANY, "players": PLAYERS}),
        (NewMatch, {"game": "chain", "players": [{}] * 3_000}),
        (NewMatch, {"game": "chain", "players": [{"who": "here", **MANY}, PLAYERS[1]]}),
        (PositionRequest, {"code": "chain 2-9 2-9 -", "moves": ["a"] * 3_000}),
        (
            CommandMessage,
            {"type": "command", "id": 1, "version": 1, "command": {"type": "take", **MANY}},
        ),
    ],
    ids=["fields", "board", "players", "a player", "moves", "a command"],
)
def test_only_the_first_few_mistakes_are_listed(
    kind: type[RequestBody], body: dict[str, Any]
) -> None:
    with pytest.raises(ValidationError) as error:
        TypeAdapter(kind).validate_python(body)
    assert 0 < error.value.error_count() <= 10


def test_a_board_may_still_have_all_of_its_parameters() -> None:
    board = {"from": 2, "to": 50, "step": 1, "opening": "even"}
    body = {"game": "chain", "board": board, "players": PLAYERS}
    assert NewMatch.model_validate(body).board == board
