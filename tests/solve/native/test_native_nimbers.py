"""The kernel finds the same nimbers as the Python solver."""

import inspect
import os
import resource
import signal
import subprocess
import sys
import threading
import time
from random import Random

import pytest

from divisorduel import game
from divisorduel.lab.series import Series
from divisorduel.rules.numbers import bit_set
from divisorduel.rules.pool_game import PoolGame
from divisorduel.solve.budget import Budget, BudgetSpent
from divisorduel.solve.native.native_nimbers import (
    NativeNimbers,
    half_of_the_memory,
    kernel_can,
)
from divisorduel.solve.nimbers import BYTES_EACH, Nimbers, nimbers_of
from divisorduel.solve.solver import solve
from tests.conftest import cpu_seconds
from tests.polling import wait_until
from tests.solve.test_oracle import AnyKayles

pytestmark = pytest.mark.usefixtures("kernel")


def pool(key: str, **board: int) -> PoolGame:
    found = game(key, **board)
    assert isinstance(found, PoolGame)
    return found


def test_both_solvers_have_the_same_interface() -> None:
    for name in ("nimber", "is_zero"):
        one, two = getattr(Nimbers, name), getattr(NativeNimbers, name)
        assert inspect.signature(one) == inspect.signature(two)
        assert one.__doc__ == two.__doc__


@pytest.mark.parametrize("key", ["antichain", "divider"])
def test_native_and_python_agree_on_random_positions(key: str) -> None:
    rng = Random(1)
    for to in (3, 9, 16, 25, 26, 31):
        g = pool(key, to=to)
        pure, native = Nimbers(g), NativeNimbers(g)
        for _ in range(200):
            playable = g.pool & rng.getrandbits(to + 1)
            expected = pure.nimber(playable, Budget())
            assert native.is_zero(playable, Budget()) == (expected == 0), playable
            assert native.nimber(playable, Budget()) == expected, playable


