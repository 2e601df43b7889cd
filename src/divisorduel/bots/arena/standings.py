"""What an arena has shown: scores, ratings, regret and faults, as values."""

from collections import Counter
from dataclasses import dataclass

from divisorduel.bots.arena.arena_game import GameResult
from divisorduel.bots.arena.ratings import SAMPLES, Pairing, Rating, ratings
from divisorduel.bots.arena.run import ArenaRun
from divisorduel.bots.arena.schedule import Contestant
from divisorduel.bots.arena.sprt import head_to_head
from divisorduel.play.match import other


@dataclass(frozen=True, slots=True)
class Standing:
    """How one player did."""

    player: Contestant
    games: int
    wins: int
    rating: Rating
    """Relative to the anchor."""
    met: int
    """Decisions in which a win could be kept or given away."""
    given: int
    """Those in which it was given away."""
    faults: Counter[str]

    @property
    def regret(self) -> float | None:
        """Of the decisions in `met`, the share in which the win was given away, or None."""
        return self.given / self.met if self.met else None


@dataclass(frozen=True, slots=True)
class Standings:
    """The results of an arena, by complete pairs of games."""

    run: ArenaRun
    places: tuple[Standing, ...]
    """In the order of the schedule."""
    scores: dict[Pairing, list[int]]
    """For each pairing, how many games of each pair its first player won."""
    anchor: int
    unproven: int

    def counts(self, pairing: Pairing) -> tuple[int, int, int]:
        """Return how many pairs the first player of a pairing lost, split and won."""
        found = Counter(self.scores[pairing])
        return found[0], found[1], found[2]

    def difference(self, pairing: Pairing) -> tuple[float, float]:
        """Return the difference in Elo between two players, and its error at 95%."""
        return head_to_head(self.counts(pairing))

    @property
    def faults(self) -> list[GameResult]:
        """The games that an engine lost by a fault."""
        played = (self.run.results[2 * pair + side] for pair in self.run.pairs for side in (0, 1))
        return [result for result in played if result.is_fault]

    @property
    def first_faults(self) -> list[tuple[str, GameResult]]:
        """The first fault of each kind of each player, with the player's name."""
        found: dict[tuple[str, str], GameResult] = {}
        for result in self.faults:
            players = self.run.schedule.task(result.game).players
            loser = players[other(result.winner) - 1]
            found.setdefault((loser.name, result.ending), result)
        return [(name, result) for (name, _), result in found.items()]


def standings(run: ArenaRun, anchor: int = 0, samples: int = SAMPLES) -> Standings:
    """Return what the games played so far have shown."""
    schedule, pairs = run.schedule, run.pairs
    count = len(schedule.contestants)
    games, wins, met, given = ([0] * count for _ in range(4))
    faults: list[Counter[str]] = [Counter() for _ in range(count)]
    scores: dict[Pairing, list[int]] = {pairing: [] for pairing in schedule.pairings}
    unproven = 0
    for pair in pairs:
        one, two = schedule.pairing(pair)
        scores[one, two].append(run.score(pair))
        for side in (0, 1):
            result = run.results[2 * pair + side]
            unproven += result.unproven
            for seat, at in enumerate((two, one) if side else (one, two)):
                games[at] += 1
                wins[at] += result.winner == seat + 1
                met[at] += result.met[seat]
                given[at] += result.given[seat]
                if result.is_fault and result.winner != seat + 1:
                    faults[at][result.ending] += 1
    rated = ratings(count, scores, anchor, samples)
    places = tuple(
        Standing(player, games[at], wins[at], rated[at], met[at], given[at], faults[at])
        for at, player in enumerate(schedule.contestants)
    )
    return Standings(run, places, scores, anchor, unproven)
