"""The boards of a table."""

import pytest

from divisorduel.lab.series import Series
from divisorduel.rules.errors import BoardError


def test_a_series_has_a_board_for_each_number_in_the_range() -> None:
    series = Series.within("antichain", "5..8", {})
    assert [*series.numbers] == [5, 6, 7, 8]
    assert series.game(7).board == "2-7"


def test_numbers_that_are_not_on_the_board_are_skipped() -> None:
    assert [*Series.within("evens", "3..9", {}).numbers] == [4, 6, 8]
    assert [*Series.within("chain", "2..20", {"from_": 3, "step": 5}).numbers] == [3, 8, 13, 18]


def test_a_series_of_descent_has_a_game_for_each_starting_number() -> None:
    series = Series.within("descent", f"{10**20}..{10**20 + 2}", {})
    assert series.game(10**20 + 1).board == str(10**20 + 1)


@pytest.mark.parametrize(
    ("key", "written", "said"),
    [
        ("chain", "5..2", "Write the smaller number first"),
        ("chain", "x..3", "is not a range"),
        ("chain", "7", "is not a range"),
        ("chain", "2..99999999", "may be at most 10,000,000"),
        ("chain", "2..2000000", "at most 1,000,000 rows"),
        ("descent", f"2..{10**30}", "at most 1,000,000 rows"),
        ("evens", "3..3", "No board of evens ends at"),
        ("juniper", "1..9", "The first board, up to 1, cannot be played"),
    ],
)
def test_an_impossible_range_is_refused_with_the_reason(key: str, written: str, said: str) -> None:
    with pytest.raises(BoardError, match=said):
        Series.within(key, written, {})


def test_a_series_is_read_back_from_its_command() -> None:
    series = Series.within("chain", "6..9", {"opening": "low", "from_": 3})
    assert series.command == "duel table chain 6..9 --from 3 --opening low"
    assert Series.of_command(series.command) == series


@pytest.mark.parametrize("command", ["", "duel table chain", "duel table chain 2..9 --fast 1"])
def test_other_text_is_not_read_as_a_command(command: str) -> None:
    with pytest.raises(BoardError):
        Series.of_command(command)


def test_a_longer_series_includes_a_shorter_one_of_the_same_game() -> None:
    longer = Series("chain", 2, 9)
    assert longer.includes(Series("chain", 3, 8))
    assert not longer.includes(Series("chain", 2, 10))
    assert not longer.includes(Series("evens", 3, 8))
    assert not longer.includes(Series("chain", 3, 8, (("opening", "low"),)))
