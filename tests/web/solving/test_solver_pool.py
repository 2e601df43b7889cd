"""The solver processes: limits of time and memory, and a fair queue."""

import asyncio
import errno
import os
import signal
import subprocess
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from divisorduel import game
from divisorduel.coach.hints import hint
from divisorduel.rules.code import read_code, write_code
from divisorduel.rules.errors import DuelError
from divisorduel.web.server_settings import ServerSettings
from divisorduel.web.solving import solver_pool
from divisorduel.web.solving.fair_queue import MOST_WAITING, ServerBusy
from divisorduel.web.solving.solver_pool import (
    SECONDS_TO_WAIT,
    LimitExceeded,
    SolverPool,
    _SolverProcess,
)
from divisorduel.words.advice import hint_text
from tests.polling import wait_until
from tests.web.clients import HERE, Server, joined_match, my_turn, new_match, solo
from tests.web.custom_server import custom_server

ANN, BOB = "192.0.2.1", "192.0.2.2"
GIGABYTE = 1 << 30
PATIENCE = 60.0
NO_TIME = -1 / 3
"""Even with the grace period, this limit leaves no time."""
EASY = "chain 2-8 2-8 -"
HARD = {"game": "antichain", "board": {"to": 1001}}
HARD_CODE = "antichain 2-1001 2-1001 -"
NOTHING: dict[str, Any] = {}
PERFECT: dict[str, Any] = {"kind": "perfect", "seed": 1}
HARD_JOBS = [("explain", NOTHING), ("choose", PERFECT)]


@contextmanager
def workers(count: int, seconds: float = 5.0, memory: int = GIGABYTE) -> Iterator[SolverPool]:
    made = SolverPool(count, seconds, memory)
    try:
        yield made
    finally:
        made.close()


def hard_code(number: int) -> str:
    """Return one of many positions that cannot be solved in a minute."""
    g = game("antichain", to=1001 - number)
    return write_code(g, g.start())


async def until_long_jobs_wait(some: SolverPool) -> None:
    """Wait until hard jobs have had their short try and have no free process."""
    for _ in wait_until("long jobs wait"):
        await asyncio.sleep(0)
        if sum(len(jobs) for group, jobs in some._slots._groups.items() if group.long) > 1:
            break


def test_a_worker_answers_questions_one_after_the_other() -> None:
    async def ask() -> list[str]:
        with workers(1) as some:
            steps = (some.run(ANN, "hint", PATIENCE, code=EASY, step=step) for step in (1, 2, 3))
            return [(await step)["text"] for step in steps]

    position = read_code(EASY)
    assert asyncio.run(ask()) == [hint_text(hint(*position, step)) for step in (1, 2, 3)]


@pytest.mark.parametrize(
    ("seconds", "memory", "code"),
    [(NO_TIME, GIGABYTE, EASY), (60.0, 1, HARD_CODE)],
    ids=["time", "memory"],
)
def test_a_question_beyond_the_limits_is_given_up(seconds: float, memory: int, code: str) -> None:
    async def ask() -> None:
        with workers(1, seconds, memory) as some:
            for _ in range(1 if code == HARD_CODE else 20):
                with pytest.raises(LimitExceeded, match="too large to solve in the time allowed"):
                    await some.run(ANN, "hint", PATIENCE, code=code, step=1)

    asyncio.run(ask())


def test_a_question_that_breaks_a_worker_does_not_cost_the_next_one_its_answer() -> None:
    async def ask() -> str:
        with workers(1) as some:
            with pytest.raises(LimitExceeded):
                await some.run(ANN, "teleport", PATIENCE)
            found = await some.run(ANN, "hint", PATIENCE, code=EASY, step=1)
            return str(found["text"])

    assert asyncio.run(ask()) == "You can win this."


@pytest.mark.parametrize(
    ("job", "arguments", "sentence"),
    [
        ("hint", {"code": "nonsense", "step": 1}, "A position code has four parts"),
        (
            "check",
            {"record": '[Game "chain"]\n[Board "2-8"]\n\n8 5 *\n'},
            "Line 4: the move on turn 2 is",
        ),
        ("check", {"record": '[Game "chain"]\n[Board "2-9000"]\n\n9 *\n'}, "The page shows boards"),
    ],
    ids=["code", "record", "board"],
)
def test_a_job_that_refuses_returns_its_sentence_and_the_worker_survives(
    job: str, arguments: dict[str, Any], sentence: str
) -> None:
    before = children()

    async def ask() -> None:
        with workers(1) as some:
            for _ in range(2):
                with pytest.raises(DuelError) as error:
                    await some.run(ANN, job, PATIENCE, **arguments)
                assert sentence in str(error.value)
                assert not isinstance(error.value, LimitExceeded | ServerBusy)
                assert len(children() - before) == 1

    asyncio.run(ask())


