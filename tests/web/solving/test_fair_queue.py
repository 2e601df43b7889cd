"""The queue for the solvers: fair between addresses, and between players and the coach."""

import asyncio
from collections import Counter
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from divisorduel.web.solving.fair_queue import MOST_WAITING, FairQueue, JobGroup, ServerBusy
from tests.conftest import examples

ANN, BOB = "192.0.2.1", "192.0.2.2"
PATIENCE = 60.0
PLAYER, COACH = JobGroup(ANN, for_people=False), JobGroup(ANN, for_people=True)
LONG = JobGroup(ANN, for_people=True, long=True)
STRANGER = JobGroup("192.0.2.3", for_people=False)


def order_of_turns(
    slots: int, running: Sequence[JobGroup], arrivals: Sequence[JobGroup]
) -> list[JobGroup]:
    """Let jobs arrive while others run, one finishing at a time; return the order of turns."""

    async def take_turns() -> list[JobGroup]:
        queue, turns = FairQueue(slots), list[JobGroup]()

        async def job(group: JobGroup) -> None:
            await queue.acquire(group, PATIENCE)
            turns.append(group)

        for group in running:
            await queue.acquire(group, 0.0)
        jobs = [asyncio.create_task(job(group)) for group in arrivals]
        await asyncio.sleep(0)
        for group in running:
            queue.release(group)
            await asyncio.sleep(0)
        for turn in range(len(arrivals)):
            while len(turns) <= turn:
                await asyncio.sleep(0)
            queue.release(turns[turn])
            await asyncio.sleep(0)
        await asyncio.gather(*jobs)
        return turns

    return asyncio.run(asyncio.wait_for(take_turns(), 30))


async def is_full_for(queue: FairQueue, group: JobGroup) -> bool:
    """Tell whether a job of a group has to wait."""
    try:
        await queue.acquire(group, 0.0)
    except ServerBusy:
        return True
    queue.release(group)
    return False


LINES = [
    (PLAYER, COACH),
    (COACH, PLAYER),
    (PLAYER, JobGroup(BOB, for_people=False)),
    (COACH, JobGroup(BOB, for_people=True)),
    (LONG, JobGroup(BOB, for_people=True, long=True)),
    (PLAYER, LONG),
]


@pytest.mark.parametrize("slots", [1, 2, 3])
@pytest.mark.parametrize(("first", "second"), LINES)
def test_groups_take_turns_while_jobs_wait_in_both(
    slots: int, first: JobGroup, second: JobGroup
) -> None:
    arrivals = [first] * 6 + [second] * 3
    order = order_of_turns(slots, [STRANGER] * slots, arrivals)
    assert order == [first, second] * 3 + [first] * 3


@pytest.mark.parametrize("long", [False, True])
@pytest.mark.parametrize("for_people", [False, True])
def test_an_address_waits_for_one_job_of_another_that_has_jobs_of_both_kinds_waiting(
    for_people: bool, long: bool
) -> None:
    hers = [JobGroup(ANN, kind, long) for kind in (False, True)]
    his = JobGroup(BOB, for_people, long)
    assert order_of_turns(1, hers[:1], [*hers * 3, his])[0] == his
    assert order_of_turns(1, [STRANGER], [*hers * 3, his])[1] == his


class WatchedQueue:
    """A queue with the jobs that run and wait in it, and what a job has waited for."""

    def __init__(self, slots: int) -> None:
        self._queue = FairQueue(slots)
        self._waiting: list[tuple[JobGroup, asyncio.Task[None]]] = []
        self._running: list[JobGroup] = []
        self._running_before: dict[asyncio.Task[None], Counter[str]] = {}
        """For a job that was the only one of its address and length: whose jobs of this length were
        running when it arrived."""
        self._started_since: dict[asyncio.Task[None], Counter[str]] = {}

    async def arrive(self, group: JobGroup) -> None:
        others = [*self._running, *(waiting for waiting, _ in self._waiting)]
        task = asyncio.create_task(self._queue.acquire(group, PATIENCE))
        if not any(_same_turn(group, other) for other in others):
            running = (one.address for one in self._running if one.long == group.long)
            self._running_before[task] = Counter(running)
            self._started_since[task] = Counter()
        self._waiting.append((group, task))
        await self._watch()

    async def finish(self, which: int) -> None:
        if self._running:
            self._queue.release(self._running.pop(which % len(self._running)))
            await self._watch()

    async def finish_all(self) -> None:
        while self._running:
            await self.finish(0)
        assert not self._waiting
        assert not self._queue._groups
        assert not self._queue._turns

    async def _watch(self) -> None:
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        started = [one for one in self._waiting if one[1].done()]
        assert len(started) <= 1
        for group, task in started:
            self._waiting.remove((group, task))
            self._running.append(group)
            for other, still in self._waiting:
                if other.long == group.long and still in self._started_since:
                    self._started_since[still][group.address] += 1
                    before = self._running_before[still][group.address]
                    assert before + self._started_since[still][group.address] <= 1


def _same_turn(one: JobGroup, other: JobGroup) -> bool:
    return (one.address, one.long) == (other.address, other.long)


GROUPS = st.builds(JobGroup, st.sampled_from("abcd"), st.booleans(), st.booleans())


