"""The questions of duel ask as a dataset of reasoning-gym.

import reasoning_gym_dataset
data = reasoning_gym.create_dataset("divisor_duel", seed=1, size=100)
data.score_answer("ANSWER: 8", data[0])
"""

from dataclasses import dataclass
from itertools import islice
from random import Random
from typing import Any

from reasoning_gym.dataset import ProceduralDataset
from reasoning_gym.factory import register_dataset

from divisorduel import game, solve
from divisorduel.bots.grades import grade
from divisorduel.bots.questions import Question, question_of, questions


@dataclass
class DuelConfig:
    """Which questions to ask: winning moves on a board of a game."""

    game: str = "antichain"
    to: int = 30
    seed: int | None = None
    size: int = 500


class DuelDataset(ProceduralDataset):
    """Questions for a winning move, all different."""

    def __init__(self, config: DuelConfig) -> None:
        super().__init__(config, config.seed, config.size)
        self._more = questions(game(config.game, to=config.to), "move", Random(self.seed))
        self._asked: list[Question] = []

    def __getitem__(self, idx: int) -> dict[str, Any]:
        """Return a question, one of its answers, and what is needed to score others."""
        self._asked += islice(self._more, max(0, idx + 1 - len(self._asked)))
        question = self._asked[idx]  # an IndexError means that the board is used up
        right = solve(question.game, question.position).winning_moves[0]
        metadata = {"source_dataset": "divisor_duel", "source_index": idx, **question.as_json()}
        return {"question": question.prompt(), "answer": str(right), "metadata": metadata}

    def score_answer(self, answer: str | None, entry: dict[str, Any]) -> float:
        """Return 1 for any winning move, otherwise 0."""
        return float(grade(question_of(entry["metadata"]), answer).mark == "right")


register_dataset("divisor_duel", DuelDataset, DuelConfig)