def test_a_worker_that_fails_after_earlier_answers_is_replaced_for_one_more_try() -> None:
    before = children()

    async def ask() -> str:
        with workers(1) as some:
            await some.run(ANN, "hint", PATIENCE, code=EASY, step=1)
            [worker] = children() - before
            os.kill(worker, signal.SIGSTOP)  # it is asked, but does not get to answer
            asked = asyncio.create_task(some.run(ANN, "hint", PATIENCE, code=EASY, step=1))
            await asyncio.sleep(0.2)
            os.kill(worker, signal.SIGKILL)
            return str((await asked)["text"])

    assert asyncio.run(ask()) == "You can win this."


def test_a_question_waits_for_its_turn_no_longer_than_it_may() -> None:
    async def ask() -> None:
        with workers(1) as some:
            hard = asyncio.create_task(some.run(ANN, "explain", PATIENCE, code=HARD_CODE))
            await asyncio.sleep(0)
            with pytest.raises(ServerBusy, match="The server is busy"):
                await some.run(ANN, "hint", 0.01, code=EASY, step=1)
            assert not hard.done()
            hard.cancel()

    asyncio.run(ask())


def test_a_worker_is_free_only_when_it_has_finished_even_if_the_caller_is_gone() -> None:
    async def ask() -> str:
        with workers(1, 0.3) as some:
            gone = asyncio.create_task(some.run(ANN, "explain", PATIENCE, code=HARD_CODE))
            await asyncio.sleep(0.01)
            gone.cancel()
            with pytest.raises(ServerBusy):
                await some.run(ANN, "hint", 0.0, code=EASY, step=1)
            return str((await some.run(ANN, "hint", PATIENCE, code=EASY, step=1))["text"])

    assert asyncio.run(ask()) == "You can win this."


def test_a_worker_that_was_ended_while_it_was_idle_is_replaced() -> None:
    before = children()

    async def ask() -> str:
        with workers(1) as some:
            await some.run(ANN, "hint", PATIENCE, code=EASY, step=1)
            [worker] = children() - before
            os.kill(worker, signal.SIGKILL)
            for _ in wait_until("it has ended"):
                if worker not in children():
                    break
            found = await some.run(ANN, "hint", PATIENCE, code=EASY, step=1)
            return str(found["text"])

    assert asyncio.run(ask()) == "You can win this."


# --- how long a job can hold up others


class Clock:
    """A clock that a test sets."""

    def __init__(self) -> None:
        self.now = 0.0

    def monotonic(self) -> float:
        return self.now


@pytest.mark.parametrize("used_up", [0.5, 0.99])
def test_a_job_that_is_tried_again_has_only_the_rest_of_its_time(
    monkeypatch: pytest.MonkeyPatch, used_up: float
) -> None:
    clock, process, limits = Clock(), _SolverProcess(GIGABYTE), list[float]()
    monkeypatch.setattr(solver_pool, "time", clock)
    process._is_ready = True

    def fail(_question: str, limit: float) -> tuple[str, bool]:
        limits.append(limit)
        clock.now += used_up * limit
        return "", True

    monkeypatch.setattr(process, "_try", fail)
    with pytest.raises(LimitExceeded):
        process.ask({"job": "hint", "seconds": 5.0})
    assert limits[1] == pytest.approx((1 - used_up) * limits[0])


