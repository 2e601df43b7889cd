"""The rules in plain text fit the board that is played on."""

import pytest

from divisorduel import game
from divisorduel.terminal.plain.rules_text import guide


def rules_of(key: str, **board: int | str) -> str:
    return "".join(text.text for text in guide(key, game(key, **board)))


@pytest.mark.parametrize("key", ["chain", "evens", "antichain", "divider"])
def test_the_rules_do_not_contradict_a_rule_for_the_first_number(key: str) -> None:
    how_to_play, _, example = rules_of(key, opening="low").partition("An example game")
    first = how_to_play.partition("How to play\n")[2].partition("\n")[0]
    assert "any one" not in first
    assert first.endswith("The first number must be at most half the largest one.")
    assert "You may start with any number.\n" not in example


def test_a_free_opening_of_juniper_is_not_called_even() -> None:
    how_to_play, _, example = rules_of("juniper", opening="any").partition("An example game")
    assert "even" not in how_to_play
    assert "The first number must be even.\n" not in example


def test_the_usual_board_has_the_rules_of_the_book() -> None:
    assert "The first player selects any one of them." in rules_of("chain")


def test_a_longer_board_is_not_called_2_to_50() -> None:
    assert "2 to 50" not in rules_of("chain", to=80).partition("An example game")[0]
