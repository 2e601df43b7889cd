"""A summary says what the tags of a match file say, and who is ahead."""

from dataclasses import replace

import pytest

from divisorduel.coach.statistics import FinishedGame, Tally
from divisorduel.play.match import other
from divisorduel.record.model import RecordError
from divisorduel.store.match_summary import (
    MatchSummary,
    Winners,
    not_judged,
    summary_from_json,
    summary_to_json,
    tallies_from_json,
    tallies_to_json,
)

ROUND = '[Game "chain"]\n[Board "2-12"]\n[Rounds "3"]\n\n1. 11 1-0\n'
SUMMARY = MatchSummary.of(ROUND.encode())


def test_a_summary_is_made_from_the_tags_of_the_first_round_and_the_moves_of_the_last() -> None:
    second = ROUND.replace("1. 11 1-0", "1. 6 2. 2 *").replace("chain", "other")
    found = MatchSummary.of(f"{ROUND}\n{second}".encode())
    assert found == MatchSummary(
        key="chain",
        board="2-12",
        has_own_start=False,
        names=("Player 1", "Player 2"),
        kinds=("human", "human"),
        rounds=3,
        series=3,
        winners=(1, None),
        move_count=2,
    )
    with_start = ROUND.replace("[Rounds", '[Start "chain 2-12 2-12 -"]\n[Rounds')
    assert MatchSummary.of(with_start.encode()).has_own_start


@pytest.mark.parametrize("name", ["Game", "Board"])
def test_a_file_without_a_game_or_a_board_is_refused_with_the_line(name: str) -> None:
    rest = "\n".join(line for line in ROUND.splitlines() if not line.startswith(f"[{name}"))
    with pytest.raises(RecordError, match=f"the tag {name} is missing") as refused:
        MatchSummary.of(f"\n{rest}\n".encode())
    assert refused.value.line == 2


@pytest.mark.parametrize(
    ("rounds", "series", "found"),
    [
        ("7", "", (7, 7)),
        ("7", "2", (7, 2)),
        ("", "", (1, 1)),
        ("many", "few", (1, 1)),
        ("999999999", "", (999_999_999, 999_999_999)),
        ("9" * 10, "", (1, 1)),  # no match has that many rounds
    ],
)
def test_what_is_not_a_number_of_rounds_counts_as_one_round(
    rounds: str, series: str, found: tuple[int, int]
) -> None:
    tags = f'[Rounds "{rounds}"]\n[Series "{series}"]'
    summary = MatchSummary.of(ROUND.replace('[Rounds "3"]', tags).encode())
    assert (summary.rounds, summary.series) == found


@pytest.mark.parametrize(
    ("kinds", "person", "has_person"),
    [
        (("human", "human"), None, True),
        (("human", "5"), 1, True),
        (("5", "human"), 2, True),
        (("5", "greedy"), None, False),
    ],
)
def test_a_person_plays_alone_if_the_opponent_is_a_computer(
    kinds: tuple[str, str], person: int | None, has_person: bool
) -> None:
    summary = replace(SUMMARY, kinds=kinds)
    assert (summary.person, summary.has_person) == (person, has_person)


@pytest.mark.parametrize(
    ("winners", "is_won"),
    [
        ((1, 1, 2), True),
        ((1, 2, 1), True),
        ((2, 1, 2), False),
        ((1, 1), False),  # a round is still to be played
        ((1, 1, None), False),
        ((), False),
    ],
)
def test_a_match_is_won_when_it_is_over_and_the_person_has_won_more_rounds(
    winners: Winners, is_won: bool
) -> None:
    winners = winners or (None,)
    against_computer = replace(SUMMARY, kinds=("human", "5"), winners=winners)
    assert against_computer.is_won is is_won
    mirrored = tuple(None if one is None else other(one) for one in winners)
    assert replace(against_computer, kinds=("5", "human"), winners=mirrored).is_won is is_won
    assert not replace(against_computer, kinds=("human", "human")).is_won
    assert not replace(against_computer, kinds=("5", "greedy")).is_won


def test_a_match_with_as_many_rounds_won_as_lost_is_not_won() -> None:
    drawn = replace(SUMMARY, kinds=("human", "5"), rounds=2, series=2, winners=(1, 2))
    assert drawn.is_over
    assert not drawn.is_won


@pytest.mark.parametrize(
    ("winners", "rounds", "series", "moves", "is_over"),
    [
        ((1,), 1, 1, 5, True),
        ((None,), 1, 1, 5, False),
        ((None,), 1, 1, 0, False),
        ((1,), 2, 2, 5, False),
        ((1, None), 2, 1, 0, True),  # a rematch without a move
        ((1, None), 2, 1, 1, False),
        ((1, None), 2, 2, 0, False),  # the second of two rounds
        ((1, 2, None), 4, 2, 0, True),
        ((1, 2, 1, None), 4, 2, 0, False),  # the second round of the rematch
        ((1, 2, 1, 2), 4, 2, 0, True),
    ],
)
def test_a_match_is_over_after_its_last_round_and_while_a_rematch_has_no_move(
    winners: Winners, rounds: int, series: int, moves: int, is_over: bool
) -> None:
    found = replace(SUMMARY, winners=winners, rounds=rounds, series=series, move_count=moves)
    assert found.is_over is is_over


def test_a_finished_round_counts_before_it_is_judged_and_an_unfinished_one_does_not() -> None:
    summary = replace(SUMMARY, kinds=("5", "human"), winners=(1, 2, None))
    one, two = summary.finished_games(not_judged(summary))
    assert one == FinishedGame("chain", "2-12", "5", is_won=False, winning=None, kept=0)
    assert two == replace(one, is_won=True)
    judged = summary.finished_games((None, Tally((1, 4), (0, 3)), None))
    assert judged == [one, replace(two, winning=4, kept=3)]


def test_tallies_of_another_match_are_an_error() -> None:
    summary = replace(SUMMARY, kinds=("human", "5"), winners=(1, 2))
    for tallies in ((None,), (None,) * 3):
        with pytest.raises(ValueError, match="zip"):
            summary.finished_games(tallies)


def test_a_game_from_a_position_is_not_counted_with_those_on_the_whole_board() -> None:
    summary = replace(SUMMARY, kinds=("human", "5"), has_own_start=True)
    [found] = summary.finished_games((None,))
    assert found.board == "2-12 (set up)"


def test_summaries_and_tallies_are_read_back_as_they_were_written() -> None:
    summary = replace(SUMMARY, names=("Zoë", "Bob"), winners=(1, None), move_count=4)
    assert summary_from_json(summary_to_json(summary)) == summary
    tallies = (Tally((1, 2), (3, 4), 5), None)
    assert tallies_from_json(tallies_to_json(tallies)) == tallies
