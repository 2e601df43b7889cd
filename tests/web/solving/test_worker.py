"""The program of a worker process, and its judge: a job has one time limit for all positions."""

import json
import subprocess
import sys

import pytest

from divisorduel import Position, game, solve
from divisorduel.play import players
from divisorduel.rules.game import Game
from divisorduel.solve.budget import Budget
from divisorduel.solve.verdict import Verdict
from divisorduel.web.solving.worker import MOST_LINES, JobJudge, analyse_position, read_lines


class Clock:
    """A clock that only the test moves."""

    now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def judge(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> JobJudge:
    """Return a judge with ten seconds for a job. A search takes four seconds, or what is left."""
    made = JobJudge(10.0, clock)

    def search(chosen: Game, position: Position, _: Budget) -> Verdict:
        left = made.left
        clock.now += min(4.0, max(left, 0.0))
        return solve(chosen, position, Budget() if left > 4.0 else Budget(0.0))

    monkeypatch.setattr(players, "solve", search)
    return made


def verdict(judge: JobJudge, number: int) -> Verdict:
    chosen = game("antichain", to=40 + number)
    return judge.verdict(chosen, chosen.start())


def test_the_positions_of_a_job_share_its_time(judge: JobJudge) -> None:
    assert [verdict(judge, number).proven for number in range(4)] == [True, True, False, False]
    assert not judge.has_finished
    judge.begin()
    assert judge.has_finished


def test_a_job_is_finished_if_everything_was_proven_in_time(judge: JobJudge, clock: Clock) -> None:
    verdict(judge, 0)
    assert judge.has_finished
    clock.now += 6.0
    assert not judge.has_finished


def test_a_verdict_that_had_little_time_is_not_cached(judge: JobJudge) -> None:
    assert [verdict(judge, number).proven for number in range(3)] == [True, True, False]
    judge.begin()
    assert verdict(judge, 2).proven


def test_a_verdict_that_had_the_whole_time_is_cached_even_if_it_is_not_proven(
    judge: JobJudge, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(players, "solve", lambda chosen, at, _: solve(chosen, at, Budget(0.0)))
    assert not verdict(judge, 0).proven
    monkeypatch.undo()
    judge.begin()
    assert not verdict(judge, 0).proven
    assert not judge.has_finished


CHATTY = """
import sys
from divisorduel.web.solving import worker
worker.JOBS["chat"] = lambda judge: print("Hello!") or {"said": 8}
sys.argv = ["worker", str(1 << 30)]
worker.main()
"""


def test_a_rule_book_that_prints_something_does_not_disturb_the_answers() -> None:
    asked = json.dumps({"job": "chat", "with": {}, "seconds": 5.0})
    done = subprocess.run(
        [sys.executable, "-c", CHATTY],
        input=f"\n{asked}\n{asked}\n",
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    ready, *answers = done.stdout.splitlines()
    assert ready == ""
    assert [json.loads(answer) for answer in answers] == [
        {"answer": {"said": 8}, "finished": True}
    ] * 2


def test_a_position_too_large_to_solve_is_reported_and_no_move_is_marked() -> None:
    judge = JobJudge(0.05)
    found = analyse_position(judge, "antichain 2-300 2-300 -")
    assert (found["winner"], found["proven"], found["nimber"]) == (None, False, None)
    assert {option["wins"] for option in found["options"]} == {None}
    assert found["text"].startswith("This position is too large to solve in the time allowed")
    assert found["reason"]["code"] == "unproven"
    assert not judge.has_finished


def test_the_lines_of_a_record_are_limited() -> None:
    variations = "(4) " * (MOST_LINES + 10)
    found = read_lines(JobJudge(1.0), f'[Game "chain"]\n[Board "2-8"]\n\n8 {variations}*\n')
    assert len(found["lines"]) == MOST_LINES
