"""The kernel's nimbers are those of the solver written in Python."""

import inspect
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
from divisorduel.solve.native.native_nimbers import NativeNimbers, kernel_can
from divisorduel.solve.nimbers import BYTES_EACH, Nimbers, nimbers_of
from divisorduel.solve.solver import solve
from divisorduel.solve.verdict import Budget, OutOfTime
from tests.conftest import cpu_seconds
from tests.web.postgres import wait_until

pytestmark = pytest.mark.usefixtures("kernel")


def pool(key: str, **board: int) -> PoolGame:
    found = game(key, **board)
    assert isinstance(found, PoolGame)
    return found


def test_both_answer_the_same_questions() -> None:
    for name in ("nimber", "is_zero"):
        one, two = getattr(Nimbers, name), getattr(NativeNimbers, name)
        assert inspect.signature(one) == inspect.signature(two)
        assert one.__doc__ == two.__doc__


@pytest.mark.parametrize("key", ["antichain", "divider"])
def test_any_set_of_numbers_has_the_same_nimber(key: str) -> None:
    rng = Random(1)
    for to in (3, 9, 16, 25, 26, 31):
        g = pool(key, to=to)
        pure, native = Nimbers(g), NativeNimbers(g)
        for _ in range(200):
            playable = g.pool & rng.getrandbits(to + 1)
            expected = pure.nimber(playable, Budget())
            assert native.is_zero(playable, Budget()) == (expected == 0), playable
            assert native.nimber(playable, Budget()) == expected, playable


@pytest.mark.parametrize("key", ["antichain", "divider"])
def test_positions_that_no_key_can_hold_have_the_same_nimber(key: str) -> None:
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
def test_odd_boards_have_the_same_nimber(key: str, board: dict[str, int]) -> None:
    g = pool(key, **board)
    assert NativeNimbers(g).nimber(g.pool, Budget()) == Nimbers(g).nimber(g.pool, Budget())


@pytest.mark.parametrize("key", ["antichain", "divider"])
def test_two_threads_find_what_one_does(key: str) -> None:
    g = pool(key, to=36)
    one, two = Budget(), Budget(threads=2)
    assert NativeNimbers(g).nimber(g.pool, one) == NativeNimbers(g).nimber(g.pool, two)
    assert one.positions == two.positions > 100


def test_a_table_that_forgets_gives_the_same_answer_later() -> None:
    g = pool("antichain", to=58)
    free, tight = Budget(), Budget()
    expected = NativeNimbers(g).nimber(g.pool, free)
    assert NativeNimbers(g, memory=400_000).nimber(g.pool, tight) == expected
    assert tight.positions > free.positions


@pytest.mark.parametrize(("key", "to", "share"), [("antichain", 40, 0.1), ("divider", 22, 0.4)])
def test_the_solver_in_python_forgets_as_well(key: str, to: int, share: float) -> None:
    g = pool(key, to=to)
    free, tight = Budget(), Budget()
    whole = Nimbers(g)
    expected = whole.nimber(g.pool, free)
    most = int(share * _remembered(whole))
    forgetful = Nimbers(g, memory=most * BYTES_EACH)
    assert forgetful.nimber(g.pool, tight) == expected
    assert tight.positions > free.positions
    assert _remembered(forgetful) <= most


def _remembered(nimbers: Nimbers) -> int:
    return len(nimbers._positions) + len(nimbers._components)


def test_a_table_that_has_forgotten_much_still_tells_what_it_does_not_know() -> None:
    # A search for a key that is not there ends at a bucket that is not full: some must remain.
    program = """
from divisorduel import game
from divisorduel.solve.native.native_nimbers import NativeNimbers
from divisorduel.solve.verdict import Budget, OutOfTime
g = game("antichain", to=70)
budget = Budget(most_positions=300_000)
try:
    NativeNimbers(g, memory=1).nimber(g.pool, budget)
except OutOfTime:
    print(budget.positions > 300_000)
"""
    words = [sys.executable, "-c", program]
    done = subprocess.run(words, capture_output=True, check=True, text=True, timeout=60)
    assert done.stdout == "True\n"


