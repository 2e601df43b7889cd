"""The intervals of scores contain the truth as often as they say."""

import asyncio
import json
from pathlib import Path
from random import Random

import pytest

from divisorduel import game, read_code
from divisorduel.bots.llm.bench_run import BenchPlan, BenchRun, bench_plan
from divisorduel.bots.llm.cached_model import CachedModel
from divisorduel.bots.llm.chat_reply import Completion
from divisorduel.bots.llm.chat_request import ChatRequest, LanguageModel
from divisorduel.bots.llm.reply_cache import opened
from divisorduel.bots.llm.scores import BoardScore
from divisorduel.bots.llm.token_budget import TokenBudget
from divisorduel.play.players import PLAYERS, Judge
from examples.player_endpoint import code_in

RUNS = 200


@pytest.mark.thorough
def test_the_intervals_of_conversions_contain_the_truth_as_often_as_they_say(
    tmp_path: Path,
) -> None:
    """The model is careless, on a small board on which games often reach the same positions.

    The truth is the average of all runs. All of them have the same openings, and some openings
    are easier than others, so the intervals may be a little wider than necessary.
    """
    made = bench_plan(
        LanguageModel("http://a/v1", "m"),
        "conversion",
        [game("divider", to=12)],
        (False,),
        20,
        0,
        None,
    )
    judge = Judge()
    found = [careless(made, judge, tmp_path / str(run), Random(run)) for run in range(RUNS)]
    truth = sum(score.share or 0.0 for score in found) / RUNS
    assert 0.3 < truth < 0.7
    covered = sum(low <= truth <= high for low, high in (score.interval for score in found))
    assert covered / RUNS >= 0.92


def careless(made: BenchPlan, judge: Judge, folder: Path, rng: Random) -> BoardScore:
    """Return the score of a model that takes a random move in every third position."""
    run = BenchRun(made)

    async def send(request: ChatRequest) -> Completion:
        position = read_code(code_in(json.loads(request.body)["messages"][0]["content"]))
        kind = "random" if rng.random() < 1 / 3 else "perfect"
        return Completion(f"ANSWER: {PLAYERS[kind](judge).choose(*position, rng)}", "stop", 1)

    with opened(folder / "replies") as cache:
        model = CachedModel(send, cache, TokenBudget(10**9), made.id)
        asyncio.run(run.play(model, 1, judge, lambda: None))
    return BoardScore(made.trial_sets[0], tuple(run.counted(0)), None)
