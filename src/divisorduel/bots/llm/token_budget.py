"""A limit on the tokens of a run: they are reserved before a request is sent."""

import asyncio

from divisorduel.rules.errors import DuelError


class TokensSpent(DuelError):
    """The tokens that are left do not suffice for a request."""

    code = "budget-spent"


class TokenBudget:
    """Tokens for requests that are in progress at the same time, in one event loop.

    As long as no request uses more than was reserved for it, the limit is never exceeded.
    """

    def __init__(self, limit: int, spent: int = 0) -> None:
        self.limit = limit
        self.spent = spent
        """The tokens of requests that are complete."""
        self.is_over = False
        """Whether a request was refused. All later ones are."""
        self._reserved = 0
        self._settled = asyncio.Event()

    async def reserve(self, tokens: int) -> None:
        """Reserve tokens for a request. Raises `TokensSpent`.

        If they would suffice once other requests turn out to use less, wait for those.
        """
        while self.is_over or self.spent + self._reserved + tokens > self.limit:
            if self.is_over or not self._reserved:
                self.is_over = True
                self._settled.set()
                raise TokensSpent(
                    f"The next request may need {tokens:,} tokens, but {self.spent:,} of "
                    f"{self.limit:,} are spent."
                )
            self._settled.clear()
            await self._settled.wait()
        self._reserved += tokens

    def settle(self, reserved: int, used: int) -> None:
        """Replace a reservation with the tokens that were used."""
        self._reserved -= reserved
        self.spent += used
        self._settled.set()
