"""Which boards are possible, and why others are refused."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from divisorduel import BoardError, Relation, game, rule_book
from divisorduel.rules.books.divider import Divider
from divisorduel.rules.game import Taken
from divisorduel.rules.position import Position
from divisorduel.rules.refusal import Refusal
from divisorduel.rules.relation import DIVISIBILITY, DIVISORS, MULTIPLES
from tests.conftest import ALL_KEYS, default_game


@pytest.mark.parametrize(
    ("key", "board", "reason"),
    [
        ("chain", {"from_": 0}, "start at 1 or higher"),
        ("antichain", {"from_": 1}, "start at 2 or higher"),
        ("divider", {"from_": 1}, "start at 2 or higher"),
        ("chain", {"to": 10_000_001}, "at most 10,000,000"),
        ("chain", {"from_": 9, "to": 8}, "is empty"),
        ("chain", {"step": 0}, "step"),
        ("chain", {"to": "50"}, "whole numbers"),
        ("chain", {"to": True}, "whole numbers"),
        ("chain", {"to": 9.0}, "whole numbers"),
        ("chain", {"opening": "odd"}, "any, even or low"),
        ("chain", {"from_": 7, "to": 7, "opening": "even"}, "first number must be even"),
        ("chain", {"from_": 30, "to": 50, "opening": "low"}, "at most half"),
        ("evens", {"from_": 3}, "even numbers"),
        ("evens", {"step": 3}, "even numbers"),
        ("descent", {}, "needs a number"),
        ("descent", {"number": 1}, "greater than 1"),
        ("descent", {"number": 10**50}, "at most 50 digits"),
        ("descent", {"number": "16"}, "whole number"),
        ("descent", {"to": 16}, "no parameter 'to'"),
        ("chain", {"number": 16}, "no parameter 'number'"),
        ("chian", {}, "Did you mean chain"),
        ("chess", {}, "Unknown game 'chess'"),
    ],
)
def test_an_impossible_board_is_refused_with_the_reason(
    key: str, board: dict[str, int], reason: str
) -> None:
    with pytest.raises(BoardError, match=reason):
        game(key, **board)


@pytest.mark.parametrize("key", ALL_KEYS)
def test_the_repr_of_a_game_can_be_evaluated(key: str) -> None:
    g = default_game(key)
    assert eval(repr(g), {"game": game}) == g


def test_a_repr_shows_only_what_differs_from_the_default() -> None:
    assert repr(game("chain")) == "game('chain')"
    assert repr(game("evens", to=40)) == "game('evens', to=40)"


@given(
    key=st.sampled_from(sorted(set(ALL_KEYS) - {"descent"})),
    low=st.integers(1, 60),
    length=st.integers(0, 60),
    step=st.integers(1, 9),
    opening=st.sampled_from(["any", "even", "low"]),
)
def test_a_board_can_be_read_back_from_its_text(
    key: str, low: int, length: int, step: int, opening: str
) -> None:
    try:
        g = game(key, from_=low, to=low + length, step=step, opening=opening)
    except BoardError:
        return
    assert rule_book(key).on_board(g.board) == g


@pytest.mark.parametrize(
    "word", ["", "2", "2-", "-50", "2-50:", "2-50,", "2-50:0", "x", "2-50,odd"]
)
def test_text_that_is_not_a_board_is_refused(word: str) -> None:
    with pytest.raises(BoardError):
        rule_book("chain").on_board(word)


@pytest.mark.parametrize(
    ("key", "first", "last", "options", "sizes"),
    [
        ("chain", 5, 8, {}, [5, 6, 7, 8]),
        ("chain", 1, 4, {}, [2, 3, 4]),
        ("evens", 3, 9, {}, [4, 6, 8]),
        ("evens", 4, 8, {}, [4, 6, 8]),
        ("chain", 2, 20, {"from_": 3, "step": 5}, [3, 8, 13, 18]),
        ("chain", 9, 18, {"from_": 3, "step": 5}, [13, 18]),
        ("descent", 1, 4, {}, [2, 3, 4]),
    ],
)
def test_the_sizes_of_a_series_are_the_numbers_that_a_board_can_end_at(
    key: str, first: int, last: int, options: dict[str, int], sizes: list[int]
) -> None:
    assert [*rule_book(key).sizes(first, last, **options)] == sizes


def test_a_series_ends_at_a_board_that_exists() -> None:
    for key, last in (("chain", 10_000_001), ("descent", 10**50), ("descent", 1)):
        with pytest.raises(BoardError):
            rule_book(key).sizes(2, last)


def test_a_board_has_a_variant_for_every_opening_that_it_allows() -> None:
    def openings(size: int) -> list[str]:
        return [board.board for board in rule_book("chain").variants(size)]

    assert openings(9) == ["2-9", "2-9,even", "2-9,low"]
    assert openings(3) == ["2-3", "2-3,even"]
    assert [board.board for board in rule_book("descent").variants(12)] == ["12"]


def test_the_default_boards_are_as_specified() -> None:
    assert game("evens").start().numbers == tuple(range(2, 21, 2))
    assert game("antichain").start().numbers == tuple(range(2, 51))
    assert game("chain").start().numbers == tuple(range(2, 51))
    assert game("divider").start().numbers == tuple(range(2, 10))
    assert game("juniper").start().numbers == tuple(range(1, 101))


def test_a_board_of_ten_million_numbers_can_be_played() -> None:
    g = game("chain", to=10_000_000)
    position = g.play(g.start(), 5_000_000)
    assert max(g.moves(position)) == 10_000_000
    assert g.is_over(g.play(g.start(), 9_999_991))


@pytest.mark.parametrize("key", ALL_KEYS)
def test_the_number_of_moves_is_counted_without_listing_them(key: str) -> None:
    g = default_game(key)
    position = g.start()
    while moves := g.moves(position):
        assert g.number_of_moves(position) == len(moves)
        position = g.play(position, moves[0])
    assert g.number_of_moves(position) == 0


@pytest.mark.parametrize("relation", [MULTIPLES, DIVISORS, DIVISIBILITY])
def test_a_graph_joins_numbers_whichever_of_the_two_is_related_to_the_other(
    relation: Relation,
) -> None:
    drawn = type("Drawn", (Divider,), {"relation": relation})(to=6)
    assert drawn.graph([2, 3, 4, 6]) == [(2, 4), (2, 6), (3, 6)]


def test_a_reason_does_not_list_what_each_taken_number_rules_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    board = game("antichain", from_=49_950, to=99_900, step=50)
    taken = [Taken(number, "Ann") for number in range(50_000, 99_901, 50)]
    position = Position(1 << 50_000)
    monkeypatch.delattr("divisorduel.rules.relation.relatives")
    assert board.refusal(position, 49_950, taken) == Refusal(
        "ruled-out", {"number": 49_950, "other": 99_900, "player": "Ann"}
    )
