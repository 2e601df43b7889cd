"""Search for the highest rate of moves per second that a server sustains."""

from collections.abc import Callable
from math import sqrt

from bench.load.driver import LoadDriver, Measurement

BISECTIONS = 4
MISSES_NEEDED = 2
"""How often a rate must be missed before it counts, because machines are noisy."""
MAX_TRIES = 5
"""How often to try a rate if other processes keep the machine busy."""
LOWEST, HIGHEST = 10, 100_000


async def attempt(
    driver: LoadDriver, rate: float, seconds: float, report: Callable[[Measurement], None]
) -> Measurement:
    """Return the first measurement that sustains the rate, or else the last one."""
    tries = missed = 0
    while True:
        measurement = await driver.play(rate, seconds)
        report(measurement)
        tries, missed = tries + 1, missed + (not measurement.disturbed)
        if measurement.sustained or missed == MISSES_NEEDED or tries == MAX_TRIES:
            return measurement


async def highest_rate(
    driver: LoadDriver, start: float, seconds: float, report: Callable[[Measurement], None]
) -> Measurement | None:
    """Return the measurement with the highest sustained rate, or None.

    Doubles the rate from `start` until it is missed, or halves it until it is sustained, and then
    bisects the interval between the two.
    """
    highest: Measurement | None = None
    missed: Measurement | None = None
    rate = start
    while highest is None or missed is None:
        if not LOWEST <= rate <= HIGHEST:
            return highest
        measurement = await attempt(driver, rate, seconds, report)
        if measurement.sustained:
            highest, rate = measurement, rate * 2
        else:
            missed, rate = measurement, rate / 2
    for _ in range(BISECTIONS):
        measurement = await attempt(
            driver, round(sqrt(highest.rate * missed.rate)), seconds, report
        )
        if measurement.sustained:
            highest = measurement
        else:
            missed = measurement
    return highest
