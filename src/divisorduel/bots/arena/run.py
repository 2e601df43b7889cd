"""Runs an arena: plays what is left of a schedule, and keeps every result.

With a file, each game is on disk before the next result is counted. After Ctrl-C, a crash or
``kill -9``, the same command continues, and the result is the same.
"""

from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from divisorduel.bots.arena.arena_game import GameResult, play, record_of
from divisorduel.bots.arena.schedule import GameTask, Schedule
from divisorduel.bots.arena.sprt import SequentialTest, Sprt, SprtDecision
from divisorduel.record.model import Record
from divisorduel.store.atomic_file import StoreError
from divisorduel.store.journal import DamagedJournal, Journal, locked

BEGINNING = b'{"arena": 1, '
ADVICE = "Choose another name with --output, or remove it."


@dataclass(frozen=True, slots=True)
class GameJob:
    """A game as a task of an executor."""

    task: GameTask

    @property
    def piece(self) -> int:
        """The place of the game in the schedule."""
        return self.task.index

    @property
    def name(self) -> str:
        """A name for logs."""
        return f"arena-game-{self.piece}"

    def within(self, _memory: int | None) -> Self:
        """Return the job: games have no limit on memory."""
        return self

    def work(self, _on_progress: Callable[[int], None] | None = None) -> GameResult:
        """Play the game."""
        return play(self.task)


RunGames = Callable[[Iterable[GameJob]], Generator[GameResult, None, None]]
"""Plays games in any order and yields their results. Closing the generator stops it."""


def one_by_one(jobs: Iterable[GameJob]) -> Generator[GameResult, None, None]:
    """Play games one after the other in this process."""
    for job in jobs:
        yield job.work()


@dataclass
class ArenaRun:
    """The results of a schedule so far, and what a sequential test makes of them."""

    schedule: Schedule
    sprt: Sprt | None = None

    def __post_init__(self) -> None:
        """Begin without results."""
        self.results: dict[int, GameResult] = {}
        self._test = SequentialTest(self.sprt) if self.sprt else None

    @property
    def pairs(self) -> list[int]:
        """The pairs of which both games are played; with a decision, only those it rests on."""
        done = [p for p in range(self.schedule.pairs) if self._is_done(p)]
        if decided := self.decided:
            return done[: decided[0]]
        return done

    @property
    def decided(self) -> tuple[int, SprtDecision] | None:
        """How many pairs the sequential test took, and what it accepted; None if it is undecided.

        Pairs count in the order of the schedule, so the number of jobs makes no difference.
        """
        return self._test.decided if self._test else None

    def score(self, pair: int) -> int:
        """Return how many games of a pair its first player won."""
        first, second = (self.results[2 * pair + side].winner for side in (0, 1))
        return (first == 1) + (second == 2)

    def records(self) -> Iterator[Record]:
        """Yield the games of complete pairs as records, in the order of the schedule."""
        for pair in self.pairs:
            for index in (2 * pair, 2 * pair + 1):
                yield record_of(self.schedule.task(index), self.results[index])

    def add(self, results: Iterable[GameResult]) -> Iterator[GameResult]:
        """Add results, and yield each; stop when the sequential test has decided."""
        for result in results:
            self.results[result.game] = result
            self._continue_test()
            yield result
            if self.decided:
                return

    def left(self) -> Iterator[GameJob]:
        """Yield the games that are still to be played."""
        for task in self.schedule.tasks():
            if task.index not in self.results:
                yield GameJob(task)

    def play(self, run: RunGames, file: "ArenaFile | None" = None) -> Iterator[GameResult]:
        """Play what is left, and yield each result when it is saved."""
        if self.decided:
            return
        with closing(run(self.left())) as results:
            for result in self.add(results):
                if file is not None:
                    file.add(result)
                yield result

    def _is_done(self, pair: int) -> bool:
        return 2 * pair in self.results and 2 * pair + 1 in self.results

    def _continue_test(self) -> None:
        """Add the pairs before the first incomplete one to the sequential test."""
        while self._test and self._is_done(self._test.pairs):
            self._test.add(self.score(self._test.pairs))


class ArenaFile:
    """The journal of an arena: its schedule, then a line for each game."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._journal = Journal(path, BEGINNING)

    def open(self, schedule: Schedule) -> list[GameResult]:
        """Return the results of an earlier run of this schedule. Raises `StoreError`."""
        damaged = StoreError(f"{self.path} is damaged, or was not written by duel arena. {ADVICE}")
        try:
            lines = self._journal.read()
        except DamagedJournal:
            raise damaged from None
        try:
            results = [GameResult.from_json(line) for line in lines[1:]]
        except (TypeError, KeyError, ValueError):
            raise damaged from None
        header = schedule.as_json()
        if lines and lines[0] != header:
            raise StoreError(f"{self.path} holds another tournament. {ADVICE}")
        self._journal.trim()
        if not lines:
            self._journal.append(header)
        return [result for result in results if 0 <= result.game < 2 * schedule.pairs]

    def add(self, result: GameResult) -> None:
        """Add a result, and return when it is on disk. Raises `StoreError`."""
        self._journal.append(result.as_json())


@contextmanager
def opened(path: Path) -> Iterator[ArenaFile]:
    """Lock the file of an arena while it is used. Raises `StoreError`."""
    with locked(path):
        yield ArenaFile(path)
