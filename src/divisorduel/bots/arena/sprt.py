"""A sequential test: is one player stronger than another by ELO1 rather than by ELO0?

The generalised SPRT over pairs of games (M. Van den Bergh, *Comments on Normalized Elo*, section 1;
the logistic model of fastchess). A pair without draws has three outcomes: lost, split or won.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import inf, log, log10, sqrt
from typing import Literal

CELLS = 0.0, 0.5, 1.0
"""The score of a pair in which no game, one game or both games were won."""
LEAST = 1e-3
"""How often an outcome that was never seen is taken to have been seen."""
BISECTIONS = 60
NORMAL = 1.959963984540054
"""How many standard deviations a 95% interval reaches."""

SprtDecision = Literal["H0", "H1"]


@dataclass(frozen=True, slots=True)
class Sprt:
    """The two hypotheses, and the chances of accepting the wrong one."""

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05

    @property
    def bounds(self) -> tuple[float, float]:
        """The log-likelihood ratios at which H0 and H1 are accepted."""
        return log(self.beta / (1 - self.alpha)), log((1 - self.beta) / self.alpha)

    def ratio(self, counts: Sequence[float], cells: Sequence[float] = CELLS) -> float:
        """Return the log-likelihood ratio, given how often each outcome was seen."""
        seen = [count or LEAST for count in counts]
        total = sum(seen)
        shares = [count / total for count in seen]
        zero, one = (_likeliest(shares, cells, expected(elo)) for elo in (self.elo0, self.elo1))
        terms = zip(seen, zero, one, strict=True)
        return sum(count * (log(q) - log(p)) for count, p, q in terms)

    def decide(self, wins: Iterable[int]) -> tuple[int, SprtDecision] | None:
        """Return how many pairs it takes to decide, and the decision; None if there is none yet.

        `wins` are the games won of each pair, in the order of the schedule.
        """
        test = SequentialTest(self)
        for won in wins:
            test.add(won)
        return test.decided


class SequentialTest:
    """A test in progress: pairs are added in the order of the schedule until it decides."""

    def __init__(self, sprt: Sprt) -> None:
        self.pairs = 0
        """How many pairs have been added."""
        self.decided: tuple[int, SprtDecision] | None = None
        """How many pairs it took to decide, and the decision; later pairs do not count."""
        self._sprt = sprt
        self._counts = [0, 0, 0]

    def add(self, won: int) -> None:
        """Add a pair of which the first player won this many games."""
        self.pairs += 1
        if self.decided is None:
            self._counts[won] += 1
            ratio, (low, high) = self._sprt.ratio(self._counts), self._sprt.bounds
            if not low < ratio < high:
                self.decided = self.pairs, "H1" if ratio >= high else "H0"


def expected(elo: float) -> float:
    """Return the expected score of a player who is stronger by some Elo."""
    return float(1 / (1 + 10 ** (-elo / 400)))


def difference(score: float) -> float:
    """Return the difference in Elo that an expected score means."""
    if not 0 < score < 1:
        return inf if score >= 1 else -inf
    return -400 * log10(1 / score - 1)


def head_to_head(counts: Sequence[float], cells: Sequence[float] = CELLS) -> tuple[float, float]:
    """Return the difference in Elo and its error at 95%, given the outcomes of the pairs."""
    total = sum(counts)
    mean = sum(count * cell for count, cell in zip(counts, cells, strict=True)) / total
    spread = sum(n * (cell - mean) ** 2 for n, cell in zip(counts, cells, strict=True)) / total
    reach = NORMAL * sqrt(spread / total)
    return difference(mean), (difference(mean + reach) - difference(mean - reach)) / 2


def _likeliest(shares: Sequence[float], cells: Sequence[float], score: float) -> list[float]:
    """Return the most likely probabilities with an expected score, given the observed shares."""
    low, high = -1 / (cells[-1] - score), -1 / (cells[0] - score)
    theta = 0.0
    for _ in range(BISECTIONS):
        theta = (low + high) / 2
        slope = sum(
            share * (cell - score) / (1 + theta * (cell - score))
            for share, cell in zip(shares, cells, strict=True)
        )
        low, high = (theta, high) if slope > 0 else (low, theta)
    return [s / (1 + theta * (c - score)) for s, c in zip(shares, cells, strict=True)]
