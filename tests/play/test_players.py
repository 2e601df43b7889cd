"""Computer players make legal, repeatable moves and are as strong as stated."""

import pickle
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from bench.strength import win_rate, won_games_lost
from divisorduel import Match, Position, game
from divisorduel.play import players
from divisorduel.play.match import default_names
from divisorduel.play.players import (
    KINDS,
    LEVELS,
    GreedyPlayer,
    Judge,
    LevelPlayer,
    PerfectPlayer,
    PlayerFault,
    RandomPlayer,
    UnknownPlayer,
    _candidates,
    player,
)
from divisorduel.rules.divisors import ProperDivisors
from divisorduel.solve.budget import Budget
from divisorduel.solve.solver import solve
from tests.conftest import ALL_KEYS, default_game, thorough_except


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "human"])
@pytest.mark.parametrize("key", ALL_KEYS)
def test_every_player_finishes_a_game_with_legal_moves(key: str, kind: str) -> None:
    g, rng, mover = default_game(key), Random(1), player(kind)
    assert mover is not None
    position = g.start()
    while not g.is_over(position):
        position = g.play(position, mover.choose(g, position, rng))


@pytest.mark.parametrize("key", ALL_KEYS)
def test_the_same_seed_gives_the_same_moves(key: str) -> None:
    g = default_game(key)

    def moves(seed: int) -> list[int]:
        rng, position, chosen = Random(seed), g.start(), list[int]()
        while not g.is_over(position):
            chosen.append(LevelPlayer(3).choose(g, position, rng))
            position = g.play(position, chosen[-1])
        return chosen

    assert moves(5) == moves(5)


@pytest.mark.parametrize("key", thorough_except(ALL_KEYS, "chain", "divider", "descent"))
def test_perfect_never_loses_a_won_game(key: str) -> None:
    assert won_games_lost(key, 60) == 0


def test_in_a_lost_position_perfect_leaves_the_smallest_share_of_winning_answers() -> None:
    g, judge = game("evens"), Judge()
    assert judge.verdict(g, g.start()).winner == 2
    shares = {
        move: len(judge.verdict(g, g.play(g.start(), move)).winning_moves)
        / len(g.moves(g.play(g.start(), move)))
        for move in g.moves(g.start())
    }
    assert all(shares[move] == min(shares.values()) for move in judge.hardest_moves(g, g.start()))


def test_in_a_lost_position_perfect_prefers_more_answers_and_a_longer_game() -> None:
    # The player to move loses. Taking 4 or 9 leaves more answers and a longer game than 2 or 3.
    g = game("divider", to=9)
    position = Position.of([2, 3, 4, 9])
    assert Judge().verdict(g, position).winner == 2
    chosen = PerfectPlayer().choose(g, position, Random(0))
    assert chosen in (4, 9)


def test_of_moves_that_are_equally_hard_to_beat_only_those_with_the_longest_game_are_chosen() -> (
    None
):
    # 1 and 3 both leave two answers, of which one wins: 1 at once, 3 after two more moves.
    g, position = game("juniper", to=9), Position.of([1, 3, 5, 7, 9], last=6)
    assert g.moves(position) == (1, 3)
    judge = Judge()
    assert judge.verdict(g, position).winner == 2
    assert judge.hardest_moves(g, position) == [3]
    assert judge.best_move(g, position) == 3


def test_the_lengths_of_games_are_compared_only_as_long_as_there_is_time() -> None:
    g, position = game("juniper", to=9), Position.of([1, 3, 5, 7, 9], last=6)
    assert players._longest(g, position, [1, 3], Budget()) == [3]
    assert players._longest(g, position, [1, 3], Budget(0)) == [1, 3]


def test_a_judge_remembers_a_limited_number_of_verdicts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(players, "MOST_CACHED", 3)
    g, judge = game("divider"), Judge()
    for numbers in ([2], [2, 3], [3, 5], [2, 3, 5], [2, 4], [2]):
        position = Position.of(numbers)
        assert judge.verdict(g, position) == replace(
            solve(g, position), positions=judge.verdict(g, position).positions
        )
        assert judge.verdict(g, position) is judge.verdict(g, position)
        assert len(judge._cache) <= 3


def test_a_judge_remembers_every_position_for_which_the_time_was_too_short() -> None:
    g, judge = game("divider"), Judge(0)
    judged = [Position.of(numbers) for numbers in ([2, 3], [3, 5], [2, 3, 5])]
    for position in judged:
        judge.verdict(g, position)
    assert [judge.has_failed(g, position) for position in judged] == [True] * 3
    assert not judge.has_failed(g, Position.of([2]))


def test_the_fault_of_a_player_keeps_its_reason_in_another_process() -> None:
    fault = PlayerFault("crashed", "The engine ended.", "Segmentation fault")
    for found in (fault, pickle.loads(pickle.dumps(fault))):
        assert str(found) == "The engine ended."
        assert (found.fault, found.last_words) == ("crashed", "Segmentation fault")


