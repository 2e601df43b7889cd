"""The two clocks of a server: jumps are noticed once, drift is tolerated."""

import pytest

from divisorduel.web.live.clocks import LARGEST_DRIFT, Clocks
from tests.web.live.hubs import FakeClock


@pytest.fixture
def clock() -> FakeClock:
    """Return a clock that the test moves."""
    return FakeClock()


@pytest.fixture
def clocks(clock: FakeClock) -> Clocks:
    """Return both clocks."""
    return Clocks(clock, clock.steady)


@pytest.mark.parametrize("seconds", [1.1, -1.1, 3600.0, -3600.0])
def test_a_jump_is_noticed_once(clock: FakeClock, clocks: Clocks, seconds: float) -> None:
    clock.advance(100)
    assert not clocks.have_jumped()
    clock.jump(seconds)
    clock.advance(100)
    assert clocks.have_jumped()
    assert not clocks.have_jumped()


def test_small_steps_add_up_to_a_jump(clock: FakeClock, clocks: Clocks) -> None:
    steps = 0
    while not clocks.have_jumped():
        clock.jump(0.3)
        steps += 1
    assert steps == int(LARGEST_DRIFT / 0.3) + 1


def test_times_are_converted_by_the_difference_that_was_last_noticed(
    clock: FakeClock, clocks: Clocks
) -> None:
    for jump in (0.0, 500.0, -2000.0):
        clock.jump(jump)
        clocks.have_jumped()
        assert clocks.to_wall(clock.steady()) == clock()
        assert clocks.to_steady(clock() + 7) == clock.steady() + 7


def test_by_default_the_clocks_are_those_of_the_system() -> None:
    clocks = Clocks()
    assert abs(clocks.to_wall(clocks.steady()) - clocks.wall()) < LARGEST_DRIFT
    assert not clocks.have_jumped()
