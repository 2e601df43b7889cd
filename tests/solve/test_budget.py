"""A search ends when its positions or its time are used up, or when it is told to."""

from collections.abc import Callable

import pytest

from divisorduel.solve.budget import NO_LIMIT, Budget, BudgetSpent


class Clock:
    """A clock that only the test moves, and that counts how often it is read."""

    def __init__(self) -> None:
        self.now = 100.0
        self.asked = 0

    def __call__(self) -> float:
        self.asked += 1
        return self.now


def calls_until_out_of_time(step: Callable[[], None], at_most: int) -> int:
    """Return how often a step can be made before it raises."""
    for done in range(at_most):
        try:
            step()
        except BudgetSpent:
            return done
    raise AssertionError(f"{at_most} steps did not use up the time")


def test_every_position_counts_once() -> None:
    budget = Budget()
    for number in range(1, 300):
        budget.spend()
        assert budget.positions == number


@pytest.mark.parametrize("most", [0, 1, 7, 127, 128, 300])
def test_exactly_as_many_positions_as_allowed_may_be_searched(most: int) -> None:
    budget = Budget(most_positions=most)
    assert calls_until_out_of_time(budget.spend, most + 1) == most


def test_what_is_left_falls_to_zero_and_no_further() -> None:
    budget = Budget(most_positions=2)
    left = [budget.left]
    for _ in range(2):
        budget.spend()
        left.append(budget.left)
    with pytest.raises(BudgetSpent):
        budget.spend()
    assert [*left, budget.left] == [2, 1, 0, 0]
    assert Budget().left == NO_LIMIT


def test_a_search_without_limits_is_never_over() -> None:
    budget = Budget()
    for _ in range(1_000):
        budget.spend()
        budget.tick()
    budget.check()
    assert not budget.is_over()


@pytest.mark.parametrize(("step", "at_most"), [("spend", 128), ("tick", 16)])
def test_the_clock_is_read_often_enough_and_not_at_every_step(step: str, at_most: int) -> None:
    clock = Clock()
    budget = Budget(5, clock=clock)
    asked = clock.asked
    for _ in range(at_most * 3):
        getattr(budget, step)()
    assert clock.asked == asked + 3
    clock.now += 5
    assert calls_until_out_of_time(getattr(budget, step), at_most) == at_most - 1


def test_the_time_is_up_at_the_deadline_and_not_before() -> None:
    clock = Clock()
    budget = Budget(5, clock=clock)
    clock.now += 4.999
    assert not budget.is_over()
    budget.check()
    clock.now = 105.0
    assert budget.is_over()
    with pytest.raises(BudgetSpent):
        budget.check()


def test_a_budget_of_no_seconds_is_used_up_at_once() -> None:
    assert Budget(0, clock=Clock()).is_over()


@pytest.mark.parametrize("step", ["spend", "tick", "check"])
def test_a_search_that_is_stopped_ends_at_its_next_step(step: str) -> None:
    budget = Budget()
    getattr(budget, step)()
    budget.stop()
    assert budget.is_over()
    with pytest.raises(BudgetSpent):
        getattr(budget, step)()


def test_the_count_of_the_kernel_is_added_to_what_was_searched_before() -> None:
    reports: list[int] = []
    budget = Budget(most_positions=20, on_progress=reports.append)
    for _ in range(3):
        budget.spend()
    count = budget.counter()
    count(5)
    count(17)
    assert (budget.positions, reports) == (20, [8, 20])
    with pytest.raises(BudgetSpent):
        count(18)


def test_progress_is_reported_with_the_number_of_positions() -> None:
    reports: list[int] = []
    budget = Budget(on_progress=reports.append)
    for _ in range(256):
        budget.spend()
    assert reports == [128, 256]


def test_one_thread_is_used_unless_more_are_allowed() -> None:
    assert (Budget().threads, Budget(threads=3).threads) == (1, 3)
    assert (Budget().memory, Budget(memory=5).memory) == (None, 5)
