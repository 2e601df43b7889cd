"""The history in words."""

import pytest

from divisorduel.coach.statistics import Tally
from divisorduel.play.events import Seat
from divisorduel.store.history import HistoryEntry
from divisorduel.store.match_summary import MatchSummary
from divisorduel.words import results as words


def summary(
    *winners: Seat | None, kinds: tuple[str, str] = ("human", "human"), rounds: int = 1
) -> MatchSummary:
    names = ("Ann", "Ben")
    return MatchSummary(
        "chain", "2-50", has_own_start=False, names=names, kinds=kinds, rounds=rounds,
        series=rounds, winners=winners, move_count=3,
    )  # fmt: skip


AGAINST_COMPUTER = ("5", "human")
"""The person is Player 2."""


@pytest.mark.parametrize(
    ("found", "result"),
    [
        (summary(None), "unfinished"),
        (summary(1), "Ann won"),
        (summary(1, 2, 2, rounds=3), "Ben won 2-1"),
        (summary(1, 2, rounds=2), "drawn 1-1"),
        (summary(1, 2, 2, None, rounds=5), "unfinished 1-2"),
        (summary(1, None, rounds=3, kinds=AGAINST_COMPUTER), "unfinished 0-1"),
        (summary(2, kinds=AGAINST_COMPUTER), "won"),
        (summary(1, kinds=AGAINST_COMPUTER), "lost"),
        (summary(1, 1, 2, kinds=AGAINST_COMPUTER, rounds=3), "lost 1-2"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_result_is_given_from_the_side_of_a_person_who_plays_a_computer(
    found: MatchSummary, result: str
) -> None:
    assert words.result(found) == result


def test_the_opponent_of_a_person_is_the_computer() -> None:
    assert words.opponent(summary(1, kinds=AGAINST_COMPUTER)) == "against Ann"
    assert words.opponent(summary(1, kinds=("human", "5"))) == "against Ben"
    assert words.opponent(summary(1)) == "Ann against Ben"
    assert words.opponent(summary(1, kinds=("5", "perfect"))) == "Ann against Ben"


def mistakes(found: MatchSummary, *tallies: Tally | None) -> str:
    return words.mistakes(HistoryEntry(1, "m", "", 0, found, tallies))


def test_mistakes_are_counted_for_the_person_or_for_both_players() -> None:
    tally = Tally((5, 4), (4, 2))
    assert mistakes(summary(1), tally) == "1, 2"
    assert mistakes(summary(1, kinds=AGAINST_COMPUTER), tally) == "2"
    assert mistakes(summary(1, 2, kinds=AGAINST_COMPUTER, rounds=2), tally, tally) == "4"
    assert mistakes(summary(1), Tally((5, 4), (4, 2), unproven=1)) == "1, 2+"


def test_mistakes_are_not_shown_before_the_end_or_before_they_are_known() -> None:
    assert mistakes(summary(1, None, rounds=2), Tally((5, 4), (4, 2)), None) == ""
    assert mistakes(summary(1), None) == "?"


def test_percentages_are_rounded_to_the_nearest() -> None:
    assert words.share(18, 19) == "18 of 19 (95%)"
    assert [words.percent(part, 12) for part in (11, 1, 6)] == ["92%", "8%", "50%"]


def test_a_small_share_is_not_rounded_to_0_percent() -> None:
    assert (words.percent(1, 1000), words.percent(0, 1000)) == ("1%", "0%")


def test_a_large_share_is_not_rounded_to_100_percent() -> None:
    assert words.share(999, 1000) == "999 of 1,000 (99%)"
    assert words.percent(1000, 1000) == "100%"
    assert (words.share(0, 0), words.percent(0, 0)) == ("there were none", "-")


def test_a_sparkline_has_a_bar_for_each_share() -> None:
    assert words.sparkline([0, 0.5, None, 0.99, 1]) == "▁▅.██"
    assert words.sparkline([0, 0.5, None, 1], words.ASCII_BARS) == "15.8"


def test_the_legend_of_a_sparkline_says_what_a_bar_is_and_explains_its_signs() -> None:
    assert words.sparkline_legend(3, [0, 0.5, 1]) == (
        "Each bar is a game, the newest on the right: ▁ is 0%, █ is 100%."
    )
    assert words.sparkline_legend(25, [0] * 20).startswith("Each bar is a game or two, the newest")
    assert words.sparkline_legend(60, [0, None], words.ASCII_BARS) == (
        "Each digit is about 30 games, the newest on the right: "
        "1 is 0%, 8 is 100%, and . means no winning position."
    )


def test_a_match_is_won_if_its_only_person_has_won_it() -> None:
    assert summary(1, kinds=AGAINST_COMPUTER).is_won != summary(2, kinds=AGAINST_COMPUTER).is_won
    assert not summary(None, kinds=AGAINST_COMPUTER).is_won
    assert not summary(1).is_won
