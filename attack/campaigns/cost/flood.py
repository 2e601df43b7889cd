"""Attackers who send costly requests, each one as soon as the one before is answered."""

import asyncio
import json
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from itertools import cycle, islice

from attack.campaigns.cost.costly_matches import CostlyMatch
from attack.campaigns.cost.costly_requests import Request
from attack.raw_connection import TEXT, RawConnection, connection_to, frame, websocket

AT_ONCE = 16
"""How many requests are open at a time, all from one address."""
SECONDS_FOR_FIRST = 60.0
"""How long to wait for the first answer if there is none yet."""


class Flood:
    """Requests that are sent many at once, and what came of them."""

    def __init__(self, requests: list[Request]) -> None:
        self._requests = requests
        self.answers: Counter[str] = Counter()
        self._longest = 0.0
        self._largest = 0
        self._versions: dict[str, int] = {}
        """The last version seen of each match, by its id."""

    def __str__(self) -> str:
        counted = self.answers.most_common()
        answers = ", ".join(f"{count} times {answer}" for answer, count in counted)
        return (
            f"{answers or 'no answers'}, the longest {self._longest:.1f} s, "
            f"the largest {self._largest:,} bytes"
        )

    async def run(self, port: int, seconds: float) -> None:
        """Send requests for some time, then leave those that are not answered yet."""
        end = time.monotonic() + seconds
        tasks = [asyncio.create_task(self._send(port, at, end)) for at in range(AT_ONCE)]
        await asyncio.wait(tasks, timeout=seconds + 1)
        while not self.answers and time.monotonic() < end + SECONDS_FOR_FIRST:
            await asyncio.sleep(0.1)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _send(self, port: int, at: int, end: float) -> None:
        for request in islice(cycle(self._requests), at, None):
            if time.monotonic() > end:
                return
            began = time.monotonic()
            try:
                status, size = await self._call(port, self._current(request))
            except OSError as error:
                status, size = type(error).__name__, 0
                await asyncio.sleep(0.1)
            self._count(status, time.monotonic() - began, size)
            await asyncio.sleep(0)

    def _count(self, answer: str, seconds: float, size: int) -> None:
        self.answers[answer] += 1
        self._longest = max(self._longest, seconds)
        self._largest = max(self._largest, size)

    def _current(self, request: Request) -> Request:
        """Return a command for the version that its match has by now: undo and redo in turn."""
        if request.match is None or not isinstance(request.body, dict):
            return request
        if "version" not in request.body:
            return request
        version = self._versions.get(request.match.id, request.match.version)
        kind = "undo" if (version - request.match.version) % 2 == 0 else "redo"
        body = {"version": version, "command": {"type": kind}}
        return Request(request.method, request.path, request.key, body, request.match)

    async def _call(self, port: int, request: Request) -> tuple[str, int]:
        """Make a request; return the status and the size of the answer."""
        async with connection_to(port) as line:
            await line.send(request.data)
            answer = await line.reader.read()
        head, _, body = answer.partition(b"\r\n\r\n")
        words = head.split(b" ", 2)
        if len(words) < 3:
            return "nothing", 0
        if request.match is not None and request.body is not None:
            with suppress(ValueError, LookupError, TypeError):
                told = json.loads(body)
                self._versions[request.match.id] = told.get("match", told)["version"]
        return words[1].decode(), len(answer)


class MessageFlood(Flood):
    """The same over WebSockets: each says hello to a match, and sends one command after another."""

    async def _send(self, port: int, at: int, end: float) -> None:
        for request in islice(cycle(self._requests), at, None):
            if time.monotonic() > end or request.match is None:
                return
            began = time.monotonic()
            hello = json.dumps({"type": "hello", "key": request.key})
            path = f"/api/matches/{request.match.id}/live"
            with suppress(OSError, asyncio.IncompleteReadError):
                async with websocket(port, path, hello) as line:
                    await line.send(b"".join(_commands(request.match)))
                    await self._hear(line, began, end)

    async def _hear(self, line: RawConnection, began: float, end: float) -> None:
        """Count answers until the connection ends or the time is up."""
        with suppress(TimeoutError):
            async with asyncio.timeout(max(0.0, end - time.monotonic())):
                while told := await line.reader.read(1 << 16):
                    for answer in ("done", "refused"):
                        for _ in range(told.count(b'"type":"%b"' % answer.encode())):
                            self._count(answer, time.monotonic() - began, len(told))
                self._count("closed", time.monotonic() - began, 0)


def _commands(match: CostlyMatch) -> Iterator[bytes]:
    """Yield commands that take a wrong number, and that undo and redo a move in turn."""
    for number in range(200):
        wrong = {"type": "take", "number": match.wrong}
        for command in (wrong, {"type": "undo" if number % 2 == 0 else "redo"}):
            said = {"type": "command", "id": number, "version": match.version + number}
            yield frame(TEXT, json.dumps({**said, "command": command}).encode())
