"""The rules are about the board in play."""

import re

import pytest

from divisorduel import game, rule_book
from divisorduel.words.board_rules import board_rules, position_text
from tests.conftest import ALL_KEYS, small_game


@pytest.mark.parametrize("key", ALL_KEYS)
def test_the_rules_name_no_number_of_another_board(key: str) -> None:
    played = small_game(key)
    numbers = {int(found) for found in re.findall("[0-9]+", board_rules(played))}
    ends = {played.size, getattr(played, "from_", 1)}
    assert played.size in numbers
    assert numbers <= ends | {1}
    assert rule_book(key).book.move in board_rules(played)


def test_the_rules_say_what_the_first_number_may_be() -> None:
    assert "must be even" in board_rules(game("chain", opening="even"))
    assert "any number on the board" in board_rules(game("chain"))


def test_a_position_in_words_lists_what_is_left() -> None:
    chain, descent = game("chain", to=8), game("descent", number=72)
    assert position_text(chain, chain.start()) == "No number has been taken yet."
    after = position_text(chain, chain.play(chain.start(), 4))
    assert after == "Numbers still in play: 2, 3, 5, 6, 7, 8. The last number taken: 4."
    assert position_text(descent, descent.start()) == "The current number: 72."