def test_greedy_leaves_as_few_answers_as_possible() -> None:
    g = game("chain")
    assert GreedyPlayer().choose(g, g.start(), Random(0)) in (29, 31, 37, 41, 43, 47)


def test_every_skill_grows_from_level_to_level() -> None:
    skills = [LEVELS[level] for level in range(1, 11)]
    for skill in ("insight", "attention", "greed"):
        values = [getattr(at, skill) for at in skills]
        assert values == sorted(values)
    assert len({at.insight for at in skills}) == 10


def test_the_skills_match_the_docs() -> None:
    page = (Path(__file__).parents[2] / "docs" / "levels.md").read_text()
    for name in ("insight", "attention", "greed"):
        shown = " | ".join(f"{getattr(skill, name):.0%}" for skill in LEVELS.values())
        assert f"\n| {name} | {shown} |\n" in page


@pytest.mark.parametrize("level", [5, 10])
def test_a_level_plays_the_perfect_move_at_least_as_often_as_stated(level: int) -> None:
    g, rng = game("divider"), Random(level)
    right = sum(LevelPlayer(level).choose(g, g.start(), rng) == 4 for _ in range(2_000))
    assert right / 2_000 > LEVELS[level].insight - 0.04


LONG_GAMES: dict[str, dict[str, int | str]] = {
    "evens": {},
    "antichain": {},
    "chain": {"opening": "even"},
    "divider": {"to": 20},
    "juniper": {},
    "descent": {"number": 720720},
}


@pytest.mark.parametrize("key", thorough_except(ALL_KEYS, "chain", "descent"))
def test_level_1_is_not_weaker_than_random(key: str) -> None:
    g = game(key, **LONG_GAMES[key])
    rate, error = win_rate(g, LevelPlayer(1), RandomPlayer(), 1_000, Random(1))
    assert rate + 2 * error > 0.5  # within four standard deviations


def test_level_1_takes_every_move_equally_often_if_none_wins_at_once() -> None:
    g, rng = game("divider", to=9), Random(2)
    taken = Counter(LevelPlayer(1).choose(g, g.start(), rng) for _ in range(8_000))
    assert sorted(taken) == [*range(2, 10)]
    assert all(abs(count - 1_000) < 150 for count in taken.values())


def test_a_chance_to_win_at_once_is_seen_more_often_at_higher_levels() -> None:
    g = game("chain")  # a prime above 25 ends the game at once
    wins = [
        sum(
            g.is_over(g.after(g.start(), LevelPlayer(level).choose(g, g.start(), rng)))
            for rng in map(Random, range(300))
        )
        for level in (1, 5, 10)
    ]
    assert 300 * 6 / 49 < wins[0] < wins[1] < wins[2]


def test_a_large_factor_is_overlooked_more_often_than_a_small_one() -> None:
    g, mover, seen = game("descent", number=2 * 3 * 47), LevelPlayer(5), Counter[int]()
    for seed in range(2_000):
        moves, wins = mover._glance(g, g.start(), Random(seed))
        assert moves == [2, 3, 6, 47, 94, 141]
        seen.update(wins)
    assert seen[2] > seen[3] > seen[47] > 0
    assert len(seen) == 3


@pytest.mark.parametrize("level", [2, 10])
def test_a_wary_level_avoids_a_move_that_it_sees_lose_at_once(level: int) -> None:
    g = game("juniper", to=9)
    position = Position.of([1, 3, 5, 7, 9], last=6)
    assert g.moves(position) == (1, 3)
    wary = LevelPlayer(level)
    wary.skill = replace(wary.skill, insight=0.0, attention=1.0)
    assert {wary.choose(g, position, Random(seed)) for seed in range(20)} == {3}


def test_level_1_overlooks_that_a_move_loses_at_once() -> None:
    g = game("juniper", to=9)
    position = Position.of([1, 3, 5, 7, 9], last=6)
    first = LevelPlayer(1)
    first.skill = replace(first.skill, attention=1.0)
    assert {first.choose(g, position, Random(seed)) for seed in range(20)} == {1, 3}


def test_a_level_without_insight_does_not_wait_for_the_solver() -> None:
    g, judge = game("antichain", to=1_500), Judge(0)
    first = LevelPlayer(1, judge)
    assert first.choose(g, g.start(), Random(1)) in g.moves(g.start())
    assert not first.is_guessing(g, g.start())


@pytest.mark.parametrize(
    ("count", "left_out"), [(1, []), (127, []), (128, []), (129, [64]), (132, [64, 65, 66, 67])]
)
def test_of_very_many_moves_the_first_and_the_last_are_compared(
    count: int, left_out: list[int]
) -> None:
    assert sorted({*range(count)} - {*players._candidates(range(count))}) == left_out
    assert [*players._candidates(range(count))] == sorted(players._candidates(range(count)))


