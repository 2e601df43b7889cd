"""Tokens are reserved before they are used."""

import asyncio

import pytest

from divisorduel.bots.llm.token_budget import TokenBudget, TokensSpent


def test_a_reservation_that_does_not_fit_is_refused_for_good() -> None:
    async def run() -> None:
        budget = TokenBudget(100, spent=50)
        with pytest.raises(TokensSpent, match="may need 51 tokens, but 50 of 100 are spent"):
            await budget.reserve(51)
        with pytest.raises(TokensSpent):
            await budget.reserve(1)

    asyncio.run(run())


def test_a_reservation_waits_for_others_that_may_use_less() -> None:
    async def run() -> None:
        budget = TokenBudget(100)
        await budget.reserve(60)
        waiting = [asyncio.create_task(budget.reserve(50)) for _ in range(2)]
        await asyncio.sleep(0)
        assert not any(task.done() for task in waiting)
        budget.settle(60, 10)
        await waiting[0]
        assert not waiting[1].done()
        budget.settle(50, 50)
        with pytest.raises(TokensSpent):
            await waiting[1]

    asyncio.run(run())
