"""The highest rate of moves a second that a server keeps up with."""

from collections.abc import Callable
from math import sqrt

from bench.load.driver import Hall, Step

BISECTIONS = 4
TRIES = 2
"""A rate is out of reach when it was not held so many times: machines are noisy."""
MOST_TRIES = 5
"""So often a rate is tried if the machine was busy with other things."""
LOWEST, HIGHEST = 10, 100_000


async def attempt(hall: Hall, rate: float, seconds: float, tell: Callable[[Step], None]) -> Step:
    """Return the first try at which a rate was held, or else the last one."""
    tries = missed = 0
    while True:
        step = await hall.play(rate, seconds)
        tell(step)
        tries, missed = tries + 1, missed + (not step.disturbed)
        if step.held or missed == TRIES or tries == MOST_TRIES:
            return step


async def highest_rate(
    hall: Hall, start: float, seconds: float, tell: Callable[[Step], None]
) -> Step | None:
    """Return the step with the highest rate held, or None if none was.

    From the start, the rate is doubled until it is missed, or halved until it is held; then the
    gap between the two is bisected.
    """
    held: Step | None = None
    missed: Step | None = None
    rate = start
    while held is None or missed is None:
        if not LOWEST <= rate <= HIGHEST:
            return held
        step = await attempt(hall, rate, seconds, tell)
        if step.held:
            held, rate = step, rate * 2
        else:
            missed, rate = step, rate / 2
    for _ in range(BISECTIONS):
        step = await attempt(hall, round(sqrt(held.rate * missed.rate)), seconds, tell)
        if step.held:
            held = step
        else:
            missed = step
    return held