def test_the_best_move_wins_and_leaves_the_fewest_answers() -> None:
    g, judge = game("chain", to=8), Judge()
    won = judge.verdict(g, g.start()).winning_moves
    answers = {move: len(g.moves(g.play(g.start(), move))) for move in won}
    assert [move for move in won if answers[move] == min(answers.values())] == [5, 7]
    assert judge.best_move(g, g.start()) == 5
    chosen = {PerfectPlayer(judge).choose(g, g.start(), Random(seed)) for seed in range(20)}
    assert chosen == {5, 7}


def test_a_judge_has_ten_seconds_for_a_move_unless_told_otherwise() -> None:
    assert (Judge().seconds, Judge(0.5).seconds) == (10.0, 0.5)
    assert Judge(0).budget().is_over()
    assert not Judge().budget().is_over()


@pytest.mark.parametrize("kind", ["perfect", "10"])
def test_on_a_board_too_large_to_solve_a_strong_player_guesses_greedily(kind: str) -> None:
    g, mover = game("antichain", to=1_500), player(kind, Judge(0))
    assert mover is not None
    chosen = mover.choose(g, g.start(), Random(3))
    assert mover.is_guessing(g, g.start())
    assert chosen == GreedyPlayer().choose(g, g.start(), rng_of_the_guess(kind))


def rng_of_the_guess(kind: str) -> Random:
    """Return the random numbers that a player guesses with: a level first draws for insight."""
    rng = Random(3)
    if kind != "perfect":
        assert rng.random() < LEVELS[int(kind)].insight
    return rng


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "human"])
def test_no_player_guesses_if_the_board_can_be_solved(kind: str) -> None:
    g, mover = game("divider"), player(kind)
    assert mover is not None
    mover.choose(g, g.start(), Random(1))
    assert not mover.is_guessing(g, g.start())


def test_a_random_player_can_choose_among_millions_of_divisors() -> None:
    g = game("descent", number=2**20 * 3**12 * 5**8 * 7**5)
    assert RandomPlayer().choose(g, g.start(), Random(2)) in g.moves(g.start())


def test_a_greedy_player_compares_the_smallest_and_the_largest_of_many_divisors(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    g = game("descent", number=2**12 * 3**6 * 5**4)
    every = list(g.moves(g.start()))
    listed, list_all = list[int](), ProperDivisors.__iter__

    def count(divisors: ProperDivisors) -> Iterator[int]:
        for divisor in list_all(divisors):
            listed.append(divisor)
            yield divisor

    monkeypatch.setattr(ProperDivisors, "__iter__", count)
    assert _candidates(g.moves(g.start())) == every[:64] + every[-64:]
    assert len(listed) <= 2 * 64  # a number of 15 digits can have 27,000


def test_a_random_player_chooses_every_divisor_equally_often() -> None:
    g, rng = game("descent", number=36), Random(1)
    drawn = Counter(RandomPlayer().choose(g, g.start(), rng) for _ in range(7_000))
    assert sorted(drawn) == [2, 3, 4, 6, 9, 12, 18]
    assert all(abs(count - 1_000) < 150 for count in drawn.values())


def test_an_unknown_kind_of_player_is_refused() -> None:
    assert player("human") is None
    for kind in ("11", "0", "Perfect!", ""):
        with pytest.raises(UnknownPlayer, match=r"perfect or a level from 1 to 10\.$"):
            player(kind)


def test_computer_players_are_named_after_their_kind() -> None:
    assert default_names(("human", "3")) == ("Player 1", "Level 3")
    assert default_names(("perfect", "perfect")) == ("Perfect A", "Perfect B")
    Match.of(game("chain"), names=default_names(("random", "random")))


def test_a_judge_stops_when_a_shared_budget_is_used_up() -> None:
    g = game("antichain", to=200)  # it could not be solved in a day
    whole = Budget(on_progress=lambda _: whole.stop())
    assert not Judge(86_400, within=whole).verdict(g, g.start()).proven
    assert whole.is_over()


@pytest.mark.parametrize("kind", ["perfect", "10"])
def test_a_move_on_a_huge_board_is_chosen_in_time(kind: str) -> None:
    g = game("chain", to=200_000)
    asked = 0

    class Counted(type(g)):  # type: ignore[misc]  # the class of any game
        def number_of_moves(self, position: Position) -> int:
            nonlocal asked
            asked += 1
            return int(super().number_of_moves(position))

    counted = Counted(to=200_000)
    computer = player(kind)
    assert computer is not None
    assert computer.choose(counted, counted.start(), Random(0)) in g.moves(g.start())
    assert asked <= 1_000
