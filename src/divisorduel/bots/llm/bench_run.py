"""Runs a benchmark: a plan of trials, several at a time, with results in the order of the plan."""

import asyncio
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import takewhile

from divisorduel.bots.llm.cached_model import CachedModel
from divisorduel.bots.llm.chat_reply import ChatReply
from divisorduel.bots.llm.chat_request import LanguageModel
from divisorduel.bots.llm.token_budget import TokensSpent
from divisorduel.bots.llm.trials import Trial, TrialMode, TrialResult, attempt, trials
from divisorduel.bots.questions import Difficulty, Question
from divisorduel.play.players import Judge
from divisorduel.rules.game import Game


@dataclass(frozen=True)
class TrialSet:
    """Trials on one board, with or without the legal moves in the prompt."""

    game: Game
    is_listed: bool
    """Whether the prompts list the legal moves."""
    trials: tuple[Trial, ...]


@dataclass(frozen=True)
class BenchPlan:
    """All that a benchmark asks, and how."""

    model: LanguageModel
    mode: TrialMode
    seed: int
    trial_sets: tuple[TrialSet, ...]

    @property
    def id(self) -> str:
        """A name that depends on the whole plan. Tokens are counted under it."""
        model = self.model
        fields = (model.endpoint, model.name, model.limit_name, model.most_tokens, self.mode)
        asked = [(s.is_listed, [t.question.code for t in s.trials]) for s in self.trial_sets]
        text = json.dumps([fields, dict(model.parameters), self.seed, asked], sort_keys=True)
        return sha256(text.encode()).hexdigest()[:16]

    @property
    def size(self) -> int:
        """How many trials there are."""
        return sum(len(one.trials) for one in self.trial_sets)


def bench_plan(
    model: LanguageModel,
    mode: TrialMode,
    games: list[Game],
    listed: tuple[bool, ...],
    count: int,
    seed: int,
    difficulty: Difficulty | None,
) -> BenchPlan:
    """Return a plan with `count` trials on each board. Raises `QuestionError`, `BoardError`.

    With and without the list of legal moves, the trials are the same.
    """
    sets = []
    for game in games:
        made = tuple(trials(game, mode, count, seed, difficulty))
        sets += [TrialSet(game, is_listed, made) for is_listed in listed]
    return BenchPlan(model, mode, seed, tuple(sets))


@dataclass
class BenchRun:
    """The results of a plan so far."""

    plan: BenchPlan
    results: dict[tuple[int, int], TrialResult] = field(default_factory=dict)
    """By the place of the trial set in the plan, and of the trial in its set."""

    @property
    def is_complete(self) -> bool:
        """Whether all trials are done."""
        return len(self.results) == self.plan.size

    def counted(self, at: int) -> list[TrialResult]:
        """Return the results of a trial set that count: those before the first that is missing.

        When a run stops, it is the long games that are unfinished, and the model has not failed in
        them. Without the trials that began after them, the rest is as good as a shorter set.
        """
        found = (self.results.get((at, place)) for place in range(len(self._trials(at))))
        return [one for one in takewhile(lambda one: one is not None, found) if one is not None]

    async def play(
        self, model: CachedModel, jobs: int, judge: Judge, on_result: Callable[[], None]
    ) -> None:
        """Do the trials that are missing, until the budget is spent.

        Raises `EndpointError` and `StoreError`.
        """
        places = self._missing()

        async def work() -> None:
            for place in places:
                try:
                    self.results[place] = await self._done(place, model, judge)
                except TokensSpent:
                    return
                on_result()

        workers = [asyncio.create_task(work()) for _ in range(jobs)]
        try:
            await asyncio.gather(*workers)
        finally:
            for worker in workers:
                worker.cancel()
            await asyncio.gather(*workers, return_exceptions=True)

    async def _done(self, place: tuple[int, int], model: CachedModel, judge: Judge) -> TrialResult:
        chosen = self.plan.trial_sets[place[0]]
        trial = chosen.trials[place[1]]

        async def ask(question: Question) -> ChatReply:
            prompt = question.prompt(legal=chosen.is_listed)
            return await model.answer(self.plan.model.request(prompt, trial.purpose))

        return await attempt(trial, ask, judge)

    def _missing(self) -> Iterator[tuple[int, int]]:
        for at, one in enumerate(self.plan.trial_sets):
            for place in range(len(one.trials)):
                if (at, place) not in self.results:
                    yield at, place

    def _trials(self, at: int) -> tuple[Trial, ...]:
        return self.plan.trial_sets[at].trials
