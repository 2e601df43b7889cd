"""The questions of duel ask as a taskset of verifiers, from version 0.4.

Put this file into a package called divisor_duel, and run: eval divisor_duel
"""

from collections.abc import Iterator
from itertools import islice
from random import Random

import verifiers.v1 as vf

from divisorduel import game
from divisorduel.bots.grades import grade
from divisorduel.bots.questions import question_of, questions


class DuelData(vf.TaskData):
    """A question, without its answer."""

    question: dict[str, str]


class DuelTask(vf.Task[DuelData]):
    """Name a winning move."""

    @vf.reward
    async def winning_move(self, trace: vf.Trace) -> float:
        """Return 1 for any winning move, otherwise 0."""
        return float(self.mark(trace) == "right")

    @vf.metric
    async def legal(self, trace: vf.Trace) -> float:
        """Return 1 for a legal move, otherwise 0."""
        return float(self.mark(trace) in ("right", "wrong"))

    def mark(self, trace: vf.Trace) -> str:
        """Grade the last reply."""
        return grade(question_of(self.data.question), trace.last_reply).mark


class DuelConfig(vf.TasksetConfig):
    """Which questions to ask."""

    game: str = "antichain"
    to: int = 30
    count: int = 100
    seed: int = 0


class DuelTaskset(vf.Taskset[DuelTask, DuelConfig]):
    """Questions for a winning move, all different."""

    def load(self) -> Iterator[DuelTask]:
        """Yield the questions as tasks."""
        config = self.config
        asked = questions(game(config.game, to=config.to), "move", Random(config.seed))
        for one in islice(asked, config.count):
            data = DuelData(id=one.id, prompt=one.prompt(), question=one.as_json())
            yield DuelTask(data, config.task)
