"""The environments pass PettingZoo's own tests, without a warning."""

from typing import Any

import pytest
from pettingzoo.test import api_test, seed_test

from divisorduel import BoardError, solve
from divisorduel.bots.pettingzoo import DuelEnv, env
from tests.conftest import ALL_KEYS, thorough_except

BOARDS: dict[str, dict[str, Any]] = {"descent": {"number": 720}}


def default_env(key: str) -> DuelEnv:
    return env(key, **BOARDS.get(key, {}))


@pytest.mark.parametrize("key", thorough_except(ALL_KEYS, "divider", "descent"))
def test_an_environment_passes_the_tests_of_pettingzoo(
    key: str, capsys: pytest.CaptureFixture[str]
) -> None:
    api_test(default_env(key), num_cycles=100)
    seed_test(lambda: default_env(key), num_cycles=20)


def test_two_agents_play_a_game_to_its_end() -> None:
    played = env("divider", render_mode="ansi")
    played.reset()
    space = played.space
    while not any(played.terminations.values()):
        winning = solve(space.game, played.position).winning_moves
        _, _, _, _, info = played.last()
        [*legal] = info["action_mask"].nonzero()[0]
        assert [space.numbers[place] for place in legal] == list(space.game.moves(played.position))
        played.step(space.places[winning[0]] if winning else legal[0])
    assert played.rewards == {"player_1": 1, "player_2": -1}
    assert played.render() == "Numbers still in play: none."


@pytest.mark.parametrize("action", [0, 99, -1])
def test_an_illegal_action_loses(action: int) -> None:
    played = env("divider")
    played.reset()
    played.step(0)
    played.step(action)
    assert played.rewards == {"player_1": 1, "player_2": -1}
    assert all(played.terminations.values())
    assert not played.infos["player_2"]["action_mask"].any()


def test_a_board_that_cannot_be_played_is_refused() -> None:
    with pytest.raises(BoardError, match="over before it begins"):
        env("descent", number=13)
    with pytest.raises(BoardError, match="descent needs a number"):
        env("descent")
