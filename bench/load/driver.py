"""The load driver: many games at once, with moves on a fixed schedule."""

import asyncio
import gc
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from time import perf_counter, process_time

from bench.load.clients import ClientError
from bench.load.processes import ServerError, busy_seconds
from bench.load.system import Match, PlayError, System

MAX_P99 = 0.1
"""The limit for the 99th percentile of latencies, in seconds."""
MIN_ACKNOWLEDGED = 0.95
"""The share of moves that must be acknowledged when the measurement ends."""
LEAD_SECONDS = 2.0
"""How long to play at the rate before measuring."""
ACK_TIMEOUT = 15
"""How many seconds after the end an unacknowledged move counts as lost."""
CONCURRENT_SETUPS = 20
"""How many matches to create at once."""
MAX_BUSY_CORES = 0.25
"""If other processes keep more cores busy, a missed rate does not count."""
IDLE_TIMEOUT = 60
"""How many seconds to wait for an idle machine before each measurement."""
SETUP_TIMEOUT = 120
"""How many seconds creating all matches may take."""


@dataclass(frozen=True)
class Measurement:
    """The results at one rate. Times are in seconds."""

    rate: float
    achieved: float
    p50: float
    p99: float
    longest: float
    errors: tuple[str, ...]
    driver_cpu: float
    server_cpu: float
    others_cpu: float
    """Cores kept busy by all other processes."""
    stopped_early: bool
    """Whether the measurement stopped because too many moves were late."""

    @property
    def disturbed(self) -> bool:
        """Whether other processes kept the machine busy."""
        return self.others_cpu > MAX_BUSY_CORES

    @property
    def sustained(self) -> bool:
        """Whether the server sustained this rate."""
        return not (
            self.errors
            or self.stopped_early
            or self.p99 >= MAX_P99
            or self.achieved < MIN_ACKNOWLEDGED * self.rate
        )


