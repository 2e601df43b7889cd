"""Ratings are the most likely ones, and their intervals cover the truth as often as they say."""

from collections import Counter
from itertools import combinations
from math import exp, log
from random import Random

import pytest

from divisorduel.bots.arena.ratings import ELO, fit, ratings
from divisorduel.bots.arena.sprt import difference, expected, head_to_head

WINS = {
    (0, 1): 60,
    (1, 0): 40,
    (1, 2): 30,
    (2, 1): 70,
    (0, 2): 20,
    (2, 0): 33,
    (0, 3): 5,
    (3, 0): 9,
}


def likelihood(strengths: list[float], wins: dict[tuple[int, int], int]) -> float:
    return sum(
        count * -log(1 + exp((strengths[two] - strengths[one]) / ELO))
        for (one, two), count in wins.items()
    )


def test_the_ratings_of_two_players_differ_as_their_score_says() -> None:
    assert fit(2, {(0, 1): 30, (1, 0): 70}) == pytest.approx([0, difference(0.7)])


def test_no_other_strengths_are_more_likely() -> None:
    best = fit(4, WINS)
    assert best[0] == 0
    rng = Random(1)
    for _ in range(200):
        near = [0, *(strength + rng.uniform(-5, 5) for strength in best[1:])]
        assert likelihood(near, WINS) <= likelihood(best, WINS)


def test_the_anchor_only_shifts_the_ratings() -> None:
    one, two = fit(4, WINS, anchor=0), fit(4, WINS, anchor=2)
    assert [r - one[2] for r in one] == pytest.approx(two)


def by_choix(players: int, wins: dict[tuple[int, int], int]) -> list[float]:
    import choix  # the import takes most of a second

    data = [pair for pair, count in wins.items() for _ in range(count)]
    found = [ELO * float(s) for s in choix.opt_pairwise(players, data, alpha=1e-9, tol=1e-10)]
    return [strength - found[0] for strength in found]


@pytest.mark.thorough
def test_the_fit_agrees_with_choix_to_a_tenth_of_an_elo() -> None:
    assert fit(4, WINS) == pytest.approx(by_choix(4, WINS), abs=0.1)
    rng = Random(3)
    for players in (2, 3, 5, 8, 12):
        truth = [rng.uniform(-400, 400) for _ in range(players)]
        wins: dict[tuple[int, int], int] = {}
        for one, two in combinations(range(players), 2):
            won = sum(rng.random() < expected(truth[one] - truth[two]) for _ in range(60))
            wins[one, two], wins[two, one] = max(won, 1), max(60 - won, 1)
        assert fit(players, wins) == pytest.approx(by_choix(players, wins), abs=0.1)


def test_a_player_who_has_won_every_game_has_a_finite_rating() -> None:
    one, two, three = fit(3, {(0, 1): 20, (0, 2): 20, (1, 2): 10, (2, 1): 10})
    assert one == 0
    assert two == pytest.approx(three)
    assert -1500 < two < -300


def simulated_pair(rng: Random, chances: tuple[float, float]) -> int:
    """Return how many of two games the first player wins."""
    return sum(rng.random() < chance for chance in chances)


@pytest.mark.thorough
def test_the_intervals_cover_the_truth_as_often_as_they_say() -> None:
    rng, chance, covered, runs = Random(5), expected(-60.0), 0, 300
    for _ in range(runs):
        scores = {(0, 1): [simulated_pair(rng, (chance, chance)) for _ in range(100)]}
        rating = ratings(2, scores, samples=500)[1]
        covered += rating.low <= 60.0 <= rating.high
    assert 0.92 <= covered / runs <= 0.98


@pytest.mark.thorough
def test_the_intervals_cover_the_truth_when_three_players_meet_on_unfair_openings() -> None:
    """The first to move has an advantage of 200 Elo, so the games of a pair are not alike.

    The truth is what the ratings would be after infinitely many pairs.
    """
    chances = {
        (one, two): (expected(elo + 200), expected(elo - 200))
        for (one, two), elo in {(0, 1): -60.0, (0, 2): -150.0, (1, 2): -90.0}.items()
    }
    shares = {pairing: sum(each) for pairing, each in chances.items()}
    truth = fit(3, shares | {(two, one): 2 - won for (one, two), won in shares.items()})
    rng, runs, covered = Random(6), 200, [0, 0, 0]
    for _ in range(runs):
        scores = {
            pairing: [simulated_pair(rng, each) for _ in range(60)]
            for pairing, each in chances.items()
        }
        for at, rating in enumerate(ratings(3, scores, samples=300)):
            covered[at] += rating.low <= truth[at] <= rating.high
    assert all(0.92 <= each / runs <= 0.98 for each in covered[1:])


@pytest.mark.thorough
@pytest.mark.parametrize("advantage", [0, 200])
def test_the_error_of_a_difference_covers_the_truth_as_often_as_it_says(advantage: int) -> None:
    rng, runs, covered = Random(7), 2000, 0
    chances = expected(60 + advantage), expected(60 - advantage)
    truth = difference(sum(chances) / 2)
    for _ in range(runs):
        pairs = Counter(simulated_pair(rng, chances) for _ in range(100))
        found, error = head_to_head([pairs[won] for won in range(3)])
        covered += abs(found - truth) <= error
    assert 0.92 <= covered / runs <= 0.98