def test_the_ceiling_of_memory_holds_where_no_key_can_hold_the_positions() -> None:
    # 87 smooth numbers leave room for few pieces, and there are many of these at first.
    program = """
import resource
from divisorduel import game
from divisorduel.solve.native.native_nimbers import NativeNimbers
from divisorduel.solve.verdict import Budget, OutOfTime
g = game("antichain", to=172)
nimbers = NativeNimbers(g, memory=8 << 20)
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
try:
    nimbers.nimber(g.pool, Budget(3))
except OutOfTime:
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""
    words = [sys.executable, "-c", program]
    done = subprocess.run(words, capture_output=True, check=True, text=True)
    assert int(done.stdout) < 16 << 10


@pytest.mark.parametrize("to", [7, 24, 36, 50, 61, 70])
def test_who_wins_antichain_is_found_without_the_nimber_in_fewer_positions(to: int) -> None:
    g = pool("antichain", to=to)
    whole, winner = solve(g), solve(g, nimber=False)
    assert (winner.winner, winner.winning_moves) == (whole.winner, whole.winning_moves)
    assert winner.proven
    assert winner.nimber is None
    assert winner.positions <= whole.positions
    tight = solve(g, budget=Budget(memory=200_000), nimber=False)
    assert tight.winning_moves == whole.winning_moves


def test_a_large_board_of_few_numbers_is_left_to_python() -> None:
    assert kernel_can(pool("antichain", to=128))
    assert not kernel_can(pool("antichain", to=400))
    few = pool("antichain", from_=300, to=400)
    assert nimbers_of(few).nimber(few.pool, Budget()) == Nimbers(few).nimber(few.pool, Budget())


def test_the_time_is_kept_and_the_search_can_be_taken_up_again() -> None:
    g = pool("divider", to=45)
    native = NativeNimbers(g)
    with pytest.raises(OutOfTime):
        native.nimber(g.pool, Budget(0.01))
    assert native.nimber(g.pool, Budget()) == 14


def test_the_number_of_positions_is_kept() -> None:
    g = pool("antichain", to=50)
    budget = Budget(most_positions=500)
    with pytest.raises(OutOfTime):
        NativeNimbers(g).nimber(g.pool, budget)
    assert 500 < budget.positions < 600


def test_progress_is_told() -> None:
    heard: list[int] = []
    g = pool("antichain", to=76)
    NativeNimbers(g).nimber(g.pool, Budget(on_progress=heard.append))
    assert len(heard) > 3
    assert heard == sorted(heard)


def computed_by_children() -> float:
    """Return the CPU seconds of the child processes that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def test_ctrl_c_ends_a_search_at_once() -> None:
    words = [sys.executable, "-m", "divisorduel", "solve", "antichain", "--to", "120"]
    others, before = computed_by_children(), 0.0
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as running:
        for _ in wait_until("it searches", 120):
            if (before := cpu_seconds(running.pid)) > 1:  # it starts in far less
                break
        running.send_signal(signal.SIGINT)
        said, _ = running.communicate(timeout=60)
    assert computed_by_children() - others - before < 5  # it takes half a second of one core
    assert running.returncode == 130
    assert "NOT PROVEN" in said


def test_other_threads_of_python_run_meanwhile() -> None:
    code = """
import threading
from divisorduel import game
from divisorduel.solve.native.native_nimbers import NativeNimbers
from divisorduel.solve.verdict import Budget
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


def test_a_search_that_waits_for_another_can_be_ended() -> None:
    g = pool("antichain", to=160)
    nimbers, first = NativeNimbers(g), Budget()
    ended: list[type[Exception]] = []

    def search() -> None:
        try:
            nimbers.is_zero(g.pool, first)
        except OutOfTime as error:
            ended.append(type(error))

    running = threading.Thread(target=search)
    running.start()
    while not first.positions:
        time.sleep(0.01)
    with pytest.raises(OutOfTime):
        nimbers.is_zero(g.pool, Budget(0.1))
    assert running.is_alive()
    first.stop()
    running.join(10)
    assert ended == [OutOfTime]


def test_boards_that_it_cannot_hold_are_not_solved_together() -> None:
    assert Series.within("antichain", "2..180", {}).why_not_together is None
    reason = Series.within("antichain", "2..200", {}).why_not_together
    assert reason == "the native solvers have no room for a board up to 200"


def test_tables_and_positions_that_do_not_fit_are_refused() -> None:
    from divisorduel.solve.native import _kernel

    with pytest.raises(ValueError, match="no room"):
        _kernel.Nimbers([0] * 129, [0] * 129, [], [], 1)
    with pytest.raises(ValueError, match="no room"):
        _kernel.Nimbers([1], [], [], [], 1)
    small = _kernel.Nimbers([1], [0], [1], [0], 1)
    for smooth, patterns in ((2, []), (0, [2]), (1, [1] * 97)):
        with pytest.raises(ValueError, match="does not have"):
            small.nimber(smooth, patterns, 1, 1, print)
    with pytest.raises(OverflowError):
        small.nimber(-1, [], 1, 1, print)
