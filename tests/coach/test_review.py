"""A review blames only moves that turn a winning position into a lost one."""

from random import Random
from typing import Any

import pytest

from divisorduel import Match, Record, Take, decide, game, match_to_records, read_records
from divisorduel.coach.review import review
from divisorduel.play.players import Judge
from divisorduel.record.match_records import Heading
from divisorduel.solve import optimal_play
from divisorduel.solve.budget import Budget
from divisorduel.solve.solver import solve
from divisorduel.solve.verdict import Verdict
from divisorduel.words.reviews import review_json, review_text, summary
from tests.conftest import ALL_KEYS, small_game

SAMPLE = """\
[Game "evens"]
[Board "2-20"]
[Player1 "Ann"]
[Player2 "<Bob>"]

1. 12 2. 6 3. 18 4. 2 5. 4 6. 8 7. 16 1-0
"""


def only_record(text: str) -> Record:
    return read_records(text)[0]


def test_the_sample_game_was_given_away_by_player_2_on_turn_2() -> None:
    found = review(only_record(SAMPLE))
    [mistake] = found.mistakes
    assert (mistake.turn, mistake.seat, mistake.better, mistake.answer) == (2, 2, (4,), 18)
    assert (mistake.line, mistake.shortest) == ((18, 2, 14), True)
    assert summary(found) == (
        "Ann made no mistakes and <Bob> made 1 mistake. <Bob> was winning at the start."
    )


def random_record(key: str, seed: int) -> Record:
    rng, match = Random(seed), Match.of(small_game(key))
    while not match.over:
        move = rng.choice(match.game.moves(match.current.position))
        match = decide(match, match.current.to_move, Take(move)).match
    return match_to_records(match, Heading("m", "2026-11-15"))[0]


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("key", ALL_KEYS)
def test_a_mistake_turns_a_won_position_into_a_lost_one(key: str, seed: int) -> None:
    record, judge = random_record(key, seed), Judge()
    positions = list(record.positions())
    for found in review(record).judgements:
        before = judge.verdict(record.game, positions[found.turn - 1])
        after = judge.verdict(record.game, positions[found.turn])
        assert found.mistake == (before.winner == 1 and after.winner == 1)
        if found.mistake:
            assert found.better == before.winning_moves
            assert found.answer in after.winning_moves
            position = positions[found.turn]
            for move in found.line:
                position = record.game.play(position, move)
            assert record.game.is_over(position)
            assert len(found.line) % 2 == 1


@pytest.mark.parametrize("key", ALL_KEYS)
def test_the_loser_made_the_last_mistake_or_was_losing_from_the_start(key: str) -> None:
    for seed in range(10):
        record = random_record(key, seed)
        found = review(record)
        if found.mistakes:
            assert found.mistakes[-1].seat != record.winner
        else:
            assert found.judgements[0].favours == record.winner


def test_an_unfinished_game_can_be_reviewed() -> None:
    found = review(only_record('[Game "chain"]\n[Board "2-50"]\n\n1. 5 *\n'))
    assert found.mistakes[0].turn == 1
    assert found.favours_end == 2


def test_a_refutation_that_may_not_be_the_shortest_says_so() -> None:
    found = review(only_record('[Game "antichain"]\n[Board "2-50"]\n\n1. 7 *\n'))
    assert not found.mistakes[0].shortest
    assert "there may be a shorter win" in "\n".join(review_text(found, lines=True))
    g = game("antichain")
    position = g.play(g.start(), 7)
    for move in found.mistakes[0].line:
        position = g.play(position, move)
    assert g.is_over(position)


def test_turns_that_cannot_be_judged_are_not_called_faultless() -> None:
    no_time = Budget(0)
    found = review(only_record('[Game "antichain"]\n[Board "2-50"]\n\n1. 2 2. 3 *\n'), no_time)
    assert [judgement.mistake for judgement in found.judgements] == [None, None]
    assert "2 turns could not be judged" in summary(found)
    assert review_json(found)["turns"][0]["mistake"] is None  # type: ignore[index]  # a list


def test_the_refutation_of_a_mistake_is_searched_within_the_budget(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    budget, solved = Budget(), 0

    def solve_and_stop(*asked: Any) -> Verdict:
        nonlocal solved
        solved += 1
        budget.stop()
        return solve(*asked)

    monkeypatch.setattr(optimal_play, "solve", solve_and_stop)
    [record] = read_records('[Game "chain"]\n[Board "2-500"]\n\n1. 2 *\n')
    [judgement] = review(record, budget).judgements
    assert judgement.mistake
    assert judgement.line == ()
    assert solved <= 3
