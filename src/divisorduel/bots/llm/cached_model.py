"""A language model whose replies are cached, with a budget and retries."""

import asyncio
from collections import defaultdict
from collections.abc import Awaitable, Callable

from divisorduel.bots.llm.chat_reply import ChatReply, Completion
from divisorduel.bots.llm.chat_request import ChatRequest
from divisorduel.bots.llm.endpoint import EndpointError, RequestFailure
from divisorduel.bots.llm.reply_cache import ReplyCache
from divisorduel.bots.llm.token_budget import TokenBudget

ATTEMPTS = 5
"""How often a request is sent before the endpoint counts as failed."""
FIRST_WAIT = 1.0
"""Seconds before the second attempt; each further wait is twice as long."""
LONGEST_WAIT = 300.0
"""If the endpoint asks to wait longer than this many seconds, the run stops."""

Send = Callable[[ChatRequest], Awaitable[Completion | RequestFailure]]
Sleep = Callable[[float], Awaitable[object]]


class CachedModel:
    """Answers requests from the cache, or else from the endpoint.

    A request is sent again only if there was no completion at all, never because of what a
    completion says.
    """

    def __init__(
        self,
        send: Send,
        cache: ReplyCache,
        budget: TokenBudget,
        run: str,
        sleep: Sleep = asyncio.sleep,
        attempts: int = ATTEMPTS,
    ) -> None:
        """Count tokens for a run; pass in how to send a request and how to wait."""
        self._send, self._sleep = send, sleep
        self._cache, self._budget = cache, budget
        self._run = run
        self._attempts = attempts
        self._asking: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)
        self.calls = 0
        """How many requests were sent."""

    async def answer(self, request: ChatRequest) -> ChatReply:
        """Answer a request. Raises `TokensSpent`, `EndpointError` and `StoreError`."""
        async with self._asking[request.key]:
            for attempt in range(1, self._attempts + 1):
                if known := self._cache.answer(request.key):
                    return known
                failure = await self._attempt(request, is_last=attempt == self._attempts)
                if failure is not None and attempt < self._attempts:
                    await self._sleep(_wait(failure, attempt))
        known = self._cache.answer(request.key)
        if known is None:
            raise EndpointError("Cannot connect to the endpoint. Check --url.")
        return known

    async def _attempt(self, request: ChatRequest, *, is_last: bool) -> RequestFailure | None:
        """Send a request once, and note what comes back. Return the failure, if it failed."""
        cost = request.cost
        await self._budget.reserve(cost)
        used = cost
        try:
            number = self._cache.send(self._run, request.key, cost)
            self.calls += 1
            try:
                found = await self._send(request)
            except EndpointError as error:
                used = 0
                self._cache.fail(number, cost, type(error).code, is_last=False)
                raise
            if isinstance(found, Completion):
                used = cost if found.tokens is None else found.tokens
                self._cache.receive(number, cost - used, found)
                return None
            used = cost if found.is_charged else 0
            is_final = is_last and not found.is_unreachable
            self._cache.fail(number, cost - used, found.cause, is_last=is_final)
            return found
        finally:
            self._budget.settle(cost, used)


def _wait(failure: RequestFailure, attempt: int) -> float:
    """Return how long to wait after a failed attempt. Raises `EndpointError`."""
    if failure.wait is None:
        return FIRST_WAIT * float(2 ** (attempt - 1))
    if failure.wait > LONGEST_WAIT:
        raise EndpointError(
            f"The endpoint asks us to wait {failure.wait:,.0f} seconds ({failure.cause}). "
            "Run the same command again later to continue."
        )
    return failure.wait
