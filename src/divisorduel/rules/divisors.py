"""The divisors of a number of any size: counted, tested and drawn without listing them all."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from heapq import heappop, heappush
from math import prod
from random import Random
from typing import overload


@lru_cache(maxsize=1024)
def factors(number: int) -> tuple[tuple[int, int], ...]:
    """Return the prime factors of a positive number with their exponents, ascending.

    FLINT does the work, with a quadratic sieve if needed: 50 digits take less than a second.
    """
    from flint import fmpz  # the import takes 50 ms, and only descent needs it

    return tuple(sorted((int(prime), int(power)) for prime, power in fmpz(number).factor()))


@lru_cache(maxsize=1024)
def is_prime(number: int) -> bool:
    """Tell whether a number is a prime. The test is exact, not probabilistic."""
    from flint import fmpz

    return bool(fmpz(number).is_prime())


class ProperDivisors(Sequence[int]):
    """The divisors of a number other than 1 and itself, ascending."""

    def __init__(self, number: int) -> None:
        self.number = number

    def __contains__(self, divisor: object) -> bool:
        return isinstance(divisor, int) and 1 < divisor < self.number and self.number % divisor == 0

    def __len__(self) -> int:
        return max(prod(power + 1 for _, power in factors(self.number)) - 2, 0)

    def __bool__(self) -> bool:
        return self.number > 1 and not is_prime(self.number)

    def __iter__(self) -> Iterator[int]:
        """Yield the divisors one by one, each in about the time of a heap operation.

        A divisor is reached only from the divisor without its largest prime factor. That one is
        smaller, so it has already left the heap.
        """
        primes = [prime for prime, power in factors(self.number) for _ in range(power)]
        first_of = {prime: primes.index(prime) for prime in set(primes)}
        heap = sorted(first_of.items())
        while heap:
            divisor, at = heappop(heap)
            if divisor == self.number:
                return
            yield divisor
            for next_at in range(at + 1, len(primes)):
                # Copies of a prime are used in order, so that no divisor appears twice.
                if next_at == at + 1 or next_at == first_of[primes[next_at]]:
                    heappush(heap, (divisor * primes[next_at], next_at))

    def __reversed__(self) -> Iterator[int]:
        return (self.number // divisor for divisor in self)

    @overload
    def __getitem__(self, index: int) -> int: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[int, ...]: ...
    def __getitem__(self, index: int | slice) -> int | tuple[int, ...]:
        """List all divisors: slow if there are millions."""
        return tuple(self)[index]

    def draw(self, rng: Random) -> int:
        """Return a random divisor, all equally likely, without listing them; there must be one."""
        while True:
            powers = ((prime, rng.randint(0, power)) for prime, power in factors(self.number))
            drawn = prod(int(prime**power) for prime, power in powers)
            if drawn in self:
                return drawn

    def __repr__(self) -> str:
        return f"ProperDivisors({self.number})"
