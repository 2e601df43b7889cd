"""The questions of duel ask as a task of Inspect.

inspect eval inspect_task.py --model openai/MODEL -T to=20 -T count=100
"""

from itertools import islice
from random import Random

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.scorer import CORRECT, INCORRECT, Score, Scorer, Target, accuracy, scorer, stderr
from inspect_ai.solver import TaskState, generate

from divisorduel import game as game_of
from divisorduel.bots.grades import grade
from divisorduel.bots.questions import question_of, questions


@scorer(metrics=[accuracy(), stderr()])
def winning_move() -> Scorer:
    """Score any winning move as correct; the mark says what is wrong with another answer."""

    async def score(state: TaskState, target: Target) -> Score:
        mark = grade(question_of(state.metadata), state.output.completion).mark
        return Score(
            value=CORRECT if mark == "right" else INCORRECT,
            answer=state.output.completion,
            explanation=mark,
            metadata={"mark": mark, "stop_reason": state.output.stop_reason},
        )

    return score


@task
def divisor_duel(game: str = "antichain", to: int = 30, count: int = 50, seed: int = 0) -> Task:
    """Ask for winning moves."""
    asked = islice(questions(game_of(game, to=to), "move", Random(seed)), count)
    samples = [Sample(id=q.id, input=q.prompt(), metadata=q.as_json()) for q in asked]
    return Task(dataset=MemoryDataset(samples), solver=generate(), scorer=winning_move())
