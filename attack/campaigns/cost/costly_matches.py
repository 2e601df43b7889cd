"""Matches that are costly to open, to show, to write down or to solve.

They are written to the database before the server starts, as if their players had taken their time.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass

from divisorduel.play.commands import Command, Forfeit, Take
from divisorduel.play.decide import decide
from divisorduel.play.events import Event, MoveUndone, NumberTaken
from divisorduel.play.match import MOST_ROUNDS, Match
from divisorduel.rules.catalogue import must_be_given, rule_book_keys
from divisorduel.rules.errors import BoardError
from divisorduel.store.database import open_database
from divisorduel.store.rooms import Rooms, Step
from divisorduel.web.invitation import invite_to_new
from divisorduel.web.live.hub import MOST_STEPS
from divisorduel.web.schemas.requests import NewMatch

HERE = {"who": "here", "name": "Ann"}
FRIEND = {"who": "here", "name": "Bob"}
MANY_DIVISORS = 866_421_317_361_600
"""No number below 10**15 has more divisors."""
FAR, MIDDLE = {"from": 99_001, "to": 100_000}, {"from": 1_001, "to": 2_000}
WIDE = {"from": 49_950, "to": 99_900, "step": 50}
"""On this board only the last number rules out the first one."""
SPARSE = {"from": 40_020, "to": 99_960, "step": 60}
"""On this board, the last number is related to no other: a chain that begins there ends there."""
SIZES = (FAR, MIDDLE, {"to": 1_001}, {"to": 1_000}, {"to": 2_000})
"""Boards of a thousand numbers, as far as a rule book allows them."""
LONG_START = f"antichain 99001-100000 {','.join(map(str, range(99_001, 100_001, 2)))} -"
"""Every second number, so that each has to be written down."""
WRITTEN_AT_ONCE = 2_000


@dataclass(frozen=True)
class CostlyMatch:
    """A match in the database, and a key to its seats."""

    what: str
    id: str
    key: str
    version: int
    rounds: int
    """How many rounds have begun."""
    is_over: bool
    """Whether the last round is over, so that it can be reviewed."""
    wrong: int = 0
    """A number that cannot be taken."""


def largest_boards() -> list[tuple[str, dict[str, int]]]:
    """Return the largest boards of every rule book that a server accepts."""
    found: list[tuple[str, dict[str, int]]] = []
    for key in rule_book_keys():
        if must_be_given(key):
            found.append((key, dict.fromkeys(must_be_given(key), MANY_DIVISORS)))
        for size in SIZES if not must_be_given(key) else ():
            with suppress(BoardError):
                invite_to_new(_wanted(key, size))
                found.append((key, size))
    return found


def _wanted(key: str, board: dict[str, int], rounds: int = 1, start: str = "") -> NewMatch:
    wanted = {"game": key, "board": board, "players": [HERE, FRIEND], "rounds": rounds}
    return NewMatch.model_validate(wanted | {"board": {}, "start": start} if start else wanted)


class Archive:
    """A database to be filled."""

    def __init__(self, database: str) -> None:
        self._engine = open_database(database)
        self._rooms = Rooms(self._engine, "here")

    def close(self) -> None:
        """Close the database."""
        self._engine.dispose()

    def add(
        self,
        what: str,
        key: str,
        board: dict[str, int],
        steps: Callable[[Match], Iterator[tuple[Event, ...]]] = lambda _: iter(()),
        rounds: int = 1,
        is_over: bool = False,
        wrong: int = 0,
        start: str = "",
    ) -> CostlyMatch:
        """Store a match with the events of its commands, which begin all its rounds."""
        invitation = invite_to_new(_wanted(key, board, rounds, start))
        stored = invitation.stored
        self._rooms.create(stored, invitation.hashes)
        version, waiting = stored.match.version, list[Step]()
        for events in steps(stored.match):
            version += 1
            waiting.append(Step(stored.id, version, events, time.time()))
            if len(waiting) == WRITTEN_AT_ONCE:
                self._write(waiting)
        self._write(waiting)
        opening = invitation.keys["1"] or ""
        return CostlyMatch(what, stored.id, opening, version, rounds, is_over, wrong)

    def _write(self, waiting: list[Step]) -> None:
        if waiting:
            assert all(self._rooms.write(waiting, [])), "a step could not be written"
            waiting.clear()


def undone_again_and_again(count: int) -> Callable[[Match], Iterator[tuple[Event, ...]]]:
    """Return the steps of a match of 900 moves whose last one is taken back again and again."""

    def steps(match: Match) -> Iterator[tuple[Event, ...]]:
        numbers = list(match.game.moves(match.current.position))[:900]
        for number in numbers:
            yield (NumberTaken(number),)
        for at in range(count - len(numbers)):
            yield (MoveUndone(numbers[-1]),) if at % 2 == 0 else (NumberTaken(numbers[-1]),)

    return steps


def played_but_for_the_first(match: Match) -> Iterator[tuple[Event, ...]]:
    """Yield the steps of a match in which every number that allows the next ones is taken."""
    _, _, *numbers = match.game.moves(match.current.position)
    for number in numbers:
        yield (NumberTaken(number),)


def played_to_the_end(match: Match) -> Iterator[tuple[Event, ...]]:
    """Yield the steps of a match in which the smallest legal number is always taken."""
    while not match.over:
        number = next(iter(match.game.moves(match.current.position)))
        decision = decide(match, match.current.to_move, Take(number))
        yield decision.events
        match = decision.match


def given_up(match: Match) -> Iterator[tuple[Event, ...]]:
    """Yield the step of a match that is over at once, and can be reviewed."""
    yield decide(match, match.current.to_move, Forfeit()).events


def forfeited_round_by_round(match: Match) -> Iterator[tuple[Event, ...]]:
    """Yield the steps of a match in which each round but the last has a few moves."""
    while len(match.played) < MOST_ROUNDS:
        moves = list(match.game.moves(match.current.position))
        few = len(match.current.moves) < 10 and moves
        command: Command = Take(moves[-1]) if few else Forfeit()
        decision = decide(match, match.current.to_move, command)
        yield decision.events
        match = decision.match


def won_by_the_first_move(match: Match) -> Iterator[tuple[Event, ...]]:
    """Yield the steps of a match in which each round but the last has one move."""
    while len(match.played) < MOST_ROUNDS:
        last = match.game.moves(match.current.position)[-1]
        decision = decide(match, match.current.to_move, Take(last))
        yield decision.events
        match = decision.match


def costly_matches(archive: Archive, *, steps: int, copies: int) -> list[CostlyMatch]:
    """Fill the archive; `steps` is how long the longest matches are, of which there are copies."""
    undone = undone_again_and_again(min(steps, MOST_STEPS - 100))
    made = [archive.add(f"undos {at}", "antichain", MIDDLE, undone) for at in range(copies)]
    made.append(archive.add("rounds", "chain", {"to": 20}, forfeited_round_by_round, rounds=1_000))
    made.append(archive.add("a long round", "antichain", FAR, played_to_the_end, is_over=True))
    made.append(
        archive.add("reasons", "antichain", WIDE, played_but_for_the_first, wrong=WIDE["from"])
    )
    made.append(
        archive.add(
            "rounds from a long start",
            "antichain",
            FAR,
            forfeited_round_by_round,
            rounds=1_000,
            start=LONG_START,
        )
    )
    made.append(archive.add("short rounds", "chain", SPARSE, won_by_the_first_move, rounds=1_000))
    for key, board in largest_boards():
        made.append(archive.add(f"{key} {board}", key, board))
        made.append(archive.add(f"{key} {board}, given up", key, board, given_up, is_over=True))
    return made