@settings(max_examples=examples(400), deadline=None)
@given(st.integers(1, 4), st.lists(GROUPS | st.integers(0, 3), max_size=60))
def test_while_the_only_job_of_an_address_waits_any_other_address_starts_at_most_one(
    slots: int, happens: list[JobGroup | int]
) -> None:
    async def take_turns() -> None:
        queue = WatchedQueue(slots)
        for one in happens:
            await (queue.finish(one) if isinstance(one, int) else queue.arrive(one))
        await queue.finish_all()

    asyncio.run(take_turns())


def test_an_address_waits_for_one_turn_of_every_other_group_however_many_jobs_they_have() -> None:
    others = [JobGroup(f"192.0.2.{number}", for_people=False) for number in range(10, 13)]
    arrivals = [group for group in others for _ in range(30)] + [JobGroup(BOB, for_people=False)]
    order = order_of_turns(1, [PLAYER], arrivals)
    assert order.index(JobGroup(BOB, for_people=False)) == len(others)


@pytest.mark.parametrize("slots", [2, 3, 5])
def test_long_jobs_leave_a_process_free_for_short_ones_from_any_address(slots: int) -> None:
    async def flood() -> None:
        queue = FairQueue(slots)
        for number in range(slots - 1):
            await queue.acquire(JobGroup(f"192.0.2.{number}", for_people=True, long=True), 0.0)
        for address in (ANN, BOB):
            for for_people in (True, False):
                assert await is_full_for(queue, JobGroup(address, for_people, long=True))
                assert not await is_full_for(queue, JobGroup(address, for_people))
        queue.release(JobGroup("192.0.2.0", for_people=True, long=True))
        assert not await is_full_for(queue, LONG)

    asyncio.run(flood())


def test_a_short_job_does_not_wait_for_a_long_one_that_came_before_it() -> None:
    async def overtake() -> None:
        queue = FairQueue(2)
        await queue.acquire(LONG, 0.0)
        await queue.acquire(PLAYER, 0.0)
        long = asyncio.create_task(queue.acquire(LONG, PATIENCE))
        await asyncio.sleep(0)
        short = asyncio.create_task(queue.acquire(COACH, PATIENCE))
        await asyncio.sleep(0)
        queue.release(PLAYER)
        await short
        assert not long.done()
        queue.release(LONG)
        await long

    asyncio.run(asyncio.wait_for(overtake(), 30))


def test_a_single_process_also_takes_long_jobs() -> None:
    async def run() -> None:
        queue = FairQueue(1)
        await queue.acquire(LONG, 0.0)
        assert await is_full_for(queue, PLAYER)
        queue.release(LONG)
        assert not await is_full_for(queue, PLAYER)

    asyncio.run(run())


@pytest.mark.parametrize("group", [PLAYER, COACH])
def test_short_jobs_of_one_group_use_every_process(group: JobGroup) -> None:
    async def use_all() -> None:
        queue = FairQueue(3)
        for _ in range(3):
            await queue.acquire(group, 0.0)
        assert await is_full_for(queue, group)

    asyncio.run(use_all())


def test_a_job_that_is_cancelled_while_it_waits_takes_no_process_with_it() -> None:
    async def cancel() -> None:
        queue = FairQueue(1)
        await queue.acquire(PLAYER, 0.0)
        waiting = [
            asyncio.create_task(queue.acquire(group, PATIENCE)) for group in (COACH, PLAYER, COACH)
        ]
        await asyncio.sleep(0)
        waiting[0].cancel()  # it is still in the queue when the process becomes free
        waiting[1].cancel()
        queue.release(PLAYER)
        await waiting[2]
        queue.release(COACH)
        await asyncio.gather(*waiting, return_exceptions=True)
        assert not queue._groups
        for group in (PLAYER, COACH, LONG):
            assert not await is_full_for(queue, group)

    asyncio.run(asyncio.wait_for(cancel(), 30))


def test_a_process_that_becomes_free_as_its_job_is_cancelled_is_not_lost() -> None:
    async def cancel() -> None:
        queue = FairQueue(1)
        await queue.acquire(PLAYER, 0.0)
        waiting = asyncio.create_task(queue.acquire(LONG, PATIENCE))
        await asyncio.sleep(0)
        queue.release(PLAYER)
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
        await queue.acquire(LONG, 0.0)

    asyncio.run(cancel())


@pytest.mark.parametrize(
    "other", [PLAYER, JobGroup(BOB, for_people=True)], ids=["player", "other address"]
)
def test_no_one_is_turned_away_because_too_many_jobs_wait_in_another_group(other: JobGroup) -> None:
    async def ask() -> None:
        queue = FairQueue(1)
        await queue.acquire(PLAYER, 0.0)
        questions = [
            asyncio.create_task(queue.acquire(COACH, PATIENCE)) for _ in range(MOST_WAITING + 1)
        ]
        patient = asyncio.create_task(queue.acquire(other, PATIENCE))
        await asyncio.sleep(0)
        [refused] = [question for question in questions if question.done()]
        assert isinstance(refused.exception(), ServerBusy)
        assert not patient.done()
        for task in (*questions, patient):
            task.cancel()
        await asyncio.gather(*questions, patient, return_exceptions=True)
        assert not queue._groups

    asyncio.run(ask())


def test_a_group_in_which_no_one_waits_is_forgotten() -> None:
    async def ask() -> None:
        queue = FairQueue(1)
        await queue.acquire(PLAYER, 0.0)
        for number in range(100):
            assert await is_full_for(queue, JobGroup(f"192.0.2.{number}", for_people=True))
        assert not queue._groups

    asyncio.run(ask())
