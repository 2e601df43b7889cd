"""What the routes share: how many questions and commands an address may send."""

import asyncio
from collections import Counter
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
from fastapi import Request

from divisorduel.web.dependencies import (
    MANY_NUMBERS,
    MOST_QUESTIONS,
    Caller,
    answer_in_thread,
    ask_coach,
    carry_out,
)
from divisorduel.web.rate_limit import RateLimit
from divisorduel.web.schemas.problems import ApiError, CommandRefused
from divisorduel.web.schemas.requests import Submission
from tests.web.live.hubs import FakeClock, stored_match

ANN, BOB = "192.0.2.1", "192.0.2.2"


def request_from(address: str) -> Request:
    return Request({"type": "http", "client": (address, 1234), "headers": []})


class Solvers:
    """Solvers that answer when the test says so."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, asyncio.Future[str]]] = []

    async def run(self, address: str, *_: Any, **__: Any) -> str:
        answer: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self.asked.append((address, answer))
        return await answer


def services(**more: Any) -> Any:
    clock = FakeClock()
    about = {
        "solvers": Solvers(),
        "open_questions": Counter[str](),
        "question_limit": RateLimit(1000, clock),
        "command_limit": RateLimit(1000, clock),
        "address_limit": RateLimit(1000, clock),
    }
    return SimpleNamespace(**{**about, **more})


async def ask(some: Any, address: str) -> "asyncio.Task[Any]":
    task = asyncio.create_task(ask_coach(some, request_from(address), "hint", code=""))
    await asyncio.sleep(0)
    return task


def code_of(task: "asyncio.Task[Any]") -> str:
    error = task.exception()
    assert isinstance(error, ApiError)
    return error.problem.code


# --- questions in progress


def test_an_address_may_have_a_few_questions_in_progress_and_no_more() -> None:
    async def scenario() -> None:
        some = services()
        pending = [await ask(some, ANN) for _ in range(MOST_QUESTIONS)]
        refused = await ask(some, ANN)
        assert code_of(refused) == "question-pending"
        assert some.open_questions == {ANN: MOST_QUESTIONS}
        assert not any(task.done() for task in pending)
        pending.append(await ask(some, BOB))
        assert [address for address, _ in some.solvers.asked] == [ANN] * MOST_QUESTIONS + [BOB]
        for _, answer in some.solvers.asked:
            answer.set_result("done")
        assert await asyncio.gather(*pending) == ["done"] * 3
        assert some.open_questions == {}

    asyncio.run(scenario())


Ending = Callable[["asyncio.Task[Any]", "asyncio.Future[str]"], object]
ENDINGS: dict[str, Ending] = {
    "answered": lambda _, answer: answer.set_result("done"),
    "failed": lambda _, answer: answer.set_exception(ZeroDivisionError()),
    "cancelled": lambda task, _: task.cancel(),
}


@pytest.mark.parametrize("end", ENDINGS.values(), ids=ENDINGS)
def test_a_question_that_has_ended_makes_room_for_one_more(end: Ending) -> None:
    async def scenario() -> None:
        some = services()
        for _ in range(5):
            tasks = [await ask(some, ANN) for _ in range(MOST_QUESTIONS)]
            first = some.solvers.asked[-MOST_QUESTIONS][1]
            end(tasks[0], first)
            await asyncio.gather(tasks[0], return_exceptions=True)
            assert some.open_questions == {ANN: MOST_QUESTIONS - 1}
            tasks.append(await ask(some, ANN))
            assert not tasks[-1].done()
            assert code_of(await ask(some, ANN)) == "question-pending"
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            assert some.open_questions == {}

    asyncio.run(scenario())


# --- limits for each address


def test_commands_are_limited_for_each_address_over_all_its_keys() -> None:
    clock = FakeClock()
    some = services(address_limit=RateLimit(3, clock))
    submission = Submission.model_validate({"version": 9, "command": {"type": "undo"}})

    async def refused(match_id: str, seats: int, address: str) -> str:
        live: Any = SimpleNamespace(id=match_id, match=stored_match(clock).match)
        some.hub = SimpleNamespace(submit=submit)
        try:
            await carry_out(some, Caller(live, seats, address), submission)
        except CommandRefused as error:
            return error.problem.code
        return ""

    async def submit(*_: Any, **__: Any) -> Any:
        return SimpleNamespace(refusal=None)

    async def scenario() -> None:
        told = [await refused(f"m{number}", 1 + number % 2, ANN) for number in range(5)]
        assert told == ["", "", "", "too-many-commands", "too-many-commands"]
        assert await refused("m0", 1, BOB) == ""
        clock.advance(60)
        assert await refused("m0", 1, ANN) == ""

    asyncio.run(scenario())


def test_large_answers_are_written_as_long_jobs_and_count_as_questions() -> None:
    lanes = list[bool]()

    class Background:
        async def run(self, job: Callable[[], str], *, address: str, long: bool) -> str:
            assert address == ANN
            lanes.append(long)
            return job()

    some = services(background=Background(), question_limit=RateLimit(2, FakeClock()))

    async def write(numbers: int) -> str:
        return await answer_in_thread(some, request_from(ANN), lambda: "text", numbers)

    async def scenario() -> None:
        assert [await write(MANY_NUMBERS) for _ in range(5)] == ["text"] * 5
        assert [await write(MANY_NUMBERS + 1) for _ in range(2)] == ["text"] * 2
        assert lanes == [False] * 5 + [True] * 2
        with pytest.raises(ApiError) as error:
            await write(MANY_NUMBERS + 1)
        assert error.value.status_code == 429
        assert await write(1) == "text"

    asyncio.run(scenario())
