"""Runs a benchmark: a plan of trials, several at a time, with results in the order of the plan."""

import asyncio
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import takewhile

from divisorduel.bots.llm.cached_model import CachedModel
from divisorduel.bots.llm.chat_reply import Answer
from divisorduel.bots.llm.chat_request import LanguageModel
from divisorduel.bots.llm.token_budget import TokensSpent
from divisorduel.bots.llm.trials import Mode, Trial, TrialResult, attempt, trials
from divisorduel.bots.questions import Difficulty, Question
from divisorduel.play.players import Judge
from divisorduel.rules.game import Game


@dataclass(frozen=True)
class Series:
    """Trials on one board, with or without the legal moves in the prompt."""

    game: Game
    is_listed: bool
    """Whether the prompts list the legal moves."""
    trials: tuple[Trial, ...]


@dataclass(frozen=True)
class Plan:
    """All that a benchmark asks, and how."""

    model: LanguageModel
    mode: Mode
    seed: int
    series: tuple[Series, ...]

    @property
    def id(self) -> str:
        """A name that depends on the whole plan. Tokens are counted under it."""
        model = self.model
        fields = (model.endpoint, model.name, model.limit_name, model.most_tokens, self.mode)
        asked = [(s.is_listed, [t.question.code for t in s.trials]) for s in self.series]
        text = json.dumps([fields, dict(model.parameters), self.seed, asked], sort_keys=True)
        return sha256(text.encode()).hexdigest()[:16]

    @property
    def size(self) -> int:
        """How many trials there are."""
        return sum(len(one.trials) for one in self.series)


def bench_plan(
    model: LanguageModel,
    mode: Mode,
    games: list[Game],
    listed: tuple[bool, ...],
    count: int,
    seed: int,
    difficulty: Difficulty | None,
) -> Plan:
    """Return a plan with `count` trials on each board. Raises `QuestionError`, `BoardError`.

    With and without the list of legal moves, the trials are the same.
    """
    series = []
    for game in games:
        made = tuple(trials(game, mode, count, seed, difficulty))
        series += [Series(game, is_listed, made) for is_listed in listed]
    return Plan(model, mode, seed, tuple(series))


@dataclass
class BenchRun:
    """The results of a plan so far."""

    plan: Plan
    results: dict[tuple[int, int], TrialResult] = field(default_factory=dict)
    """By the place of the series in the plan, and of the trial in its series."""

    @property
    def is_complete(self) -> bool:
        """Whether all trials are done."""
        return len(self.results) == self.plan.size

    def counted(self, series: int) -> list[TrialResult]:
        """Return the results of a series that count: those before the first that is missing.

        When a run stops, it is the long games that are unfinished, and the model has not failed in
        them. Without the trials that began after them, the rest is as good as a shorter series.
        """
        found = (self.results.get((series, at)) for at in range(len(self._trials(series))))
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
        series = self.plan.series[place[0]]
        trial = series.trials[place[1]]

        async def ask(question: Question) -> Answer:
            prompt = question.prompt(legal=series.is_listed)
            return await model.answer(self.plan.model.request(prompt, trial.purpose))

        return await attempt(trial, ask, judge)

    def _missing(self) -> Iterator[tuple[int, int]]:
        for at, series in enumerate(self.plan.series):
            for place in range(len(series.trials)):
                if (at, place) not in self.results:
                    yield at, place

    def _trials(self, series: int) -> tuple[Trial, ...]:
        return self.plan.series[series].trials
