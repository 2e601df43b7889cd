"""Solving has limits of time and memory, and keeps nobody else waiting."""

import asyncio
import os
import signal
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from divisorduel.coach.hints import hint
from divisorduel.rules.code import read_code
from divisorduel.rules.errors import DuelError
from divisorduel.web.solving.solver_pool import MOST_WAITING, Busy, NoAnswer, SolverPool
from tests.web.clients import HERE, Server, joined_match, my_turn, new_match, solo
from tests.web.postgres import wait_until
from tests.web.tight import tight

GIGABYTE = 1 << 30
PATIENCE = 60.0
NO_TIME = -1 / 3
"""With the grace that is given to each, the limit is no time at all."""
EASY = "chain 2-8 2-8 -"
HARD = {"game": "antichain", "board": {"to": 1001}}
HARD_CODE = "antichain 2-1001 2-1001 -"


@contextmanager
def workers(count: int, seconds: float = 5.0, memory: int = GIGABYTE) -> Iterator[SolverPool]:
    made = SolverPool(count, seconds, memory)
    try:
        yield made
    finally:
        made.close()


def test_a_worker_answers_questions_one_after_the_other() -> None:
    async def ask() -> list[str]:
        with workers(1) as some:
            steps = (some.ask("hint", PATIENCE, code=EASY, step=step) for step in (1, 2, 3))
            return [(await step)["text"] for step in steps]

    position = read_code(EASY)
    assert asyncio.run(ask()) == [hint(*position, step) for step in (1, 2, 3)]


@pytest.mark.parametrize(
    ("seconds", "memory", "code"),
    [(NO_TIME, GIGABYTE, EASY), (60.0, 1, HARD_CODE)],
    ids=["time", "memory"],
)
def test_a_question_beyond_the_limits_is_given_up(seconds: float, memory: int, code: str) -> None:
    async def ask() -> None:
        with workers(1, seconds, memory) as some:
            for _ in range(1 if code == HARD_CODE else 20):
                with pytest.raises(NoAnswer, match="beyond what can be worked out"):
                    await some.ask("hint", PATIENCE, code=code, step=1)

    asyncio.run(ask())


def test_a_question_that_breaks_a_worker_costs_no_other_its_answer() -> None:
    async def ask() -> str:
        with workers(1) as some:
            with pytest.raises(NoAnswer):
                await some.ask("teleport", PATIENCE)
            found = await some.ask("hint", PATIENCE, code=EASY, step=1)
            return str(found["text"])

    assert asyncio.run(ask()) == "You can win this."


@pytest.mark.parametrize(
    ("job", "arguments", "sentence"),
    [
        ("hint", {"code": "nonsense", "step": 1}, "A position code has four parts"),
        ("check", {"record": '[Game "chain"]\n[Board "2-8"]\n\n8 5 *\n'}, "Line 4: turn 2 is"),
        ("check", {"record": '[Game "chain"]\n[Board "2-9000"]\n\n9 *\n'}, "On the page, a board"),
    ],
    ids=["code", "record", "board"],
)
def test_what_a_job_refuses_comes_back_with_its_sentence_and_the_worker_lives_on(
    job: str, arguments: dict[str, str | float], sentence: str
) -> None:
    before = children()

    async def ask() -> None:
        with workers(1) as some:
            for _ in range(2):
                with pytest.raises(DuelError) as error:
                    await some.ask(job, PATIENCE, **arguments)
                assert sentence in str(error.value)
                assert not isinstance(error.value, NoAnswer | Busy)
                assert len(children() - before) == 1

    asyncio.run(ask())


def test_a_worker_that_fails_though_it_had_answered_before_is_tried_afresh() -> None:
    before = children()

    async def ask() -> str:
        with workers(1) as some:
            await some.ask("hint", PATIENCE, code=EASY, step=1)
            [worker] = children() - before
            os.kill(worker, signal.SIGSTOP)  # it is asked, but does not get to answer
            asked = asyncio.create_task(some.ask("hint", PATIENCE, code=EASY, step=1))
            await asyncio.sleep(0.2)
            os.kill(worker, signal.SIGKILL)
            return str((await asked)["text"])

    assert asyncio.run(ask()) == "You can win this."


def test_a_question_waits_for_its_turn_no_longer_than_it_may() -> None:
    async def ask() -> None:
        with workers(1) as some:
            hard = asyncio.create_task(some.ask("explain", PATIENCE, code=HARD_CODE))
            await asyncio.sleep(0)
            with pytest.raises(Busy, match="too much to think about"):
                await some.ask("hint", 0.01, code=EASY, step=1)
            assert not hard.done()
            hard.cancel()

    asyncio.run(ask())


def test_whoever_asked_may_go_but_the_worker_is_free_only_when_it_has_finished() -> None:
    async def ask() -> str:
        with workers(1, 0.3) as some:
            gone = asyncio.create_task(some.ask("explain", PATIENCE, code=HARD_CODE))
            await asyncio.sleep(0.01)
            gone.cancel()
            with pytest.raises(Busy):
                await some.ask("hint", 0.0, code=EASY, step=1)
            return str((await some.ask("hint", PATIENCE, code=EASY, step=1))["text"])

    assert asyncio.run(ask()) == "You can win this."


