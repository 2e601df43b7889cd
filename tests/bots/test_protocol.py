"""The lines of the engine protocol are read exactly as the grammar says."""

import pytest

from divisorduel.bots.protocol import (
    Greeting,
    Move,
    Resign,
    Say,
    go,
    read_answer,
    read_greeting,
)
from divisorduel.play.players import PlayerFault


def test_go_carries_the_position_the_time_and_if_wanted_the_legal_moves() -> None:
    assert go("chain 2-8 2-8 -", 500) == "go chain 2-8 2-8 - ms 500"
    assert go("chain 2-8 2-8 -", 500, [2, 4]) == "go chain 2-8 2-8 - ms 500 legal 2 4"


def test_answers_are_a_move_a_resignation_or_a_remark() -> None:
    assert read_answer("move 12") == Move(12)
    assert read_answer("resign") == Resign()
    assert read_answer("say move 12") == Say("move 12")


@pytest.mark.parametrize(
    "line", ["move", "move eight", "move 1 2", "move -3", "move ٣", "Move 2", "bestmove 2", "\x07"]
)
def test_any_other_line_is_a_fault_that_quotes_it(line: str) -> None:
    with pytest.raises(PlayerFault) as caught:
        read_answer(line)
    assert caught.value.fault == "unclear"
    assert str(caught.value).startswith(f"It sent {line!a}. ")


def test_a_greeting_is_read_line_by_line() -> None:
    greeting = Greeting("")
    for line in (
        "bot My Bot",
        "author Ann",
        "games chain",
        "games evens",
        "option seed 0",
        "option book",
        "want legal",
        "say hello",
    ):
        greeting = read_greeting(greeting, line)
    assert greeting == Greeting(
        "My Bot", "Ann", ("chain", "evens"), {"seed": "0", "book": ""}, wants_legal=True
    )
    assert greeting.plays("evens")
    assert not greeting.plays("divider")


@pytest.mark.parametrize(
    "line", ["bot", f"bot {'x' * 41}", "games", "option", "option 1x", "want more", "id name x"]
)
def test_a_greeting_with_another_line_is_a_fault(line: str) -> None:
    with pytest.raises(PlayerFault, match="It sent"):
        read_greeting(Greeting(""), line)
