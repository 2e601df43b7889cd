"""The questions of duel ask as an environment of TextArena.

import textarena_env
env = textarena.make("DivisorDuel-v0", to=20)
env.reset(num_players=1, seed=1)
"""

from random import Random

import textarena as ta
from textarena.envs.registration import register

from divisorduel import game
from divisorduel.bots.grades import grade
from divisorduel.bots.questions import Question, questions

REWARDS = {"right": 1, "wrong": 0, "illegal": -1, "no answer": -1}


class DivisorDuelEnv(ta.Env):
    """One question for a winning move: 1 for a winning move, 0 for a losing one, otherwise -1."""

    def __init__(self, game: str = "antichain", to: int = 30) -> None:
        self._key, self._to = game, to

    def reset(self, num_players: int, seed: int | None = None) -> None:
        """Draw a question. The same seed gives the same one."""
        self.question: Question = next(
            questions(game(self._key, to=self._to), "move", Random(seed))
        )
        self.state = ta.SinglePlayerState(num_players=num_players, max_turns=1, error_allowance=0)
        self.state.reset(
            game_state={"position": self.question.code},
            player_prompt_function=lambda player_id, game_state: self.question.prompt(),
        )

    def step(self, action: str) -> tuple[bool, ta.Info]:
        """Grade the answer, which ends the episode."""
        self.state.add_observation(
            from_id=0, to_id=0, message=action, observation_type=ta.ObservationType.PLAYER_ACTION
        )
        mark = grade(self.question, action).mark
        if mark in ("illegal", "no answer"):
            self.state.set_invalid_move(reason=mark, reward=REWARDS[mark])
        else:
            self.state.set_outcome(reward=REWARDS[mark], reason=mark)
        return self.state.step()


register("DivisorDuel-v0", DivisorDuelEnv, [ta.wrappers.LLMObservationWrapper])
