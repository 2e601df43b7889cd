"""The environment works as TextArena expects. Run it with: scripts/harnesses textarena"""

import pytest
import textarena as ta
import textarena_env  # noqa: F401  # registers the environment

from divisorduel import read_code, solve


class Agent(ta.Agent):
    """Gives the reply that a test wants."""

    def __init__(self, reply: str) -> None:
        self.reply = reply

    def __call__(self, observation: str) -> str:
        """Return the reply."""
        assert "ANSWER" in observation
        return self.reply


def played(reply: str, seed: int) -> tuple[dict[int, int], dict[int, dict[str, object]]]:
    """Play an episode as TextArena's own examples do."""
    env = ta.make("DivisorDuel-v0", to=20)
    env.reset(num_players=1, seed=seed)
    agents = {0: Agent(reply)}
    done = False
    while not done:
        player_id, observation = env.get_observation()
        done, _ = env.step(action=agents[player_id](observation))
    found: tuple[dict[int, int], dict[int, dict[str, object]]] = env.close()
    return found


@pytest.mark.parametrize("seed", range(5))
def test_every_move_gets_its_reward(seed: int) -> None:
    env = ta.make("DivisorDuel-v0", to=20)
    env.reset(num_players=1, seed=seed)
    game, position = read_code(env.state.game_state["position"])
    wins = solve(game, position).winning_moves
    for move in game.moves(position):
        rewards, info = played(f"I take it.\nANSWER: {move}", seed)
        assert rewards == {0: 1 if move in wins else 0}
        assert not info[0]["invalid_move"]


@pytest.mark.parametrize("reply", ["ANSWER: 1000", "", "ANSWER: 2 or 3"])
def test_an_illegal_number_or_no_answer_is_an_invalid_move(reply: str) -> None:
    rewards, info = played(reply, 1)
    assert rewards == {0: -1}
    assert info[0]["invalid_move"]
