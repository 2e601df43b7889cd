"""Steps are written in batches, and every caller learns what became of its own."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

import pytest

from divisorduel.play.events import NumberTaken
from divisorduel.store.rooms import PlayerPresence, Step
from divisorduel.web.live.batch_writer import BATCH_SIZE, BatchWriter


class FakeRooms:
    """Rooms that remember what was written; some steps fail or come too late."""

    def __init__(self) -> None:
        self.batches: list[list[int]] = []
        self.error: Exception | None = None

    def write(self, taken: Sequence[Step], _: Sequence[PlayerPresence]) -> list[bool]:
        self.batches.append([step.version for step in taken])
        if self.error is not None:
            raise self.error
        return [step.version > 0 for step in taken]


def step(version: int) -> Step:
    return Step("m", version, (NumberTaken(8),), 1.0)


def run(scenario: Callable[[BatchWriter, FakeRooms], Awaitable[None]]) -> None:
    async def go() -> None:
        rooms: Any = FakeRooms()
        writer = BatchWriter(rooms)
        await scenario(writer, rooms)
        await writer.close()

    asyncio.run(go())


def test_what_arrives_together_is_written_together() -> None:
    async def scenario(writer: BatchWriter, rooms: FakeRooms) -> None:
        written = await asyncio.gather(*(writer.write(step(n)) for n in (1, 2, 0, 3)))
        assert written == [True, True, False, True]
        assert rooms.batches == [[1, 2, 0, 3]]

    run(scenario)


def test_a_batch_has_a_maximum_size() -> None:
    async def scenario(writer: BatchWriter, rooms: FakeRooms) -> None:
        await asyncio.gather(*(writer.write(step(n)) for n in range(1, BATCH_SIZE + 3)))
        assert [len(batch) for batch in rooms.batches] == [BATCH_SIZE, 2]

    run(scenario)


def test_an_error_reaches_every_caller_and_the_next_batch_is_written() -> None:
    async def scenario(writer: BatchWriter, rooms: FakeRooms) -> None:
        rooms.error = OSError("full")
        failed = await asyncio.gather(
            *(writer.write(step(n)) for n in (1, 2)), return_exceptions=True
        )
        assert failed == [rooms.error] * 2
        rooms.error = None
        assert await writer.write(step(1))

    run(scenario)


def test_a_caller_that_fails_or_is_gone_does_not_keep_others_from_being_told(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def scenario(writer: BatchWriter, _: FakeRooms) -> None:
        def fail(_: bool | Exception) -> None:
            raise ValueError("a mistake")

        writer.add(step(1), fail)
        gone = asyncio.ensure_future(writer.write(step(2)))
        last = asyncio.ensure_future(writer.write(step(3)))
        await asyncio.sleep(0)
        gone.cancel()
        assert await last
        await writer.flush()
        assert [record.message for record in caplog.records] == [
            "A step was written, but could not be published."
        ]

    run(scenario)
