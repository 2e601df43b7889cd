"""Every number of a game has a place, and legal moves become places and back."""

from random import Random

import pytest

from divisorduel import BoardError, game
from divisorduel.bots.action_space import MOST_ACTIONS, action_space
from tests.conftest import ALL_KEYS, default_game


@pytest.mark.parametrize("key", ALL_KEYS)
def test_places_become_the_legal_moves_in_every_position(key: str) -> None:
    played, rng = default_game(key), Random(1)
    space = action_space(played)
    position, seen = played.start(), set()
    while not played.is_over(position):
        moves = [space.numbers[place] for place in space.legal(position)]
        assert moves == list(played.moves(position))
        planes = space.planes(position)
        assert repr(planes) not in seen
        seen.add(repr(planes))
        position = played.play(position, rng.choice(moves))
    assert space.legal(position) == []


def test_the_places_of_descent_are_the_divisors_of_its_start() -> None:
    assert action_space(game("descent", number=12)).numbers == (2, 3, 4, 6)


def test_a_board_that_is_too_large_is_refused_at_once() -> None:
    with pytest.raises(BoardError, match="103,678"):
        action_space(game("descent", number=897612484786617600))
    with pytest.raises(BoardError, match="9,999,999"):
        action_space(game("chain", to=10_000_000))
    assert len(action_space(game("chain", to=MOST_ACTIONS + 1))) == MOST_ACTIONS


def test_a_game_that_is_over_before_it_begins_is_refused() -> None:
    with pytest.raises(BoardError, match="over before it begins"):
        action_space(game("descent", number=13))