@pytest.mark.thorough
@pytest.mark.parametrize("key", ["antichain", "divider"])
def test_native_and_python_agree_on_positions_that_do_not_fit_into_a_key(key: str) -> None:
    # 90 smooth numbers leave room for three or four pieces of columns with 10 multipliers.
    rng = Random(2)
    g = pool(key, to=180)
    pure, native = Nimbers(g), NativeNimbers(g)
    in_columns = [k * p for p in (17, 19, 23, 29, 31, 37, 41, 43) for k in range(2, 180 // p + 1)]
    for _ in range(20):
        numbers = rng.sample(range(2, 17), 6) + rng.sample(in_columns, 24)
        playable = g.pool & bit_set(numbers)
        expected = pure.nimber(playable, Budget())
        assert native.nimber(playable, Budget(threads=2)) == expected, numbers
        assert native.is_zero(playable, Budget()) == (expected == 0), numbers


@pytest.mark.parametrize("key", ["antichain", "divider"])
@pytest.mark.parametrize(
    "board", [{"from_": 5, "to": 60, "step": 5}, {"from_": 17, "to": 60}, {"to": 64, "step": 3}]
)
def test_native_and_python_agree_on_unusual_boards(key: str, board: dict[str, int]) -> None:
    g = pool(key, **board)
    assert NativeNimbers(g).nimber(g.pool, Budget()) == Nimbers(g).nimber(g.pool, Budget())


@pytest.mark.parametrize("key", ["antichain", "divider"])
def test_two_threads_find_the_same_nimber_as_one(key: str) -> None:
    g = pool(key, to=36)
    one, two = Budget(), Budget(threads=2)
    assert NativeNimbers(g).nimber(g.pool, one) == NativeNimbers(g).nimber(g.pool, two)
    assert one.positions == two.positions > 100


def test_eviction_costs_positions_but_does_not_change_the_answer() -> None:
    g = pool("antichain", to=58)
    unlimited, limited = Budget(), Budget()
    expected = NativeNimbers(g).nimber(g.pool, unlimited)
    assert NativeNimbers(g, memory=400_000).nimber(g.pool, limited) == expected
    assert limited.positions > unlimited.positions


@pytest.mark.parametrize(("key", "to", "share"), [("antichain", 40, 0.1), ("divider", 22, 0.4)])
def test_eviction_in_python_does_not_change_the_answer(key: str, to: int, share: float) -> None:
    g = pool(key, to=to)
    unlimited, limited = Budget(), Budget()
    solver = Nimbers(g)
    expected = solver.nimber(g.pool, unlimited)
    most = int(share * _cached(solver))
    evicting = Nimbers(g, memory=most * BYTES_EACH)
    assert evicting.nimber(g.pool, limited) == expected
    assert limited.positions > unlimited.positions
    assert _cached(evicting) <= most


def _cached(nimbers: Nimbers) -> int:
    return len(nimbers._positions) + len(nimbers._components)


@pytest.mark.thorough
def test_lookups_of_missing_keys_end_after_many_evictions() -> None:
    # The lookup of a missing key ends at a bucket with a free slot, so some must remain.
    program = """
from divisorduel import game
from divisorduel.solve.native.native_nimbers import NativeNimbers
from divisorduel.solve.budget import Budget, BudgetSpent
g = game("antichain", to=70)
budget = Budget(most_positions=300_000)
try:
    NativeNimbers(g, memory=1).nimber(g.pool, budget)
except BudgetSpent:
    print(budget.positions > 300_000)
"""
    words = [sys.executable, "-c", program]
    done = subprocess.run(words, capture_output=True, check=True, text=True, timeout=60)
    assert done.stdout == "True\n"


@pytest.mark.thorough
def test_the_memory_limit_holds_for_positions_that_do_not_fit_into_a_key() -> None:
    # 87 smooth numbers leave room for few pieces in a key, and the first positions have many.
    program = """
import resource
from divisorduel import game
from divisorduel.solve.native.native_nimbers import NativeNimbers
from divisorduel.solve.budget import Budget, BudgetSpent
g = game("antichain", to=172)
nimbers = NativeNimbers(g, memory=8 << 20)
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
try:
    nimbers.nimber(g.pool, Budget(3))
except BudgetSpent:
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""
    words = [sys.executable, "-c", program]
    done = subprocess.run(words, capture_output=True, check=True, text=True)
    assert int(done.stdout) < 16 << 10


@pytest.mark.parametrize("to", [7, 24, 36, 50, 61, 70])
def test_the_winner_of_antichain_needs_fewer_positions_than_the_nimber(to: int) -> None:
    g = pool("antichain", to=to)
    whole, winner = solve(g), solve(g, nimber=False)
    assert (winner.winner, winner.winning_moves) == (whole.winner, whole.winning_moves)
    assert winner.proven
    assert winner.nimber is None
    assert winner.positions <= whole.positions
    tight = solve(g, budget=Budget(memory=200_000), nimber=False)
    assert tight.winning_moves == whole.winning_moves


def test_boards_too_large_for_the_kernel_are_solved_in_python() -> None:
    assert kernel_can(pool("antichain", to=128))
    assert not kernel_can(pool("antichain", to=400))
    few = pool("antichain", from_=300, to=400)
    assert nimbers_of(few).nimber(few.pool, Budget()) == Nimbers(few).nimber(few.pool, Budget())


def uneven(size: int) -> PoolGame:
    """Return a game in which every number counts as smooth, since no two columns are alike."""
    edges = frozenset({(2, 127), (127, 2)})
    return AnyKayles(from_=1, to=size, edges=edges)


@pytest.mark.parametrize(
    ("g", "fits"),
    [
        (uneven(128), True),
        (uneven(129), False),  # the smooth numbers have 128 bits
        (pool("antichain", to=189), True),
        (pool("antichain", to=190), False),  # 97 numbers in columns
        (pool("antichain", from_=322, to=322), True),  # 14 times 23
        (pool("antichain", from_=345, to=345), False),  # 15 times 23
    ],
    ids=lambda value: getattr(value, "board", None),
)
def test_the_limits_of_the_kernel_are_known_exactly(g: PoolGame, fits: bool) -> None:
    def is_accepted() -> bool:
        try:
            NativeNimbers(g, memory=1).nimber(g.pool, Budget(most_positions=0))
        except BudgetSpent:
            return True
        except ValueError:
            return False
        return True

    assert kernel_can(g) is is_accepted() is fits


def test_a_cache_may_take_half_of_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    pages = {"SC_PHYS_PAGES": 1_000, "SC_PAGE_SIZE": 4_096}
    monkeypatch.setattr(os, "sysconf", pages.__getitem__)
    assert half_of_the_memory.__wrapped__() == 2_048_000


@pytest.mark.parametrize("error", [AttributeError, ValueError, OSError])
def test_a_cache_may_take_a_gibibyte_if_the_memory_is_unknown(
    monkeypatch: pytest.MonkeyPatch, error: type[Exception]
) -> None:
    def unknown(_name: str) -> int:
        raise error

    monkeypatch.setattr(os, "sysconf", unknown)
    assert half_of_the_memory.__wrapped__() == 2**30


def test_a_search_can_continue_after_running_out_of_time() -> None:
    g = pool("divider", to=45)
    native = NativeNimbers(g)
    with pytest.raises(BudgetSpent):
        native.nimber(g.pool, Budget(0.01))
    assert native.nimber(g.pool, Budget()) == 14


@pytest.mark.parametrize("key", ["antichain", "divider"])
def test_a_nimber_that_was_found_is_known_without_time(key: str) -> None:
    g = pool(key, to=20)
    native = NativeNimbers(g)
    with pytest.raises(BudgetSpent):
        native.nimber(g.pool, Budget(0))
    found, again = native.nimber(g.pool, Budget()), Budget(0)
    assert native.nimber(g.pool, again) == found
    assert native.is_zero(g.pool, again) is (found == 0)
    assert again.positions == 0


def test_the_search_stops_at_the_position_limit() -> None:
    g = pool("antichain", to=50)
    budget = Budget(most_positions=500)
    with pytest.raises(BudgetSpent):
        NativeNimbers(g).nimber(g.pool, budget)
    assert 500 < budget.positions < 600


def test_progress_is_reported() -> None:
    reports: list[int] = []
    g = pool("antichain", to=76)
    NativeNimbers(g).nimber(g.pool, Budget(on_progress=reports.append))
    assert len(reports) > 3
    assert reports == sorted(reports)


def cpu_seconds_of_children() -> float:
    """Return the CPU seconds of the child processes that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def test_ctrl_c_interrupts_a_search_at_once() -> None:
    words = [sys.executable, "-m", "divisorduel", "solve", "antichain", "--to", "120"]
    others, before = cpu_seconds_of_children(), 0.0
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as running:
        for _ in wait_until("it searches", 120):
            if (before := cpu_seconds(running.pid)) > 1:  # starting takes far less
                break
        running.send_signal(signal.SIGINT)
        output, _ = running.communicate(timeout=60)
    assert (
        cpu_seconds_of_children() - others - before < 5
    )  # stopping takes half a second of one core
    assert running.returncode == 130
    assert "Not proven: search stopped early" in output


@pytest.mark.thorough
def test_other_python_threads_run_during_a_search() -> None:
    code = """
import threading
from divisorduel import game
from divisorduel.solve.native.native_nimbers import NativeNimbers
from divisorduel.solve.budget import Budget
g = game("antichain", to=72)
found = []
search = threading.Thread(target=lambda: found.append(NativeNimbers(g).nimber(g.pool, Budget())))
search.start()
steps = 0
while search.is_alive():
    steps += 1
print(steps > 1000, found)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    g = pool("antichain", to=72)
    assert done.stdout == f"True [{NativeNimbers(g).nimber(g.pool, Budget())}]\n"


def test_a_search_waiting_for_another_can_run_out_of_time() -> None:
    g = pool("antichain", to=160)
    nimbers, first = NativeNimbers(g), Budget()
    ended: list[type[Exception]] = []

    def search() -> None:
        try:
            nimbers.is_zero(g.pool, first)
        except BudgetSpent as error:
            ended.append(type(error))

    running = threading.Thread(target=search)
    running.start()
    while not first.positions:
        time.sleep(0.01)
    with pytest.raises(BudgetSpent):
        nimbers.is_zero(g.pool, Budget(0.1))
    assert running.is_alive()
    first.stop()
    running.join(10)
    assert ended == [BudgetSpent]


def test_boards_too_large_for_the_kernel_are_not_solved_together() -> None:
    assert Series.within("antichain", "2..180", {}).why_not_together is None
    reason = Series.within("antichain", "2..200", {}).why_not_together
    assert reason == "the native solvers cannot handle a board up to 200"


def test_layouts_and_positions_that_do_not_fit_are_rejected() -> None:
    from divisorduel.solve.native import _kernel

    with pytest.raises(ValueError, match="too large"):
        _kernel.Nimbers([0] * 129, [0] * 129, [], [], 1)
    with pytest.raises(ValueError, match="too large"):
        _kernel.Nimbers([1], [], [], [], 1)
    small = _kernel.Nimbers([1], [0], [1], [0], 1)
    for smooth, patterns in ((2, []), (0, [2]), (1, [1] * 97)):
        with pytest.raises(ValueError, match="not on the board"):
            small.nimber(smooth, patterns, 1, 1, print)
    with pytest.raises(OverflowError):
        small.nimber(-1, [], 1, 1, print)
