"""Tasks are done by processes on this machine, even if some are killed."""

import os
import signal
import time
from dataclasses import replace
from threading import Thread

import pytest

from divisorduel.lab.executors.local import LocalExecutor
from divisorduel.lab.series import Series
from divisorduel.lab.table import Row
from divisorduel.lab.tasks import Failure, Limits, tasks_of, work
from divisorduel.solve.nimbers import nimbers_of


@pytest.fixture(autouse=True)
def python_solvers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Use the slow solvers, so that there is time to kill processes."""
    monkeypatch.setenv("DUEL_SOLVER", "pure")


def kill_worker(executor: LocalExecutor, times: int) -> Thread:
    """Kill busy worker processes, this many in all."""

    def kill() -> None:
        killed: set[int] = set()
        while len(killed) < times:
            for worker, _ in [*executor._busy.values()]:
                pid = worker.process.pid
                if pid is not None and pid not in killed:
                    os.kill(pid, signal.SIGKILL)
                    killed.add(pid)
            time.sleep(0.01)

    thread = Thread(target=kill, daemon=True)
    thread.start()
    return thread


def proven(row: Row | Failure) -> tuple[object, ...]:
    assert isinstance(row, Row)
    return (row.n, row.outcome, row.nimber, row.winning_first_moves)


def test_several_processes_find_the_same_rows_as_one() -> None:
    tasks = [*tasks_of(Series("divider", 2, 16), (), Limits(), split=False)]
    with LocalExecutor(2) as executor:
        found = {task.n: proven(row) for task, row in executor.run(tasks)}
    assert found == {task.n: proven(work(task)) for task in tasks}


def test_the_task_of_a_killed_process_is_done_again() -> None:
    tasks = [*tasks_of(Series("divider", 27, 28), (), Limits(), split=False)]
    with LocalExecutor(1) as executor:
        killing = kill_worker(executor, 1)
        found = {task.n: proven(row) for task, row in executor.run(tasks)}
        killing.join()
    assert found == {task.n: proven(work(task)) for task in tasks}


def test_a_task_whose_process_dies_twice_is_reported_and_the_others_continue() -> None:
    [deadly] = tasks_of(Series("divider", 40, 40), (), Limits(), split=False)
    others = [*tasks_of(Series("divider", 2, 4), (), Limits(), split=False)]
    with LocalExecutor(1) as executor:
        killing = kill_worker(executor, 2)
        answers = dict(executor.run([deadly, *others]))
        killing.join()
    answer = answers[deadly]
    assert isinstance(answer, Failure)
    assert "died 2 times" in answer.reason
    assert [proven(answers[task]) for task in others] == [proven(work(task)) for task in others]


def test_a_row_that_is_not_proven_in_time_has_a_question_mark() -> None:
    [task] = tasks_of(Series("divider", 60, 60), (), Limits(seconds=0.1), split=False)
    with LocalExecutor(1) as executor:
        [(_, row)] = executor.run([task])
    assert isinstance(row, Row)
    assert row.outcome == "?"


def test_an_error_in_one_task_does_not_end_the_others() -> None:
    [good] = tasks_of(Series("divider", 4, 4), (), Limits(), split=False)
    bad = replace(good, board="nonsense", n=5)
    with LocalExecutor(1) as executor:
        answers = dict(executor.run([bad, good]))
    failure = answers[bad]
    assert isinstance(failure, Failure)
    assert "the solver failed: BoardError 'nonsense' is not a board" in failure.reason
    assert proven(answers[good]) == proven(work(good))


def test_closing_a_run_ends_busy_processes_and_leaving_the_context_ends_all() -> None:
    tasks = [*tasks_of(Series("divider", 2, 60), (), Limits(), split=False)]
    with LocalExecutor(2) as executor:
        answers = executor.run(tasks)
        next(answers)
        [idle] = executor._idle
        busy = [worker.process.pid for worker, _ in executor._busy.values()]
        answers.close()
        assert not any(map(is_running, busy))
        assert is_running(idle.process.pid)
        assert len([*executor.run(tasks[:3])]) == 3
    assert not is_running(idle.process.pid)


def is_running(pid: int | None) -> bool:
    assert pid is not None
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def test_boards_solved_together_need_fewer_positions() -> None:
    def positions(*, together: bool) -> int:
        tasks = tasks_of(Series("divider", 2, 24), (), Limits(), together=together)
        with LocalExecutor(1) as executor:
            rows = [row for _, row in executor.run(tasks) if isinstance(row, Row)]
        return sum(row.positions or 0 for row in rows)

    assert 0 < 2 * positions(together=True) < positions(together=False)


def test_the_cache_of_a_board_is_evicted_for_the_next() -> None:
    nimbers_of.cache_clear()
    tasks = [*tasks_of(Series("antichain", 20, 22), (), Limits(memory=2**20))]
    for task in (*tasks, tasks[0], tasks[0]):
        work(task)
        assert nimbers_of.cache_info().currsize == 1
    assert nimbers_of.cache_info().hits == 1, "the same board twice in a row"
