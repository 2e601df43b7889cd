"""What a benchmark has shown, as values: counts, shares with intervals, and floors."""

from collections import Counter
from dataclasses import dataclass
from typing import Any

from divisorduel.bots.grades import wilson
from divisorduel.bots.llm.bench_run import BenchRun, TrialSet
from divisorduel.bots.llm.chat_reply import OUTCOMES, TrialOutcome
from divisorduel.bots.llm.floors import Floors, floors
from divisorduel.bots.llm.trials import TrialResult
from divisorduel.play.players import Judge
from divisorduel.rules.game import Game


@dataclass(frozen=True)
class BoardScore:
    """How a model did on one board."""

    trial_set: TrialSet
    results: tuple[TrialResult, ...]
    """Those that count."""
    floors: Floors | None
    """What chance and `greedy` score in the same trials; None if no trial counts."""

    @property
    def game(self) -> Game:
        """The game with its board."""
        return self.trial_set.game

    @property
    def counts(self) -> Counter[TrialOutcome]:
        """How many trials had each outcome."""
        return Counter(result.outcome for result in self.results)

    @property
    def share(self) -> float | None:
        """The share of trials that were won; None if no trial counts."""
        return self.counts["winning"] / len(self.results) if self.results else None

    @property
    def interval(self) -> tuple[float, float]:
        """The 95% interval of the share (Wilson)."""
        return wilson(self.counts["winning"], len(self.results))

    @property
    def causes(self) -> Counter[str]:
        """Why there was no answer, and how often."""
        return Counter(result.cause for result in self.results if result.cause)

    @property
    def failed(self) -> int:
        """How many trials ended because the endpoint failed."""
        return sum(result.failed for result in self.results)

    @property
    def retries(self) -> int:
        """How many requests failed and were sent again."""
        return sum(result.retries for result in self.results)

    @property
    def tokens(self) -> int:
        """The tokens that the endpoint reported."""
        return sum(result.tokens for result in self.results)

    @property
    def kept(self) -> tuple[int, int]:
        """How many winning positions the model kept, and how many it met."""
        return sum(one.kept for one in self.results), sum(one.asked for one in self.results)

    def as_json(self) -> dict[str, Any]:
        """Return the score as plain data."""
        return {
            "trials": len(self.results),
            "planned": len(self.trial_set.trials),
            "outcomes": {outcome: self.counts[outcome] for outcome in OUTCOMES},
            "score": self.share,
            "interval": [*self.interval],
            "floors": self.floors and {"chance": self.floors.chance, "greedy": self.floors.greedy},
            "causes": dict(self.causes),
            "endpoint_failures": self.failed,
            "retries": self.retries,
            "tokens": self.tokens,
            "kept": [*self.kept],
        }


def scores(run: BenchRun, judge: Judge) -> list[BoardScore]:
    """Return the scores of all trial sets, in the order of the plan."""
    found: list[BoardScore] = []
    known: dict[str, Floors] = {}
    for at, trial_set in enumerate(run.plan.trial_sets):
        results = tuple(run.counted(at))
        each = []
        for result in results:
            name = result.trial.question.id
            if name not in known:
                known[name] = floors(result.trial, judge)
            each.append(known[name])
        found.append(BoardScore(trial_set, results, _mean(each)))
    return found


def _mean(each: list[Floors]) -> Floors | None:
    if not each:
        return None
    return Floors(
        sum(one.chance for one in each) / len(each), sum(one.greedy for one in each) / len(each)
    )
