"""Statistics count exactly what was played."""

from hypothesis import given
from hypothesis import strategies as st

from divisorduel import read_records
from divisorduel.coach.review import review
from divisorduel.coach.statistics import (
    MOST_PERIODS,
    FinishedGame,
    Score,
    Tally,
    statistics,
    tally,
)
from divisorduel.solve.budget import Budget
from tests.coach.test_review import SAMPLE, random_record
from tests.conftest import ALL_KEYS


def test_player_2_gives_the_sample_game_away_and_player_1_keeps_it() -> None:
    found = tally(review(read_records(SAMPLE)[0]))
    assert found == Tally(winning=(3, 1), kept=(3, 0))
    assert (found.mistakes(1), found.mistakes(2)) == (0, 1)


def test_the_refutations_of_mistakes_do_not_change_the_tally() -> None:
    for key in ALL_KEYS:
        for seed in range(4):
            record = random_record(key, seed)
            found = review(record)
            without = review(record, with_lines=False)
            assert tally(without) == tally(found)
            assert [j.better for j in without.judgements] == [j.better for j in found.judgements]
            assert all(judgement.line == () for judgement in without.judgements)
            made = tally(found).mistakes(1) + tally(found).mistakes(2)
            assert made == len(found.mistakes)


def test_giving_up_a_won_position_is_a_mistake() -> None:
    text = '[Game "evens"]\n[Board "2-20"]\n[Termination "forfeit"]\n\n1. 12 1-0\n'
    assert tally(review(read_records(text)[0])) == Tally(winning=(0, 1), kept=(0, 0))
    text = '[Game "evens"]\n[Board "2-20"]\n[Termination "forfeit"]\n\n1. 12 2. 4 0-1\n'
    assert tally(review(read_records(text)[0])) == Tally(winning=(0, 1), kept=(0, 1))


def test_what_is_not_proven_is_not_counted() -> None:
    [record] = read_records('[Game "divider"]\n[Board "2-60"]\n\n1. 7 2. 2 *\n')
    found = tally(review(record, Budget(most_positions=1), with_lines=False))
    assert found == Tally((0, 0), (0, 0), unproven=2)


games = st.builds(
    FinishedGame,
    key=st.sampled_from(["chain", "evens"]),
    board=st.sampled_from(["2-20", "2-50"]),
    opponent=st.sampled_from(["1", "5", "perfect"]),
    is_won=st.booleans(),
    winning=st.none() | st.integers(3, 9),
    kept=st.integers(0, 3),
)


@given(st.lists(games, max_size=60))
def test_every_game_is_counted_once_in_every_view(played: list[FinishedGame]) -> None:
    found = statistics(played)
    views = (
        [*found.by_game.values()],
        [*found.by_board.values()],
        [*found.by_opponent.values()],
        [*found.over_time],
    )
    for scores in views:
        assert sum(score.games for score in scores) == len(played) == found.total.games
        for name in ("wins", "judged", "winning", "kept"):
            assert sum(getattr(score, name) for score in scores) == getattr(found.total, name)


@given(st.lists(games, max_size=60))
def test_the_periods_have_about_the_same_number_of_games(played: list[FinishedGame]) -> None:
    sizes = [score.games for score in statistics(played).over_time]
    assert len(sizes) == min(MOST_PERIODS, len(played))
    assert not sizes or max(sizes) - min(sizes) <= 1


@given(st.lists(st.booleans(), max_size=30))
def test_streaks_are_wins_in_a_row(wins: list[bool]) -> None:
    found = statistics([FinishedGame("chain", "2-50", "5", won) for won in wins])
    letters = "".join("w" if won else "l" for won in wins)
    assert found.streak == len(letters) - len(letters.rstrip("w"))
    assert found.longest_streak == max(map(len, letters.split("l")))


def test_shares_of_nothing_are_unknown() -> None:
    nothing = Score.of([])
    assert (nothing.win_share, nothing.kept_share) == (None, None)
    some = Score.of([FinishedGame("chain", "2-50", "5", is_won=True, winning=4, kept=3)])
    assert (some.win_share, some.kept_share) == (1.0, 0.75)
    unknown = Score.of([FinishedGame("chain", "2-50", "5", is_won=True)])
    assert (unknown.judged, unknown.kept_share) == (0, None)
