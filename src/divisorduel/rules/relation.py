"""The tie of most rule books: one number divides the other."""

from collections.abc import Callable

from divisorduel.rules.numbers import members, relatives
from divisorduel.rules.pool_game import PoolGame


class DivisibilityGame(PoolGame):
    """A pool in which a number is tied to its divisors and its multiples."""

    def ties(self, number: int) -> int:
        """Return the other divisors and multiples of a number."""
        return relatives(number, self.to)

    def neighbours(
        self, playable: int, tick: Callable[[], None] = lambda: None
    ) -> dict[int, list[int]]:
        """Return the playable numbers that each playable number is tied to, ascending.

        One pass over the multiples of every number, as in a sieve: about n log n steps.
        """
        tied: dict[int, list[int]] = {number: [] for number in members(playable)}
        for number in tied:
            tick()
            for multiple in range(2 * number, self.to + 1, number):
                if multiple in tied:
                    tied[multiple].append(number)
        for number, found in tied.items():
            tick()
            found += [m for m in range(2 * number, self.to + 1, number) if m in tied]
        return tied
