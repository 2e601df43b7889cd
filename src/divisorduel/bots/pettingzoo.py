"""The rule books as environments of PettingZoo, for two agents who take turns.

``env("chain", to=20)`` is the chain game on the board 2 to 20.
"""

from typing import Any, ClassVar

from divisorduel.bots.action_space import PLANES, action_space
from divisorduel.rules.catalogue import game
from divisorduel.rules.errors import MissingExtra
from divisorduel.words.board_rules import position_text

try:
    import numpy as np
    from gymnasium.spaces import Box, Discrete
    from pettingzoo import AECEnv

    from divisorduel.bots.arrays import Flags, action_mask, observation
except ImportError:
    raise MissingExtra("The adapter for PettingZoo", "pettingzoo") from None


def env(key: str, *, render_mode: str | None = None, **board: int | str) -> "DuelEnv":
    """Return the environment of a game, given its rule book and board. Raises `BoardError`."""
    return DuelEnv(key, render_mode=render_mode, **board)


class DuelEnv(AECEnv[str, Flags, int]):
    """A game for two agents. A win is worth 1, a loss -1.

    An action is the place of a number on the board. `infos` has the mask of the legal actions; an
    illegal action loses the game.
    """

    metadata: ClassVar[dict[str, Any]] = {
        "name": "divisorduel_v0",
        "render_modes": ["ansi"],
        "is_parallelizable": False,
    }

    def __init__(self, key: str, *, render_mode: str | None = None, **board: int | str) -> None:
        super().__init__()
        self.space = action_space(game(key, **board))
        self.render_mode = render_mode
        self.possible_agents = ["player_1", "player_2"]
        flags = Box(0, 1, (PLANES, len(self.space)), np.int8)
        self.observation_spaces = dict.fromkeys(self.possible_agents, flags)
        self.action_spaces = {agent: Discrete(len(self.space)) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> Any:
        """Return the space of observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """Return the space of actions."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a new game. Nothing in it is random, so the seed changes nothing."""
        self.position = self.space.game.start()
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.agent_selection = self.agents[0]
        self._update_infos()

    def observe(self, agent: str) -> Flags:
        """Return the position; both agents see the same."""
        return observation(self.space, self.position)

    def step(self, action: int | None) -> None:
        """Take a number for the agent whose turn it is."""
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        [other] = {*self.agents} - {agent}
        self._cumulative_rewards[agent] = 0.0
        self.rewards = dict.fromkeys(self.agents, 0.0)
        place = -1 if action is None else int(action)
        if place in self.space.legal(self.position):
            number = self.space.numbers[place]
            self.position = self.space.game.after(self.position, number)
            loser = other if self.space.game.is_over(self.position) else None
        else:
            loser = agent
        if loser is not None:
            self.rewards = {one: -1.0 if one == loser else 1.0 for one in self.agents}
            self.terminations = dict.fromkeys(self.agents, True)
        self.agent_selection = other
        self._update_infos()
        self._accumulate_rewards()

    def render(self) -> str | None:
        """Return the position in words, if the render mode is ``ansi``."""
        return position_text(self.space.game, self.position) if self.render_mode else None

    def close(self) -> None:
        """Do nothing: there is nothing to close."""

    def _update_infos(self) -> None:
        mask = action_mask(self.space, self.position)
        self.infos = {
            agent: {"action_mask": mask if agent == self.agent_selection else np.zeros_like(mask)}
            for agent in self.agents
        }