class Latencies:
    """Latencies of moves, from when a move is due until it is acknowledged."""

    def __init__(self, begin: float, end: float, expected: float) -> None:
        """Count the moves that are due between `begin` and `end`."""
        self.taken: list[float] = []
        self.errors: list[str] = []
        self.end = end
        self._begin = begin
        self._acknowledged_in_time = self._late = 0
        self._late_allowed = expected / 100

    @property
    def is_hopeless(self) -> bool:
        """Whether too many moves were late for the rate to be sustained."""
        return self._late > self._late_allowed or bool(self.errors)

    def add(self, due: float, at: float) -> None:
        """Record a move."""
        if due < self._begin:
            return
        self.taken.append(at - due)
        self._late += at - due >= MAX_P99
        self._acknowledged_in_time += at <= self.end

    def summary(self, rate: float, seconds: float, meter: "CpuMeter") -> Measurement:
        """Summarise the measurement."""
        driver, server, others = meter.read()
        taken = sorted(self.taken) or [float("inf")]
        return Measurement(
            rate=rate,
            achieved=self._acknowledged_in_time / seconds,
            p50=taken[len(taken) // 2],
            p99=taken[int(len(taken) * 0.99)],
            longest=taken[-1],
            errors=tuple(self.errors),
            driver_cpu=driver,
            server_cpu=server,
            others_cpu=others,
            stopped_early=self.is_hopeless,
        )


class CpuMeter:
    """Measures CPU use from its creation on, in cores."""

    def __init__(self, system: System) -> None:
        self._system = system
        self._began, self._used = perf_counter(), self._now()

    def read(self) -> tuple[float, float, float]:
        """Return the cores used by the driver, the server, and all other processes."""
        took = perf_counter() - self._began
        used = [(now - then) / took for now, then in zip(self._now(), self._used, strict=True)]
        driver, server, all_cores = used
        return driver, server, max(0.0, all_cores - driver - server)

    def _now(self) -> tuple[float, float, float]:
        return process_time(), self._system.cpu(), busy_seconds()


class MatchLoop:
    """Plays one scripted game after another in a match."""

    def __init__(self, match: Match, games: Sequence[tuple[int, ...]], rng: Random) -> None:
        self.match = match
        self.broken = False
        self._games, self._rng = games, rng
        self._moves: tuple[int, ...] = rng.choice(games)
        self._next = 0

    async def take(self) -> float:
        """Make the next move and return when it was acknowledged."""
        at = await self.match.take(self._moves[self._next])
        self._next += 1
        return at

    async def start_next_game_if_over(self) -> None:
        """Start the next game if this one is over."""
        if self._next == len(self._moves):
            await self.match.play_again()
            self._moves, self._next = self._rng.choice(self._games), 0

    async def play_random_part(self) -> None:
        """Make some of the moves, so that games do not all end at the same time."""
        for _ in range(self._rng.randrange(len(self._moves))):
            await self.take()


class LoadDriver:
    """Keeps a constant number of games in progress."""

    def __init__(self, system: System, games: Sequence[tuple[int, ...]], count: int) -> None:
        """Play `count` of these scripted games at once."""
        self._system, self._games, self._count = system, games, count
        self._rng = Random(count)
        self._loops: list[MatchLoop] = []

    async def create_missing_matches(self) -> None:
        """Replace broken matches, and play each new one up to a random point."""
        for loop in self._loops:
            if loop.broken:
                loop.match.leave()
        self._loops = [loop for loop in self._loops if not loop.broken]
        limit = asyncio.Semaphore(CONCURRENT_SETUPS)

        async def create_loop() -> MatchLoop:
            async with limit:
                loop = MatchLoop(await self._system.create_match(), self._games, self._rng)
                await loop.play_random_part()
                return loop

        missing = self._count - len(self._loops)
        try:
            async with asyncio.timeout(SETUP_TIMEOUT), asyncio.TaskGroup() as group:
                created = [group.create_task(create_loop()) for _ in range(missing)]
        except* (PlayError, ClientError, TimeoutError) as errors:
            first = errors.exceptions[0]
            raise ServerError(f"{self._system.title}: creating matches failed: {first!r}") from None
        self._loops += [task.result() for task in created]

    async def play(self, rate: float, seconds: float) -> Measurement:
        """Play at a rate of moves per second, spread evenly over the games."""
        await self.create_missing_matches()
        await self._wait_until_idle()
        gc.collect()
        gc.freeze()  # keep the garbage collector away from the matches
        meter, began = CpuMeter(self._system), perf_counter()
        begin = began + LEAD_SECONDS
        latencies = Latencies(begin, begin + seconds, rate * seconds)
        tasks = {
            asyncio.create_task(self._keep_pace(loop, began + at / rate, rate, latencies)): loop
            for at, loop in enumerate(self._loops)
        }
        done, lost = await asyncio.wait(tasks, timeout=LEAD_SECONDS + seconds + ACK_TIMEOUT)
        for task in lost:
            tasks[task].broken = True
            task.cancel()
            latencies.errors.append(f"no acknowledgement within {ACK_TIMEOUT} s")
        for task in done:
            task.result()
        return latencies.summary(rate, seconds, meter)

    def close(self) -> None:
        """Disconnect all players."""
        for loop in self._loops:
            loop.match.leave()

    async def _wait_until_idle(self) -> None:
        until = perf_counter() + IDLE_TIMEOUT
        while perf_counter() < until:
            meter = CpuMeter(self._system)
            await asyncio.sleep(1)
            _, server, others = meter.read()
            if max(server, others) <= MAX_BUSY_CORES:
                break

    async def _keep_pace(
        self, loop: MatchLoop, due: float, rate: float, latencies: Latencies
    ) -> None:
        while due < latencies.end and not latencies.is_hopeless:
            wait = due - perf_counter()
            if wait > 0:
                await asyncio.sleep(wait)
            # Timers may fire early by less than a millisecond; do not credit the server for it.
            since = min(due, perf_counter())
            try:
                latencies.add(since, await loop.take())
                await loop.start_next_game_if_over()
            except (PlayError, ClientError) as error:
                loop.broken = True
                latencies.errors.append(str(error))
                return
            due += self._count / rate
