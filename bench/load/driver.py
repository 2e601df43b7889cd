"""Many games at once, each move due at its time, whether the server keeps up or not."""

import asyncio
import gc
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from time import perf_counter, process_time

from bench.load.clients import WireError
from bench.load.processes import ServerError, busy_seconds
from bench.load.system import PlayError, System, Table

BOUND = 0.1
"""The 99th percentile must stay under so many seconds."""
SHARE = 0.95
"""This part of the moves must have been acknowledged when the time is over."""
LEAD = 2.0
"""So many seconds are played at the rate before what is measured."""
PATIENCE = 15
"""So many seconds after the end, a move that was not acknowledged is lost."""
AT_ONCE = 20
"""So many games are dealt at once."""
QUIET = 0.25
"""So many cores may be busy with other things; if more are, what is missed says little."""
SECONDS_TO_QUIET = 60
"""So long a quiet moment is waited for before a rate is tried."""
SECONDS_TO_DEAL = 120
"""All of them must be dealt in so many seconds."""


@dataclass(frozen=True)
class Step:
    """What was measured at one rate; times are in seconds."""

    rate: float
    achieved: float
    p50: float
    p99: float
    longest: float
    troubles: tuple[str, ...]
    driver_cpu: float
    server_cpu: float
    others_cpu: float
    """What the rest of the machine did meanwhile: if it is much, measure again."""
    early: bool
    """Whether it was ended early, when too many moves were late."""

    @property
    def disturbed(self) -> bool:
        """Whether the machine was busy with other things."""
        return self.others_cpu > QUIET

    @property
    def held(self) -> bool:
        """Whether the server keeps up with this rate."""
        return not (
            self.troubles or self.early or self.p99 >= BOUND or self.achieved < SHARE * self.rate
        )


class Times:
    """The times that moves took, from when they were due until they were acknowledged."""

    def __init__(self, begin: float, end: float, expected: float) -> None:
        """Take the moves that are due from the beginning to the end."""
        self.taken: list[float] = []
        self.troubles: list[str] = []
        self.end = end
        self._begin = begin
        self._acknowledged_in_time = self._late = 0
        self._bearable = expected / 100

    @property
    def hopeless(self) -> bool:
        """Whether so many moves were late that the rate cannot be held any more."""
        return self._late > self._bearable or bool(self.troubles)

    def add(self, due: float, at: float) -> None:
        """Note a move."""
        if due < self._begin:
            return
        self.taken.append(at - due)
        self._late += at - due >= BOUND
        self._acknowledged_in_time += at <= self.end

    def step(self, rate: float, seconds: float, meter: "Meter") -> Step:
        """Sum it up."""
        driver, server, others = meter.read()
        taken = sorted(self.taken) or [float("inf")]
        return Step(
            rate=rate,
            achieved=self._acknowledged_in_time / seconds,
            p50=taken[len(taken) // 2],
            p99=taken[int(len(taken) * 0.99)],
            longest=taken[-1],
            troubles=tuple(self.troubles),
            driver_cpu=driver,
            server_cpu=server,
            others_cpu=others,
            early=self.hopeless,
        )


class Meter:
    """The processor time used from now on, in cores."""

    def __init__(self, system: System) -> None:
        self._system = system
        self._began, self._used = perf_counter(), self._now()

    def read(self) -> tuple[float, float, float]:
        """Return the share of the driver, the server and all others."""
        took = perf_counter() - self._began
        used = [(now - then) / took for now, then in zip(self._now(), self._used, strict=True)]
        driver, server, all_cores = used
        return driver, server, max(0.0, all_cores - driver - server)

    def _now(self) -> tuple[float, float, float]:
        return process_time(), self._system.cpu(), busy_seconds()


class Play:
    """A table at which one long game after the other is played."""

    def __init__(self, table: Table, games: Sequence[tuple[int, ...]], rng: Random) -> None:
        self.table = table
        self.broken = False
        self._games, self._rng = games, rng
        self._moves: tuple[int, ...] = rng.choice(games)
        self._next = 0

    async def take(self) -> float:
        """Make the next move, and return when it was acknowledged."""
        at = await self.table.take(self._moves[self._next])
        self._next += 1
        return at

    async def go_on(self) -> None:
        """Start a fresh game if this one is over."""
        if self._next == len(self._moves):
            await self.table.play_again()
            self._moves, self._next = self._rng.choice(self._games), 0

    async def play_a_part(self) -> None:
        """Make some of the moves, so that not all games end at the same time."""
        for _ in range(self._rng.randrange(len(self._moves))):
            await self.take()


class Hall:
    """Games in progress, whose number stays the same."""

    def __init__(self, system: System, games: Sequence[tuple[int, ...]], count: int) -> None:
        """Take the games that are played and how many are in progress at once."""
        self._system, self._games, self._count = system, games, count
        self._rng = Random(count)
        self._plays: list[Play] = []

    async def fill(self) -> None:
        """Deal games until there are enough, and play each up to somewhere."""
        for play in self._plays:
            if play.broken:
                play.table.leave()
        self._plays = [play for play in self._plays if not play.broken]
        gate = asyncio.Semaphore(AT_ONCE)

        async def deal() -> Play:
            async with gate:
                play = Play(await self._system.deal(), self._games, self._rng)
                await play.play_a_part()
                return play

        missing = self._count - len(self._plays)
        try:
            async with asyncio.timeout(SECONDS_TO_DEAL), asyncio.TaskGroup() as group:
                dealt = [group.create_task(deal()) for _ in range(missing)]
        except* (PlayError, WireError, TimeoutError) as troubles:
            first = troubles.exceptions[0]
            raise ServerError(f"{self._system.title}: no games could be dealt: {first!r}") from None
        self._plays += [task.result() for task in dealt]

    async def play(self, rate: float, seconds: float) -> Step:
        """Play at a rate of moves a second, spread evenly over the games."""
        await self.fill()
        await self._quiet()
        gc.collect()
        gc.freeze()  # what has been dealt stays: the driver need not look at it again and again
        meter, began = Meter(self._system), perf_counter()
        times = Times(began + LEAD, began + LEAD + seconds, rate * seconds)
        tasks = {
            asyncio.create_task(self._keep_pace(play, began + at / rate, rate, times)): play
            for at, play in enumerate(self._plays)
        }
        done, lost = await asyncio.wait(tasks, timeout=LEAD + seconds + PATIENCE)
        for task in lost:
            tasks[task].broken = True
            task.cancel()
            times.troubles.append(f"no acknowledgement within {PATIENCE} s")
        for task in done:
            task.result()
        return times.step(rate, seconds, meter)

    def close(self) -> None:
        """Disconnect everybody."""
        for play in self._plays:
            play.table.leave()

    async def _quiet(self) -> None:
        until = perf_counter() + SECONDS_TO_QUIET
        while perf_counter() < until:
            meter = Meter(self._system)
            await asyncio.sleep(1)
            _, server, others = meter.read()
            if max(server, others) <= QUIET:
                break

    async def _keep_pace(self, play: Play, due: float, rate: float, times: Times) -> None:
        while due < times.end and not times.hopeless:
            wait = due - perf_counter()
            if wait > 0:
                await asyncio.sleep(wait)
            # Timers may be early by less than a millisecond; that is no merit of the server.
            since = min(due, perf_counter())
            try:
                times.add(since, await play.take())
                await play.go_on()
            except (PlayError, WireError) as error:
                play.broken = True
                times.troubles.append(str(error))
                return
            due += self._count / rate
