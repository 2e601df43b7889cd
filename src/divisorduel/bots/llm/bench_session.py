"""Puts a benchmark together: the endpoint, the file of replies, the budget, and the trials."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from divisorduel.bots.llm.bench_run import BenchRun
from divisorduel.bots.llm.cached_model import ATTEMPTS, CachedModel, Sleep
from divisorduel.bots.llm.endpoint import Endpoint
from divisorduel.bots.llm.reply_cache import opened
from divisorduel.bots.llm.token_budget import TokenBudget
from divisorduel.play.players import Judge


@dataclass(frozen=True)
class BenchSession:
    """How a benchmark is run."""

    cache: Path
    """The file of replies."""
    tokens: int
    """The most tokens that the plan may use, in this session and all earlier ones."""
    key: str | None = None
    """The key of the endpoint, which is neither shown nor stored."""
    seconds: float = 600.0
    """The time limit for a request."""
    attempts: int = ATTEMPTS
    jobs: int = 1
    resend_failures: bool = False
    """Whether to send again what the endpoint failed to answer."""
    use_proxies: bool = True
    sleep: Sleep = asyncio.sleep
    now: Callable[[], datetime] = lambda: datetime.now(UTC)

    def play(self, run: BenchRun, judge: Judge, on_result: Callable[[], None]) -> int:
        """Do the trials that are missing, and return how many requests were sent.

        Raises `EndpointError` and `StoreError`.
        """
        return asyncio.run(self._play(run, judge, on_result))

    async def _play(self, run: BenchRun, judge: Judge, on_result: Callable[[], None]) -> int:
        with opened(self.cache) as cache:
            if self.resend_failures:
                cache.forget_failures()
            name = run.plan.id
            budget = TokenBudget(self.tokens, cache.spent(name))
            async with Endpoint(
                self.seconds, self.now, self.key, use_proxies=self.use_proxies
            ) as endpoint:
                model = CachedModel(endpoint.send, cache, budget, name, self.sleep, self.attempts)
                await run.play(model, self.jobs, judge, on_result)
                return model.calls
