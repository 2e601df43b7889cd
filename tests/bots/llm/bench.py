"""Benchmarks as the tests run them: small, against a fake endpoint, without waiting."""

from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from divisorduel import game
from divisorduel.bots.llm.bench_run import BenchRun, bench_plan
from divisorduel.bots.llm.bench_session import BenchSession
from divisorduel.bots.llm.chat_reply import TrialOutcome
from divisorduel.bots.llm.chat_request import LanguageModel
from divisorduel.bots.llm.scores import BoardScore, scores
from divisorduel.bots.llm.trials import TrialMode
from divisorduel.play.players import Judge
from tests.bots.llm.fake_endpoint import FakeEndpoint


@dataclass
class Bench:
    """A benchmark with a file of replies."""

    folder: Path
    mode: TrialMode = "positions"
    count: int = 6
    key: str = "antichain"
    size: int = 20
    tokens: int = 1_000_000
    most_tokens: int = 1000
    model: str = "fake"
    waits: list[float] = field(default_factory=list)
    """The seconds that the client wanted to wait."""
    calls: int = 0
    """The requests that the last run sent."""

    def run(self, endpoint: FakeEndpoint | str, **settings: Any) -> BenchRun:
        """Run the benchmark against an endpoint, or an address."""
        url = endpoint if isinstance(endpoint, str) else endpoint.url
        model = LanguageModel(url, self.model, self.most_tokens)
        made = bench_plan(
            model, self.mode, [game(self.key, to=self.size)], (False,), self.count, 0, None
        )
        run = BenchRun(made)
        session = BenchSession(
            self.folder / "replies.jsonl",
            self.tokens,
            use_proxies=False,
            sleep=self._wait,
            **settings,
        )
        self.calls = session.play(run, Judge(), lambda: None)
        return run

    def score(self, endpoint: FakeEndpoint, **settings: Any) -> BoardScore:
        """Run the benchmark, and return its only score."""
        [found] = scores(self.run(endpoint, **settings), Judge())
        return found

    def counts(self, endpoint: FakeEndpoint, **settings: Any) -> Counter[TrialOutcome]:
        """Run the benchmark, and return how many trials had which outcome."""
        return self.score(endpoint, **settings).counts

    async def _wait(self, seconds: float) -> None:
        self.waits.append(seconds)
