"""Axes with ticks at round numbers."""

from collections.abc import Callable
from dataclasses import dataclass
from math import ceil, floor, log10
from typing import Literal

_POWERS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


@dataclass(frozen=True, slots=True)
class Axis:
    """A stretch of values, with the places and the words of its ticks."""

    low: float
    high: float
    ticks: tuple[tuple[float, str], ...]
    scale: Callable[[float], float] = float

    def at(self, value: float) -> float:
        """Return how far along the axis a value lies, from 0 to 1."""
        low, high = self.scale(self.low), self.scale(self.high)
        return (self.scale(value) - low) / (high - low)


def along(low: int, high: int) -> Axis:
    """Return an axis from one whole number to another, as far as they go."""
    if low == high:
        low, high = low - 1, high + 1
    step = _step(high - low, 10)
    ticks = range(ceil(low / step) * step, high + 1, step)
    return Axis(low, high, tuple((tick, str(tick)) for tick in ticks))


def upward(most: float, unit: Literal["whole", "share", "log"]) -> Axis:
    """Return an axis up to a value that is not to touch the edge."""
    if unit == "log":
        return _powers(most)
    if unit == "share":
        percent = _whole(ceil(most * 100))
        ticks = tuple((tick / 100, f"{word}%") for tick, word in percent.ticks)
        return Axis(0, percent.high / 100, ticks)
    return _whole(ceil(most))


def _whole(most: int) -> Axis:
    step = _step(max(most, 1), 6)
    high = ceil(max(most, 1) / step) * step
    return Axis(0, high, tuple((tick, str(tick)) for tick in range(0, high + 1, step)))


def _powers(most: float) -> Axis:
    high = max(1, ceil(log10(most)))
    every = ceil(high / 8)
    ticks = tuple((10.0**power, _power(power)) for power in range(0, high + 1, every))
    return Axis(1, 10.0**high, ticks, log10)


def _power(power: int) -> str:
    return str(10**power) if power < 4 else f"10{str(power).translate(_POWERS)}"


def _step(span: int, most: int) -> int:
    """Return the smallest of 1, 2, 5, 10, 20, … of which at most so many fit into a span."""
    power: int = 10 ** max(0, floor(log10(span / most)))
    return next(power * digit for digit in (1, 2, 5, 10) if span <= most * power * digit)