def test_one_job_cannot_use_up_the_time_for_which_others_wait(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    process, limits = _SolverProcess(GIGABYTE), list[float]()

    def answer(_question: str, limit: float) -> tuple[str, bool]:
        limits.append(limit)
        return "{}", True

    monkeypatch.setattr(process, "_try", answer)
    process.ask({"job": "hint", "seconds": ServerSettings(database="").thinking})
    assert max(limits) < SECONDS_TO_WAIT


# --- short tries and long jobs


def test_a_job_that_needs_more_than_a_short_try_gets_its_whole_time() -> None:
    g = game("divider", to=44)
    code = write_code(g, g.start())

    async def ask() -> None:
        with workers(1, seconds=60.0) as some:
            found = await some.run(ANN, "choose", PATIENCE, code=code, **PERFECT)
            assert not found["guess"]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(solver_pool, "SHORT_TRY", 0.0)  # it is never enough
        asyncio.run(ask())


def test_a_short_job_runs_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = list[float]()
    ask = _SolverProcess.ask

    def note(process: _SolverProcess, given: dict[str, Any]) -> dict[str, Any]:
        asked.append(given["seconds"])
        return ask(process, given)

    monkeypatch.setattr(_SolverProcess, "ask", note)
    monkeypatch.setattr(solver_pool, "SHORT_TRY", 30.0)

    async def run() -> None:
        with workers(1, seconds=60.0) as some:
            await some.run(ANN, "hint", PATIENCE, code=EASY, step=1)
            assert asked == [30.0]
            await some.run(ANN, "hint", PATIENCE, long=True, code=EASY, step=1)
            assert asked == [30.0, 60.0]

    asyncio.run(run())


@pytest.mark.parametrize("count", [2, 3])
@pytest.mark.thorough
def test_hard_questions_from_one_address_delay_no_simple_one_from_another(count: int) -> None:
    async def ask() -> None:
        with workers(count, seconds=120.0) as some:
            hard = [
                asyncio.create_task(some.run(ANN, job, PATIENCE, code=hard_code(number), **more))
                for number, (job, more) in enumerate(
                    [("explain", NOTHING), ("choose", PERFECT)] * 9
                )
            ]
            await asyncio.sleep(0.5)
            for _ in range(5):
                found = await some.run(BOB, "hint", PATIENCE, code=EASY, step=1)
                assert found["text"] == "You can win this."
                chosen = await some.run(BOB, "choose", PATIENCE, code=EASY, **PERFECT)
                assert not chosen["guess"]
            assert not any(task.done() for task in hard)
            for task in hard:
                task.cancel()
            await asyncio.gather(*hard, return_exceptions=True)

    asyncio.run(ask())


@pytest.mark.thorough
def test_a_hard_question_does_not_wait_for_all_those_of_another_address() -> None:
    async def ask() -> None:
        with workers(2, seconds=1.0) as some:
            hard = [
                asyncio.create_task(some.run(ANN, "explain", PATIENCE, code=hard_code(number)))
                for number in range(8)
            ]
            await until_long_jobs_wait(some)
            await some.run(BOB, "explain", PATIENCE, code=hard_code(9))
            assert sum(task.done() for task in hard) < 7
            for task in hard:
                task.cancel()
            await asyncio.gather(*hard, return_exceptions=True)

    asyncio.run(ask())


# --- processes that cannot be started


class Shortage:
    """A system that has no room for the next processes."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, error: Exception) -> None:
        self.left = 0
        self._error, self._start = error, subprocess.Popen
        monkeypatch.setattr(subprocess, "Popen", self)
        monkeypatch.setattr(solver_pool, "PAUSES", (0.0, 0.0, 0.0))

    def __call__(self, *given: Any, **more: Any) -> Any:
        if self.left > 0:
            self.left -= 1
            raise self._error
        return self._start(*given, **more)


SHORTAGES = [
    OSError(errno.EMFILE, "Too many open files"),
    OSError(errno.ENOMEM, "Cannot allocate memory"),
    BlockingIOError(errno.EAGAIN, "Resource temporarily unavailable"),
]


@pytest.mark.parametrize("error", SHORTAGES, ids=lambda error: error.strerror)
def test_a_process_that_cannot_be_started_is_tried_again(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, error: OSError
) -> None:
    shortage = Shortage(monkeypatch, error)

    async def ask() -> None:
        with workers(1) as some:
            shortage.left = 3
            found = await some.run(ANN, "hint", PATIENCE, code=EASY, step=1)
            assert found["text"] == "You can win this."

    asyncio.run(ask())
    told = [record.getMessage() for record in caplog.records]
    assert told == [f"A solver process could not be started: {error}."] * 3


def test_a_shortage_costs_a_job_its_answer_but_not_the_next_job(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    shortage = Shortage(monkeypatch, SHORTAGES[0])

    async def ask() -> None:
        with workers(2) as some:
            shortage.left = 1_000_000
            for _ in range(5):
                with pytest.raises(ServerBusy):
                    await some.run(ANN, "hint", PATIENCE, code=EASY, step=1)
            shortage.left = 0
            for _ in range(5):
                found = await some.run(ANN, "hint", PATIENCE, code=EASY, step=1)
                assert found["text"] == "You can win this."

    asyncio.run(ask())


def test_a_job_is_refused_as_busy_if_its_process_ends_as_it_starts(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(solver_pool, "PAUSES", (0.0,))
    monkeypatch.setattr(solver_pool, "WORKER", "divisorduel.no_such_module")

    async def ask() -> None:
        with workers(1) as some, pytest.raises(ServerBusy):
            await some.run(ANN, "hint", PATIENCE, code=EASY, step=1)

    asyncio.run(ask())


def test_closing_does_not_wait_for_a_process_that_cannot_be_started(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    shortage = Shortage(monkeypatch, SHORTAGES[0])
    monkeypatch.setattr(solver_pool, "PAUSES", (1_000_000.0,))

    async def ask() -> None:
        some = SolverPool(1, 5.0, GIGABYTE)
        shortage.left = 1_000_000
        asked = asyncio.create_task(some.run(ANN, "hint", PATIENCE, code=EASY, step=1))
        while shortage.left == 1_000_000:
            await asyncio.sleep(0.001)
        await asyncio.to_thread(some.close)
        with pytest.raises((LimitExceeded, ServerBusy)):
            await asked

    asyncio.run(asyncio.wait_for(ask(), 60))


def test_too_many_questions_are_turned_away_at_once() -> None:
    async def ask() -> list[object]:
        with workers(1) as some:
            questions = [
                some.run(ANN, "hint", PATIENCE, code=EASY, step=1) for _ in range(MOST_WAITING + 5)
            ]
            return list(await asyncio.gather(*questions, return_exceptions=True))

    answers = asyncio.run(ask())
    # One of them is looked at while the others wait.
    assert sum(isinstance(answer, ServerBusy) for answer in answers) == 4
    assert sum(isinstance(answer, dict) for answer in answers) == MOST_WAITING + 1


def children() -> set[int]:
    found = set()
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = status.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[1]) == os.getpid() and fields[0] != "Z":
            found.add(int(status.parent.name))
    return found


def test_closing_ends_every_process_even_if_questions_wait() -> None:
    before = children()

    async def ask() -> list[object]:
        some = SolverPool(2, 5.0, GIGABYTE)
        asked = [
            asyncio.create_task(some.run(ANN, job, PATIENCE, code=HARD_CODE, **more))
            for job, more in HARD_JOBS * 10
        ]
        for _ in wait_until("both work"):
            await asyncio.sleep(0)
            if len(children() - before) == 2:
                break
        some.close()
        return list(await asyncio.gather(*asked, return_exceptions=True))

    answers = asyncio.run(ask())
    assert children() == before
    assert all(isinstance(answer, LimitExceeded | asyncio.CancelledError) for answer in answers)


# --- as a server does it


@pytest.fixture(scope="module")
def exhausted(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Run a server that has no time to solve anything."""
    with custom_server(tmp_path_factory.mktemp("tight"), thinking=NO_TIME) as server:
        yield server


@pytest.mark.thorough
def test_a_position_that_is_too_hard_is_refused_and_the_game_continues(exhausted: Server) -> None:
    with joined_match(exhausted.url) as match:
        for refused in (
            match.one.post(f"{match.one.at}/hint", 503, step=1),
            match.one.get(f"{match.one.at}/why", 503),
        ):
            assert refused["reason"].startswith("This is too large to solve")
            assert refused["code"] == "too-hard"
        assert match.one.take(8)["match"]["turns"] == [8]
        match.two.do("forfeit")
        match.one.get(f"{match.one.at}/rounds/1/review", 503)


@pytest.mark.thorough
def test_a_computer_that_cannot_think_guesses_and_says_so(exhausted: Server) -> None:
    players = [HERE, {"who": "computer", "kind": "perfect"}]
    with (
        new_match(exhausted.url, board={"to": 50}, players=players) as match,
        match.one.listen() as ann,
    ):
        ann.do("take", number=8)
        assert "too large to solve in the time allowed" in ann.hear("notice")["text"]
        while len(ann.match["turns"]) < 2:
            ann.hear("step")
        assert ann.match["to_move"] == 1


@pytest.mark.thorough
def test_a_hard_question_delays_no_one_else(tmp_path: Path) -> None:
    with (
        custom_server(tmp_path, thinking=2) as server,
        ThreadPoolExecutor(1) as threads,
        joined_match(server.url, **HARD) as hard,
        joined_match(server.url) as easy,
    ):
        answer = threads.submit(hard.one.get, f"{hard.one.at}/why")
        for _ in wait_until("a solver works"):
            if server.workers():
                break
        assert easy.one.take(8)["match"]["turns"] == [8]
        assert easy.two.take(4)["match"]["turns"] == [8, 4]
        assert hard.one.take(2)["match"]["turns"] == [2]
        assert not answer.done()
        assert "too large to solve in the time allowed" in answer.result(60)["text"]


@pytest.mark.thorough
def test_a_flood_of_hard_questions_delays_no_computer_player(tmp_path: Path) -> None:
    with (
        ThreadPoolExecutor(3) as threads,
        custom_server(tmp_path, thinking=20) as server,
        joined_match(server.url, **HARD) as hard,
        solo(server.url, board={"to": 50}) as match,
    ):
        asked = {threads.submit(hard.one.http.get, f"/api{hard.one.at}/why") for _ in range(3)}
        done, asked = wait(asked, return_when=FIRST_COMPLETED)
        [refused] = [answer.result() for answer in done]
        assert refused.status_code == 429
        assert refused.json() == {
            "code": "question-pending",
            "reason": "The server is still working on your last request. Wait a moment.",
        }
        assert refused.headers["retry-after"] == "10"
        match.one.take(8)
        assert len(my_turn(match)["turns"]) == 2
        assert not [answer for answer in asked if answer.done()]
        server.kill()
        for answer in asked:
            assert isinstance(answer.exception(30), httpx.HTTPError)
