"""The environment for one agent passes Gymnasium's own check, without a warning."""

from typing import Any, cast

import gymnasium
import pytest
from gymnasium.utils.env_checker import check_env

from divisorduel import solve
from divisorduel.bots.gymnasium import ID, SoloEnv, env
from divisorduel.play.players import UnknownPlayer
from tests.conftest import ALL_KEYS, thorough_except

BOARDS: dict[str, dict[str, int]] = {"descent": {"number": 720}}


@pytest.mark.parametrize("key", thorough_except(ALL_KEYS, "divider"))
@pytest.mark.parametrize("seat", [1, 2, None])
def test_an_environment_passes_the_check_of_gymnasium(key: str, seat: int | None) -> None:
    options: dict[str, Any] = {"opponent": "greedy", "seat": seat, **BOARDS.get(key, {})}
    check_env(gymnasium.make(ID, key=key, **options).unwrapped)


def play(played: SoloEnv, seed: int) -> float:
    """Play a game with perfect moves, and return the last reward."""
    played.reset(seed=seed)
    reward, over = 0.0, False
    while not over:
        legal = list(played.space.game.moves(played.position))
        winning = solve(played.space.game, played.position).winning_moves
        place = played.space.places[(winning or legal)[0]] if legal else 0
        _, reward, over, _, _ = played.step(place)
    return reward


def test_perfect_play_wins_from_the_first_seat_and_loses_from_the_second() -> None:
    assert play(env("divider"), 1) == 1
    assert play(env("divider", seat=2), 1) == -1


def test_the_seat_is_drawn_from_the_seed() -> None:
    played = env("divider", seat=None)
    results = [play(played, seed) for seed in range(12)]
    assert {*results} == {1, -1}
    assert [play(played, seed) for seed in range(12)] == results


def test_an_illegal_action_loses() -> None:
    played = env("divider", "random", render_mode="ansi")
    played.reset(seed=0)
    assert played.render() == "No number has been taken yet."
    _, _, over, _, info = played.step(0)
    assert not over
    assert info["action_mask"][0] == 0
    assert played.step(0)[1:4] == (-1.0, True, False)


def test_if_the_first_move_of_the_opponent_ends_the_game_the_next_action_loses() -> None:
    played = env("chain", seat=2)
    _, info = played.reset(seed=0)
    assert not info["action_mask"].any()
    assert played.step(0)[1:3] == (-1.0, True)


def test_an_opponent_that_does_not_exist_is_refused() -> None:
    with pytest.raises(UnknownPlayer, match="Unknown player 'human'"):
        env("divider", "human")


def test_the_environment_can_be_made_by_its_name() -> None:
    made = gymnasium.make(ID, key="chain", to=20)
    assert len(cast("SoloEnv", made.unwrapped).space) == 19