def test_a_worker_that_was_ended_while_it_was_idle_is_replaced() -> None:
    before = children()

    async def ask() -> str:
        with workers(1) as some:
            await some.ask("hint", PATIENCE, code=EASY, step=1)
            [worker] = children() - before
            os.kill(worker, signal.SIGKILL)
            for _ in wait_until("it has ended"):
                if worker not in children():
                    break
            found = await some.ask("hint", PATIENCE, code=EASY, step=1)
            return str(found["text"])

    assert asyncio.run(ask()) == "You can win this."


def test_too_many_questions_are_turned_away_at_once() -> None:
    async def ask() -> list[object]:
        with workers(1) as some:
            questions = [
                some.ask("hint", PATIENCE, code=EASY, step=1) for _ in range(MOST_WAITING + 5)
            ]
            return list(await asyncio.gather(*questions, return_exceptions=True))

    answers = asyncio.run(ask())
    # One of them is looked at while the others wait.
    assert sum(isinstance(answer, Busy) for answer in answers) == 4
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


def test_closing_ends_every_process_though_questions_wait() -> None:
    before = children()

    async def ask() -> list[object]:
        some = SolverPool(2, 5.0, GIGABYTE)
        asked = [
            asyncio.create_task(some.ask("explain", PATIENCE, code=HARD_CODE)) for _ in range(20)
        ]
        for _ in wait_until("both work"):
            await asyncio.sleep(0)
            if len(children() - before) == 2:
                break
        some.close()
        return list(await asyncio.gather(*asked, return_exceptions=True))

    answers = asyncio.run(ask())
    assert children() == before
    assert all(isinstance(answer, NoAnswer | asyncio.CancelledError) for answer in answers)


# --- as a server does it


@pytest.fixture(scope="module")
def exhausted(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Run a server that has no time to solve anything."""
    with tight(tmp_path_factory.mktemp("tight"), thinking=NO_TIME) as server:
        yield server


def test_what_cannot_be_worked_out_is_refused_and_the_game_goes_on(exhausted: Server) -> None:
    with joined_match(exhausted.url) as match:
        for refused in (
            match.one.post(f"{match.one.at}/hint", 503, step=1),
            match.one.get(f"{match.one.at}/why", 503),
        ):
            assert refused["reason"].startswith("This is beyond what can be worked out here")
        assert match.one.take(8)["match"]["turns"] == [8]
        match.two.do("forfeit")
        match.one.get(f"{match.one.at}/rounds/1/review", 503)


def test_a_computer_that_cannot_think_plays_what_looks_good_and_says_so(exhausted: Server) -> None:
    players = [HERE, {"who": "computer", "kind": "perfect"}]
    with (
        new_match(exhausted.url, board={"to": 50}, players=players) as match,
        match.one.listen() as ann,
    ):
        ann.do("take", number=8)
        assert "too large to be solved in time" in ann.hear("notice")["text"]
        while len(ann.match["turns"]) < 2:
            ann.hear("step")
        assert ann.match["to_move"] == 1


def test_a_hard_question_keeps_nobody_else_waiting(tmp_path: Path) -> None:
    with (
        tight(tmp_path, thinking=2) as server,
        ThreadPoolExecutor(1) as threads,
        joined_match(server.url, **HARD) as hard,
        joined_match(server.url) as easy,
    ):
        answer = threads.submit(hard.one.get, f"{hard.one.at}/why")
        for _ in wait_until("somebody thinks"):
            if server.workers():
                break
        assert easy.one.take(8)["match"]["turns"] == [8]
        assert easy.two.take(4)["match"]["turns"] == [8, 4]
        assert hard.one.take(2)["match"]["turns"] == [2]
        assert not answer.done()
        assert "beyond what can be proven here" in answer.result(60)["text"]


@pytest.mark.thorough
def test_a_flood_of_hard_questions_keeps_no_computer_opponent_waiting(tmp_path: Path) -> None:
    with (
        ThreadPoolExecutor(3) as threads,
        tight(tmp_path, thinking=20) as server,
        joined_match(server.url, **HARD) as hard,
        solo(server.url, board={"to": 50}) as match,
    ):
        asked = {threads.submit(hard.one.http.get, f"/api{hard.one.at}/why") for _ in range(3)}
        done, asked = wait(asked, return_when=FIRST_COMPLETED)
        [refused] = [answer.result() for answer in done]
        assert refused.status_code == 429
        assert refused.json() == {"reason": "Your last question is still being thought about."}
        assert refused.headers["retry-after"] == "10"
        match.one.take(8)
        assert len(my_turn(match)["turns"]) == 2
        assert not [answer for answer in asked if answer.done()]
        server.kill()
        for answer in asked:
            assert isinstance(answer.exception(30), httpx.HTTPError)
