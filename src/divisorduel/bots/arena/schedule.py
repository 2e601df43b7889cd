"""What an arena plays, as a value: the players, the openings, and the games in order."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Literal, Self

from divisorduel.play.players import BOT

TournamentMode = Literal["round-robin", "gauntlet"]
"""Everyone plays everyone, or the first player plays each of the others."""


@dataclass(frozen=True, slots=True)
class Contestant:
    """A player of an arena: a built-in one, or an engine with its command."""

    name: str
    kind: str
    command: str = ""

    @property
    def is_engine(self) -> bool:
        """Whether it is a program of its own."""
        return self.kind == BOT


@dataclass(frozen=True, slots=True)
class GameTask:
    """One game: an opening and two players, of whom the first moves first."""

    index: int
    opening: str
    players: tuple[Contestant, Contestant]
    seed: str
    """What the random numbers of the game depend on."""
    seconds: float
    """The time for each move."""


@dataclass(frozen=True, slots=True)
class Schedule:
    """All the games of an arena. Games 2n and 2n + 1 are a pair: the same opening, sides swapped.

    Every pairing plays the first opening before any plays the second, so that the results of an
    arena that was stopped are balanced.
    """

    contestants: tuple[Contestant, ...]
    openings: tuple[str, ...]
    mode: TournamentMode = "round-robin"
    seed: int = 0
    seconds: float = 1.0

    @property
    def pairings(self) -> tuple[tuple[int, int], ...]:
        """Who plays whom, by their places among the players."""
        everyone = tuple(combinations(range(len(self.contestants)), 2))
        return tuple(p for p in everyone if self.mode == "round-robin" or p[0] == 0)

    @property
    def pairs(self) -> int:
        """How many pairs of games there are."""
        return len(self.openings) * len(self.pairings)

    def pairing(self, pair: int) -> tuple[int, int]:
        """Return who plays a pair of games."""
        return self.pairings[pair % len(self.pairings)]

    def opening(self, pair: int) -> str:
        """Return the opening of a pair of games."""
        return self.openings[pair // len(self.pairings)]

    def task(self, index: int) -> GameTask:
        """Return a game by its place in the schedule."""
        one, two = (self.contestants[at] for at in self.pairing(index // 2))
        players = (two, one) if index % 2 else (one, two)
        opening = self.opening(index // 2)
        seed = f"{self.seed}/{one.name}/{two.name}/{opening}/{index % 2}"
        return GameTask(index, opening, players, seed, self.seconds)

    def tasks(self) -> Iterator[GameTask]:
        """Yield all games in order."""
        return map(self.task, range(2 * self.pairs))

    def as_json(self) -> dict[str, Any]:
        """Return the schedule as plain data."""
        return {
            "arena": 1,
            "mode": self.mode,
            "seed": self.seed,
            "seconds": self.seconds,
            "players": [[c.name, c.kind, c.command] for c in self.contestants],
            "openings": [*self.openings],
        }

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Self:
        """Return the schedule that `as_json` wrote."""
        return cls(
            contestants=tuple(Contestant(*fields) for fields in data["players"]),
            openings=tuple(data["openings"]),
            mode=data["mode"],
            seed=data["seed"],
            seconds=data["seconds"],
        )
