"""What can be said about a game without playing it."""

from random import Random

import pytest

from divisorduel import BoardError, Game, game, rule_book
from divisorduel.rules.books.descent import Descent
from divisorduel.rules.catalogue import must_be_given, parameters
from divisorduel.rules.errors import one_of
from divisorduel.rules.relation import DIVISIBILITY
from tests.conftest import ALL_KEYS, small_game


@pytest.mark.parametrize(
    ("key", "board", "is_free"),
    [
        ("chain", {}, True),
        ("chain", {"opening": "even"}, False),
        ("chain", {"opening": "low"}, False),
        ("chain", {"from_": 2, "step": 2, "opening": "even"}, True),
        ("antichain", {}, True),
        ("descent", {"number": 12}, False),
    ],
)
def test_an_opening_is_free_if_every_number_may_be_taken_first(
    key: str, board: dict[str, int | str], is_free: bool
) -> None:
    assert game(key, **board).has_free_opening is is_free


@pytest.mark.parametrize(
    ("board", "span", "note"),
    [
        ({}, "2 to 50", ""),
        ({"to": 9, "step": 3}, "2 to 9 in steps of 3", ""),
        ({"step": 2}, "2 to 50 in steps of 2", ""),
        ({"opening": "even"}, "2 to 50", "The first number must be even."),
        (
            {"opening": "low"},
            "2 to 50",
            "The first number must be at most half the largest one.",
        ),
    ],
)
def test_a_board_is_described_in_words(board: dict[str, int | str], span: str, note: str) -> None:
    described = game("chain", **board)
    assert (described.span, described.note) == (span, note)


@pytest.mark.parametrize(
    ("board", "span"),
    [
        ({}, "even numbers 2 to 20"),
        ({"from_": 4, "to": 9}, "even numbers 4 to 9"),
        ({"step": 4}, "2 to 20 in steps of 4"),
    ],
)
def test_a_board_of_evens_is_described_as_even_numbers(board: dict[str, int], span: str) -> None:
    assert game("evens", **board).span == span


def test_a_game_without_words_for_its_board_is_described_by_the_board_itself() -> None:
    class Plain(Descent):
        span = Game.span
        note = Game.note

    assert (Plain(number=12).span, Plain(number=7).note) == ("12", "")


@pytest.mark.parametrize("key", ALL_KEYS)
def test_a_random_move_is_any_of_the_legal_moves(key: str) -> None:
    g, rng = small_game(key), Random(1)
    drawn = {g.random_move(g.start(), rng) for _ in range(400)}
    assert drawn == {*g.moves(g.start())}


def test_a_game_made_by_its_size_keeps_its_other_parameters() -> None:
    assert rule_book("chain").of_size(9, opening="even") == game("chain", to=9, opening="even")
    assert rule_book("descent").of_size(12) == game("descent", number=12)
    assert (game("chain", to=9).size, game("descent", number=12).size) == (9, 12)


def test_the_parameters_of_a_game_are_known_without_making_it() -> None:
    assert [*parameters("chain")] == ["from_", "to", "step", "opening"]
    assert parameters("chain")["to"] is int
    assert parameters("descent") == {"number": int}
    assert must_be_given("chain") == ()
    assert must_be_given("descent") == ("number",)
    for key in ALL_KEYS:
        assert {*rule_book(key).parameter_help} == {*parameters(key)}


def test_a_graph_has_a_caption_if_numbers_are_related() -> None:
    assert game("chain").graph_caption == DIVISIBILITY.caption
    unrelated = type("Unrelated", (rule_book("descent"),), {"relation": None})(number=12)
    assert unrelated.graph_caption == ""
    assert unrelated.graph([2, 4]) == []


@pytest.mark.parametrize(
    ("names", "listed"),
    [(["any"], "any"), (["any", "even"], "any or even"), ("abc", "a, b or c")],
)
def test_choices_are_listed_as_in_a_sentence(names: list[str], listed: str) -> None:
    assert one_of(names) == listed


@pytest.mark.parametrize(
    "board",
    [
        {"to": 10_000_000},
        {"from_": 10_000_000, "to": 10_000_000},
        {"to": 10_000_000, "step": 10_000_000},
        {"from_": 2, "to": 2},
        {"from_": 1, "to": 2, "opening": "low"},
    ],
)
def test_a_board_may_reach_its_limits(board: dict[str, int | str]) -> None:
    assert game("chain", **board).pool


@pytest.mark.parametrize("board", [{"step": 10_000_001}, {"step": -1}, {"from_": -1}])
def test_a_board_may_not_exceed_its_limits(board: dict[str, int]) -> None:
    with pytest.raises(BoardError):
        game("chain", **board)
